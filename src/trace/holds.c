#include "trace/holds.h"

void
omen_holds_init (omen_holds *holds, const omen_trace *trace)
{
  uint32_t locks = trace->names[OMEN_OPERAND_LOCK].count;
  *holds = (omen_holds){ 0 };
  omen_map_init (&holds->map);
  holds->locks = omen_zalloc (locks, sizeof *holds->locks);
  holds->held = omen_zalloc (trace->threads.count, sizeof *holds->held);
}

void
omen_holds_fini (omen_holds *holds)
{
  omen_map_fini (&holds->map);
  OMEN_VEC_FINI (holds->holds);
  omen_free (holds->locks);
  omen_free (holds->held);
}

static uint32_t
hold_of (omen_holds *holds, omen_tid thread, omen_lid lock)
{
  uint32_t *slot = omen_map_at (&holds->map, OMEN_PAIR (thread, lock));
  if (*slot == OMEN_NONE) {
    *slot = (uint32_t)holds->holds.count;
    OMEN_VEC_PUSH (
        holds->holds,
        ((omen_hold){
            thread, lock, { 0, 0 }, OMEN_NONE, { OMEN_NONE, OMEN_NONE } }));
  }
  return *slot;
}

/* Does another thread hold the lock in a mode that excludes this one? */
static bool
is_busy (const omen_holds *holds, const omen_hold *hold, unsigned mode)
{
  const omen_lock_state *lock = &holds->locks[hold->lock];
  uint32_t writers
      = lock->holders[OMEN_LOCK_WRITE] - (hold->depth[OMEN_LOCK_WRITE] > 0);
  uint32_t readers
      = lock->holders[OMEN_LOCK_READ] - (hold->depth[OMEN_LOCK_READ] > 0);
  OMEN_ASSERT (writers <= lock->holders[OMEN_LOCK_WRITE]
               && readers <= lock->holders[OMEN_LOCK_READ]);
  return writers || (mode == OMEN_LOCK_WRITE && readers);
}

static void
look_acquire (const omen_holds *holds, const omen_hold *hold,
              omen_lock_step *step)
{
  if (hold->depth[step->mode]) {
    step->effect = OMEN_LOCK_NESTED;
  } else {
    step->effect = OMEN_LOCK_TAKE;
    step->busy = is_busy (holds, hold, step->mode);
  }
  step->odd = hold->depth[!step->mode] > 0;
}

static void
look_release (const omen_hold *hold, omen_lock_step *step)
{
  uint32_t depth = hold->depth[step->mode];
  step->effect = depth > 1    ? OMEN_LOCK_NESTED
                 : depth == 1 ? OMEN_LOCK_GIVE
                              : OMEN_LOCK_STRAY;
  step->odd = depth == 0;
}

static void
look_wake (const omen_holds *holds, const omen_hold *hold, omen_lock_step *step)
{
  if (hold->saved != 0 && !hold->depth[OMEN_LOCK_WRITE]) {
    step->effect = OMEN_LOCK_TAKE;
    step->busy = is_busy (holds, hold, OMEN_LOCK_WRITE);
  }
  step->odd = hold->saved == 0 || hold->depth[OMEN_LOCK_WRITE]
              || hold->depth[OMEN_LOCK_READ];
}

static omen_lid
lock_of (const omen_event *event)
{
  if (event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    return (omen_lid)event->value;
  return event->kind >= OMEN_ACQUIRE && event->kind <= OMEN_READ_RELEASE
             ? event->object
             : OMEN_NONE;
}

omen_lock_step
omen_holds_look (omen_holds *holds, const omen_event *event)
{
  omen_lock_step step = { lock_of (event), OMEN_LOCK_WRITE, OMEN_LOCK_NOTHING,
                          false,           false,           OMEN_NONE };
  const omen_hold *hold;
  if (step.lock == OMEN_NONE)
    return step;
  step.hold = hold_of (holds, event->thread, step.lock);
  hold = &holds->holds.data[step.hold];
  if (event->kind == OMEN_READ_ACQUIRE || event->kind == OMEN_READ_RELEASE)
    step.mode = OMEN_LOCK_READ;
  if (event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE)
    look_acquire (holds, hold, &step);
  else if (event->kind == OMEN_WAKE)
    look_wake (holds, hold, &step);
  else
    look_release (hold, &step);
  if (event->kind == OMEN_WAIT && step.effect == OMEN_LOCK_NESTED)
    step.effect = OMEN_LOCK_GIVE; /* whatever the depth */
  return step;
}

static void
change_depth (omen_holds *holds, const omen_event *event,
              const omen_lock_step *step)
{
  omen_hold *hold = &holds->holds.data[step->hold];
  uint32_t *depth = &hold->depth[step->mode];
  if (event->kind == OMEN_WAIT) {
    hold->saved = *depth;
    *depth = 0;
  } else if (event->kind == OMEN_WAKE) {
    if (step->effect == OMEN_LOCK_TAKE)
      *depth = hold->saved == OMEN_NONE ? 1 : hold->saved;
    hold->saved = OMEN_NONE;
  } else if (event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE) {
    ++*depth;
  } else if (step->effect != OMEN_LOCK_STRAY) {
    OMEN_ASSERT (*depth);
    --*depth;
  }
}

omen_lock_step
omen_holds_step (omen_holds *holds, const omen_event *event)
{
  omen_lock_step step = omen_holds_look (holds, event);
  if (step.lock == OMEN_NONE)
    return step;
  change_depth (holds, event, &step);
  if (step.effect == OMEN_LOCK_TAKE) {
    holds->locks[step.lock].holders[step.mode]++;
    holds->held[event->thread]++;
  } else if (step.effect == OMEN_LOCK_GIVE) {
    OMEN_ASSERT (holds->locks[step.lock].holders[step.mode]);
    holds->locks[step.lock].holders[step.mode]--;
    OMEN_ASSERT (holds->held[event->thread]);
    holds->held[event->thread]--;
  }
  return step;
}

omen_tid
omen_holds_other (const omen_holds *holds, omen_lid lock, omen_tid t)
{
  for (size_t i = 0; i < holds->holds.count; i++) {
    const omen_hold *hold = &holds->holds.data[i];
    if (hold->lock == lock && hold->thread != t
        && (hold->depth[OMEN_LOCK_WRITE] || hold->depth[OMEN_LOCK_READ]))
      return hold->thread;
  }
  return OMEN_NONE;
}
