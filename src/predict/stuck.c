#include "predict/stuck.h"
#include "predict/standstill.h"
#include "trace/holds.h"

/* The count of a semaphore. Its initial count, before the first seminit, is the
   least one that all downs need: -lowest. */
typedef struct level {
  int64_t count, lowest;
  bool known;
} level;

/* The state after all events. */
typedef struct leftover {
  const omen_model *model;
  omen_ids events; /* those with the flag `stuck` */
  omen_holds holds;
  uint8_t *taken;    /* by lock: its last operation acquired it */
  level *levels;     /* by semaphore */
  uint32_t *missing; /* by barrier: arrivals missing in its round; 0: none */
  omen_ids *asleep;  /* by condition: waits that are blocked */
  uint8_t *woken;    /* by thread: notified, but never returned */
} leftover;

static bool
is_stuck (const omen_event *event)
{
  return event->mode & OMEN_MODE_STUCK;
}

bool
omen_stuck_all (const omen_model *model, const omen_eid *events, uint32_t count)
{
  for (uint32_t i = 0; i < count; i++)
    if (!is_stuck (omen_model_event (model, events[i])))
      return false;
  return true;
}

/* ---- the walk ---- */

static void
follow_lock (leftover *l, const omen_event *event)
{
  omen_lock_step step = omen_holds_step (&l->holds, event);
  bool takes = event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE
               || event->kind == OMEN_WAKE;
  bool gives = event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE
               || event->kind == OMEN_WAIT;
  if (step.lock != OMEN_NONE && (takes || gives))
    l->taken[step.lock] = takes;
}

/* The position at which the thread of this wait continues, or OMEN_NONE. */
static uint32_t
goes_on_at (const leftover *l, omen_eid wait)
{
  omen_eid next = omen_model_next (l->model, wait);
  return next == OMEN_NONE ? OMEN_NONE : omen_model_position (l->model, next);
}

static void
rouse (leftover *l, omen_ids *asleep, size_t i)
{
  omen_eid wait = asleep->data[i];
  if (is_stuck (omen_model_event (l->model, wait)))
    l->woken[omen_model_thread (l->model, wait)] = 1;
  asleep->data[i] = asleep->data[--asleep->count];
}

/* Remove waits whose threads continued before `now`. */
static void
drop_gone (leftover *l, omen_ids *asleep, uint32_t now)
{
  for (size_t i = asleep->count; i-- > 0;)
    if (goes_on_at (l, asleep->data[i]) < now)
      asleep->data[i] = asleep->data[--asleep->count];
}

static void
follow_condition (leftover *l, omen_eid e, uint32_t now)
{
  const omen_event *event = omen_model_event (l->model, e);
  omen_ids *asleep = &l->asleep[event->object];
  size_t first = 0;
  drop_gone (l, asleep, now);
  if (event->kind == OMEN_WAIT)
    OMEN_VEC_PUSH (*asleep, e);
  else if (event->kind == OMEN_NOTIFY_ALL)
    while (asleep->count)
      rouse (l, asleep, asleep->count - 1);
  else if (event->kind == OMEN_NOTIFY && asleep->count) {
    for (size_t i = 1; i < asleep->count; i++)
      if (goes_on_at (l, asleep->data[i]) < goes_on_at (l, asleep->data[first]))
        first = i;
    /* it may be any of those that never return */
    if (goes_on_at (l, asleep->data[first]) == OMEN_NONE)
      for (size_t i = 0; i < asleep->count; i++)
        l->woken[omen_model_thread (l->model, asleep->data[i])] = 1;
    rouse (l, asleep, first);
  }
}

static void
follow_semaphore (level *semaphore, unsigned kind)
{
  semaphore->count += kind == OMEN_SEM_UP ? 1 : -1;
  if (!semaphore->known && semaphore->count < semaphore->lowest)
    semaphore->lowest = semaphore->count;
}

static void
follow_event (leftover *l, omen_eid e, uint32_t now)
{
  const omen_event *event = omen_model_event (l->model, e);
  follow_lock (l, event);
  if (is_stuck (event))
    OMEN_VEC_PUSH (l->events, e);
  switch (event->kind) {
  case OMEN_WAIT:
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
    follow_condition (l, e, now);
    break;
  case OMEN_SEM_INIT:
    l->levels[event->object]
        = (level){ (int64_t)event->value, 0, .known = true };
    break;
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
    follow_semaphore (&l->levels[event->object], event->kind);
    break;
  case OMEN_ARRIVE:
    if (!l->missing[event->object])
      l->missing[event->object] = (uint32_t)event->value;
    l->missing[event->object]--;
    break;
  default:
    break;
  }
}

