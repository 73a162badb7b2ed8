/* Well-formedness: locks, failed tries, and their misuse. */
#include "trace/wellformed_check.h"

/* A release, or wait, with a lock that the thread does not hold. In a partial
   trace it may have been acquired before the beginning. */
static bool
stray (omen_wellformed_check *check, omen_eid e, omen_lid lock)
{
  bool wait = check->trace->events.data[e].kind == OMEN_WAIT;
  bool known = wait && !(check->trace->flags & OMEN_TRACE_PARTIAL);
  if (!known && !omen_holds_any (&check->holds, lock))
    return omen_check_fail (check, e,
                            wait ? "wait with a lock that nobody holds"
                                 : "release of a lock that nobody holds");
  omen_check_misuse (check, e,
                     wait ? OMEN_WORD_WAIT_WITHOUT_LOCK : OMEN_WORD_NOT_HOLDER);
  return true;
}

/* acq, racq, rel, rrel; wait and wake with a lock. */
bool
omen_check_lock (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_lock_step step = omen_holds_look (&check->holds, event);
  if (step.busy) {
    omen_check_overlap *overlap = &check->overlaps[step.lock];
    check->overlapped = true;
    if (!overlap->count++) {
      overlap->event = e;
      overlap->holder = omen_holds_other (&check->holds, step.lock,
                                          check->trace->events.data[e].thread);
    }
  }
  if (step.effect == OMEN_LOCK_STRAY && !stray (check, e, step.lock))
    return false;
  if (step.odd)
    check->irregular[step.lock] = 1;
  if ((event->kind == OMEN_ACQUIRE
       && (step.odd || step.effect == OMEN_LOCK_NESTED))
      || (event->kind == OMEN_READ_ACQUIRE && step.odd))
    omen_check_misuse (check, e, OMEN_WORD_TAKEN_TWICE);
  omen_holds_step (&check->holds, event);
  return true;
}

bool
omen_check_try (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  if (event->kind == OMEN_TRY_FAIL
      && !omen_holds_any (&check->holds, event->object))
    return omen_check_fail (check, e, "failed try of a lock that nobody holds");
  if (event->kind == OMEN_READ_TRY_FAIL
      && !omen_holds_written (&check->holds, event->object))
    return omen_check_fail (check, e,
                            "failed try of a lock that no writer holds");
  return true;
}

/* A request of a lock that its own thread holds, as the last event of the
   thread: a self-deadlock. */
void
omen_check_request (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  uint32_t hold;
  if (event->mode & OMEN_MODE_STUCK /* a claim of its own */
      || check->trace->index[e] + 1
             != check->trace->threads.data[event->thread].count)
    return;
  hold = omen_map_get (&check->holds.map,
                       OMEN_PAIR (event->thread, event->object));
  if (hold != OMEN_NONE && check->holds.holds.data[hold].depth[OMEN_LOCK_WRITE])
    omen_check_misuse (check, e, OMEN_WORD_TAKEN_TWICE);
}
