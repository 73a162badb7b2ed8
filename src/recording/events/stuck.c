/* How threads ended: waiting forever, or holding a lock that no thread can
   release any more. */
#include "recording/events/events.h"

/* ---- stuck ---- */

/* As if the thread had logged it: where, and with which stack. */
static void
set_item (omen_emitter *emitter, const omen_file_stuck *stuck,
          omen_raw_note *part)
{
  *part = (omen_raw_note){ .b = stuck->pc };
  emitter->item = (omen_item){
    .kind = OMEN_ITEM_REQUEST, .notes = 2, .a = stuck->object, .parts = part
  };
  emitter->actor = omen_emit_actor (emitter, stuck->thread);
  emitter->location = omen_emit_pc_location (emitter, stuck->pc);
}

/* The last event of the actor, or OMEN_NONE. */
static omen_eid
last_of (omen_emitter *emitter)
{
  const omen_trace *trace = emitter->trace;
  omen_tid me = omen_emitter_me (emitter)->thread;
  for (size_t e = trace->events.count; e-- > 0;)
    if (trace->events.data[e].thread == me)
      return (omen_eid)e;
  return OMEN_NONE;
}

/* A wait at the futex word. The trace lacks the events that would wake it, so
   nothing is claimed about other runs. */
static omen_eid
sleep_at (omen_emitter *emitter, const omen_file_stuck *stuck)
{
  if (stuck->why & OMEN_STUCK_PENDING)
    return OMEN_NONE;
  omen_eid e = omen_emit_event (
      emitter, OMEN_WAIT,
      emitter->objects
          .data[omen_emit_object (emitter, OMEN_OPERAND_CONDITION,
                                  stuck->object)]
          .id);
  omen_emitter_last (emitter)->value = OMEN_NONE;
  if (OMEN_VEC_LAST (emitter->trace->items)) /* that of the hb before it */
    OMEN_VEC_LAST (emitter->trace->items)--;
  emitter->trace->flags |= OMEN_TRACE_HELPED;
  return e;
}

/* The event at which the thread waits, emitted if necessary; OMEN_NONE: it was
   emitted as another event. */
static omen_eid
find_event (omen_emitter *emitter, const omen_file_stuck *stuck)
{
  omen_eid last = last_of (emitter);
  omen_event *event
      = last == OMEN_NONE ? NULL : &emitter->trace->events.data[last];
  switch (stuck->why & ~(uint32_t)OMEN_STUCK_PENDING) {
  case OMEN_STUCK_LOCK:
    if (event && (event->kind == OMEN_REQUEST || event->kind == OMEN_WAIT))
      return last; /* a wait that is about to reacquire its lock */
    return omen_emit_event (
        emitter, OMEN_REQUEST,
        emitter->objects
            .data[omen_emit_object (emitter, OMEN_OPERAND_LOCK, stuck->object)]
            .id);
  case OMEN_STUCK_CONDITION:
    return event && event->kind == OMEN_WAIT ? last : OMEN_NONE;
  case OMEN_STUCK_BARRIER:
    return event && event->kind == OMEN_ARRIVE ? last : OMEN_NONE;
  case OMEN_STUCK_FUTEX:
    return sleep_at (emitter, stuck);
  case OMEN_STUCK_SEMAPHORE:
    return omen_emit_event (
        emitter, OMEN_SEM_REQUEST,
        emitter->objects
            .data[omen_emit_object (emitter, OMEN_OPERAND_SEMAPHORE,
                                    stuck->object)]
            .id);
  default:
    return omen_emit_event (
        emitter, OMEN_JOIN_REQUEST,
        emitter->actors.data[omen_emit_actor (emitter, (uint32_t)stuck->object)]
            .thread);
  }
}

