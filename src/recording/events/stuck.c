/* How threads ended: waiting for good, or holding a lock that nobody can
   release any more. */
#include "recording/events/events.h"

/* ---- stuck ---- */

/* As if the thread had logged it: where, and with which stack. */
static void
set_item (omen_telling *telling, const omen_file_stuck *stuck,
          omen_raw_note *part)
{
  *part = (omen_raw_note){ .b = stuck->pc };
  telling->item = (omen_item){
    .kind = OMEN_ITEM_REQUEST, .notes = 2, .a = stuck->object, .parts = part
  };
  telling->actor = omen_tell_actor (telling, stuck->thread);
  telling->location = omen_tell_pc_location (telling, stuck->pc);
}

/* The last event of the actor, or OMEN_NONE. */
static omen_eid
last_of (omen_telling *telling)
{
  const omen_trace *trace = telling->trace;
  omen_tid me = omen_tell_me (telling)->thread;
  for (size_t e = trace->events.count; e-- > 0;)
    if (trace->events.data[e].thread == me)
      return (omen_eid)e;
  return OMEN_NONE;
}

/* A wait at the word. The trace does not have the events that would wake it, so
   nothing is claimed about other runs. */
static omen_eid
sleep_at (omen_telling *telling, const omen_file_stuck *stuck)
{
  if (stuck->why & OMEN_STUCK_PENDING)
    return OMEN_NONE;
  omen_eid e
      = omen_tell (telling, OMEN_WAIT,
                   telling->objects
                       .data[omen_tell_object (telling, OMEN_OPERAND_CONDITION,
                                               stuck->object)]
                       .id);
  omen_tell_last (telling)->value = OMEN_NONE;
  if (OMEN_VEC_LAST (telling->trace->items)) /* that of the hb before it */
    OMEN_VEC_LAST (telling->trace->items)--;
  telling->trace->flags |= OMEN_TRACE_HELPED;
  return e;
}

/* The event that the thread stands at, emitted if necessary; OMEN_NONE: it was
   emitted as another event. */
static omen_eid
find_event (omen_telling *telling, const omen_file_stuck *stuck)
{
  omen_eid last = last_of (telling);
  omen_event *event
      = last == OMEN_NONE ? NULL : &telling->trace->events.data[last];
  switch (stuck->why & ~(uint32_t)OMEN_STUCK_PENDING) {
  case OMEN_STUCK_LOCK:
    if (event && (event->kind == OMEN_REQUEST || event->kind == OMEN_WAIT))
      return last; /* a wait that wants its lock back */
    return omen_tell (
        telling, OMEN_REQUEST,
        telling->objects
            .data[omen_tell_object (telling, OMEN_OPERAND_LOCK, stuck->object)]
            .id);
  case OMEN_STUCK_CONDITION:
    return event && event->kind == OMEN_WAIT ? last : OMEN_NONE;
  case OMEN_STUCK_BARRIER:
    return event && event->kind == OMEN_ARRIVE ? last : OMEN_NONE;
  case OMEN_STUCK_FUTEX:
    return sleep_at (telling, stuck);
  case OMEN_STUCK_SEMAPHORE:
    return omen_tell (telling, OMEN_SEM_REQUEST,
                      telling->objects
                          .data[omen_tell_object (
                              telling, OMEN_OPERAND_SEMAPHORE, stuck->object)]
                          .id);
  default:
    return omen_tell (
        telling, OMEN_JOIN_REQUEST,
        telling->actors.data[omen_tell_actor (telling, (uint32_t)stuck->object)]
            .thread);
  }
}

static void
tell_waiting (omen_telling *telling, const omen_file_stuck *stuck)
{
  size_t first = telling->trace->events.count;
  omen_raw_note part;
  set_item (telling, stuck, &part);
  omen_eid e = find_event (telling, stuck);
  if (first < telling->trace->events.count) {
    omen_tell_frames (telling, first);
    if (telling->depending)
      omen_depending_told (telling->depending, telling->trace, telling->actor,
                           0, first, telling->trace->events.count);
  }
  if (e != OMEN_NONE && !(stuck->why & OMEN_STUCK_PENDING))
    telling->trace->events.data[e].mode |= OMEN_MODE_STUCK;
}

/* Is everything known that threads wait for and did before? */
static bool
is_whole (const omen_telling *telling)
{
  const omen_notes_file *file = telling->file;
  for (size_t i = 0; i < file->stuck.count; i++) {
    const omen_file_stuck *stuck = &file->stuck.data[i];
    uint32_t why = stuck->why & ~(uint32_t)OMEN_STUCK_PENDING;
    if (why == OMEN_STUCK_NOT || why >= OMEN_STUCK_WHYS
        || omen_map_get (&telling->actor_of, stuck->thread) == OMEN_NONE
        || (why == OMEN_STUCK_JOIN
            && omen_map_get (&telling->actor_of, (uint32_t)stuck->object)
                   == OMEN_NONE))
      return false;
  }
  return !telling->order->ended && !telling->order->unused;
}

/* ---- locks left behind ---- */

/* The lock, or OMEN_NONE. */
static uint32_t
held_by (const omen_telling *telling, omen_tid thread)
{
  const omen_map *locks = &telling->object_of[OMEN_OPERAND_LOCK];
  for (uint32_t i = 0; locks->entries && i <= locks->mask; i++) {
    uint32_t lock = locks->entries[i].value;
    uint32_t depth;
    if (locks->entries[i].key == OMEN_MAP_NO_KEY || lock == OMEN_NONE)
      continue;
    depth = omen_map_get (&telling->held, OMEN_PAIR (lock, thread));
    if (telling->objects.data[lock].writer == thread
        || (depth && depth != OMEN_NONE))
      return telling->objects.data[lock].id;
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

/* Threads that ended and that nobody joins: the end is placed where the thread
   acquired the lock that it left behind. */
static void
tell_ended (omen_telling *telling)
{
  for (uint32_t i = 0; i < telling->actors.count; i++) {
    const omen_actor *actor = &telling->actors.data[i];
    if (!actor->ended || actor->joined)
      continue;
    omen_lid lock = held_by (telling, actor->thread);
    uint32_t location = lock == OMEN_NONE
                            ? OMEN_NONE
                            : taken_at (telling->trace, actor->thread, lock);
    telling->actor = i;
    telling->location
        = location == OMEN_NONE ? omen_tell_pc_location (telling, 0) : location;
    size_t first = telling->trace->events.count;
    omen_tell (telling, OMEN_ENDED, OMEN_NONE);
    if (telling->depending)
      omen_depending_told (telling->depending, telling->trace, i, 0, first,
                           first + 1);
  }
}

void
omen_tell_ends (omen_telling *telling)
{
  const omen_file_stuck *first = telling->file->stuck.data;
  bool pending = telling->file->stuck.count && first->why & OMEN_STUCK_PENDING;
  if (!telling->file->stuck.count || pending) {
    if (!telling->start && !telling->order->ended)
      tell_ended (telling);
    if (!pending)
      return;
  }
  if (!is_whole (telling))
    return;
  for (size_t i = 0; i < telling->file->stuck.count; i++)
    tell_waiting (telling, &telling->file->stuck.data[i]);
}