/* ---- what it comes to ---- */

static bool
is_held (const leftover *l, omen_lid lock)
{
  return l->model->irregular[lock] ? l->taken[lock]
                                   : omen_holds_any (&l->holds, lock);
}

static bool
waits_for_good (const leftover *l, omen_eid e)
{
  const omen_event *event = omen_model_event (l->model, e);
  const omen_thread *threads = l->model->trace->threads.data;
  if (omen_model_next (l->model, e) != OMEN_NONE)
    return false;
  switch (event->kind) {
  case OMEN_REQUEST:
    return is_held (l, event->object);
  case OMEN_WAIT:
    return !l->woken[event->thread]
           || (event->value != OMEN_NONE
               && is_held (l, (omen_lid)event->value));
  case OMEN_ARRIVE:
    return l->missing[event->object];
  case OMEN_SEM_REQUEST:
    return l->levels[event->object].count == l->levels[event->object].lowest;
  default: { /* joinreq */
    uint32_t count = threads[event->object].count;
    return count
           && is_stuck (omen_model_event (
               l->model,
               omen_trace_nth (l->model->trace, event->object, count - 1)));
  }
  }
}

static void
begin_leftovers (leftover *l, const omen_model *model)
{
  const omen_trace *trace = model->trace;
  const omen_names *names = trace->names;
  size_t conditions = names[OMEN_OPERAND_CONDITION].count;
  *l = (leftover){ .model = model };
  omen_holds_init (&l->holds, trace);
  l->taken = omen_zalloc (names[OMEN_OPERAND_LOCK].count + 1, 1);
  l->levels = omen_zalloc (names[OMEN_OPERAND_SEMAPHORE].count + 1,
                           sizeof *l->levels);
  l->missing
      = omen_zalloc (names[OMEN_OPERAND_BARRIER].count + 1, sizeof *l->missing);
  l->asleep = omen_zalloc (conditions + 1, sizeof *l->asleep);
  l->woken = omen_zalloc (trace->threads.count + 1, 1);
}

static void
end_leftovers (leftover *l)
{
  size_t conditions = l->model->trace->names[OMEN_OPERAND_CONDITION].count;
  for (size_t c = 0; c < conditions; c++)
    OMEN_VEC_FINI (l->asleep[c]);
  omen_holds_fini (&l->holds);
  omen_free (l->taken);
  omen_free (l->levels);
  omen_free (l->missing);
  omen_free (l->asleep);
  omen_free (l->woken);
  OMEN_VEC_FINI (l->events);
}

bool
omen_predict_stuck (const omen_model *model,
                    const omen_predict_options *options, const omen_sink *sink,
                    omen_predict_stats *stats, omen_map *seen)
{
  omen_ids sequence = { 0 };
  omen_finding finding;
  leftover l;
  bool agrees = true, go_on = true;
  if (!omen_trace_is_stuck (model->trace))
    return true;
  stats->candidates++;
  begin_leftovers (&l, model);
  for (uint32_t i = 0; i < model->event_count; i++) {
    omen_eid e = omen_model_nth (model, i);
    OMEN_VEC_PUSH (sequence, e);
    follow_event (&l, e, i);
  }
  for (size_t i = 0; agrees && i < l.events.count; i++)
    agrees = waits_for_good (&l, l.events.data[i]);
  if (agrees) {
    omen_predict_finding (model, options, OMEN_FINDING_DEADLOCK,
                          OMEN_CLAIM_STUCK, l.events.data,
                          (uint32_t)l.events.count, &sequence, &finding);
    finding.seen = true;
    for (unsigned core = 0; core < 2; core++)
      *omen_map_at (seen, omen_standstill_key (model, l.events.data,
                                               (uint32_t)l.events.count, core))
          = 1;
    go_on = sink->found (sink->context, &finding);
  }
  OMEN_VEC_FINI (sequence);
  end_leftovers (&l);
  return go_on;
}