static void
emit_waiting (omen_emitter *emitter, const omen_file_stuck *stuck)
{
  size_t first = emitter->trace->events.count;
  omen_raw_note part;
  set_item (emitter, stuck, &part);
  omen_eid e = find_event (emitter, stuck);
  if (first < emitter->trace->events.count) {
    omen_emit_frames (emitter, first);
    if (emitter->depending)
      omen_depending_events (emitter->depending, emitter->trace, emitter->actor,
                             0, first, emitter->trace->events.count);
  }
  if (e != OMEN_NONE && !(stuck->why & OMEN_STUCK_PENDING))
    emitter->trace->events.data[e].mode |= OMEN_MODE_STUCK;
}

/* Is it known what all threads wait for, and what they did before? */
static bool
is_whole (const omen_emitter *emitter)
{
  const omen_notes_file *file = emitter->file;
  for (size_t i = 0; i < file->stuck.count; i++) {
    const omen_file_stuck *stuck = &file->stuck.data[i];
    uint32_t why = stuck->why & ~(uint32_t)OMEN_STUCK_PENDING;
    if (why == OMEN_STUCK_NOT || why >= OMEN_STUCK_WHYS
        || omen_map_get (&emitter->actor_of, stuck->thread) == OMEN_NONE
        || (why == OMEN_STUCK_JOIN
            && omen_map_get (&emitter->actor_of, (uint32_t)stuck->object)
                   == OMEN_NONE))
      return false;
  }
  return !emitter->order->ended && !emitter->order->unused;
}

/* ---- locks left behind ---- */

/* The lock, or OMEN_NONE. */
static uint32_t
held_by (const omen_emitter *emitter, omen_tid thread)
{
  const omen_map *locks = &emitter->object_of[OMEN_OPERAND_LOCK];
  for (uint32_t i = 0; locks->entries && i <= locks->mask; i++) {
    uint32_t lock = locks->entries[i].value;
    uint32_t depth;
    if (locks->entries[i].key == OMEN_MAP_NO_KEY || lock == OMEN_NONE)
      continue;
    depth = omen_map_get (&emitter->held, OMEN_PAIR (lock, thread));
    if (emitter->objects.data[lock].writer == thread
        || (depth && depth != OMEN_NONE))
      return emitter->objects.data[lock].id;
  }
  return OMEN_NONE;
}

/* Where the thread took it. */
static uint32_t
taken_at (const omen_trace *trace, omen_tid thread, omen_lid lock)
{
  for (size_t e = trace->events.count; e-- > 0;) {
    const omen_event *event = &trace->events.data[e];
    if (event->thread == thread && event->object == lock
        && (event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE))
      return event->location;
  }
  return OMEN_NONE;
}

/* Threads that ended without being joined: the end is placed where the thread
   acquired the lock that it still holds. */
static void
emit_ended (omen_emitter *emitter)
{
  for (uint32_t i = 0; i < emitter->actors.count; i++) {
    const omen_actor *actor = &emitter->actors.data[i];
    if (!actor->ended || actor->joined)
      continue;
    omen_lid lock = held_by (emitter, actor->thread);
    uint32_t location = lock == OMEN_NONE
                            ? OMEN_NONE
                            : taken_at (emitter->trace, actor->thread, lock);
    emitter->actor = i;
    emitter->location
        = location == OMEN_NONE ? omen_emit_pc_location (emitter, 0) : location;
    size_t first = emitter->trace->events.count;
    omen_emit_event (emitter, OMEN_ENDED, OMEN_NONE);
    if (emitter->depending)
      omen_depending_events (emitter->depending, emitter->trace, i, 0, first,
                             first + 1);
  }
}

void
omen_emit_ends (omen_emitter *emitter)
{
  const omen_file_stuck *first = emitter->file->stuck.data;
  bool pending = emitter->file->stuck.count && first->why & OMEN_STUCK_PENDING;
  if (!emitter->file->stuck.count || pending) {
    if (!emitter->start && !emitter->order->ended)
      emit_ended (emitter);
    if (!pending)
      return;
  }
  if (!is_whole (emitter))
    return;
  for (size_t i = 0; i < emitter->file->stuck.count; i++)
    emit_waiting (emitter, &emitter->file->stuck.data[i]);
}
