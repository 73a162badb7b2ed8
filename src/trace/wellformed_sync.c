/* Well-formedness: condition waits, semaphores, barriers. */
#include "trace/wellformed_check.h"

/* ---- conditions ---- */

bool
omen_check_wait (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_check_thread *thread = &check->threads[event->thread];
  const omen_check_condition *condition = &check->conditions[event->object];
  if (event->value != OMEN_NONE && !omen_check_lock (check, e))
    return false;
  thread->flags |= OMEN_THREAD_WAITING;
  thread->wait = e;
  thread->notifies = (uint32_t)condition->next.count;
  thread->alls = condition->alls;
  return true;
}

void
omen_check_notify (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_check_condition *condition = &check->conditions[event->object];
  uint32_t count = (uint32_t)condition->next.count;
  if (event->kind == OMEN_NOTIFY_ALL)
    condition->alls++;
  else
    OMEN_VEC_PUSH (condition->next, count);
}

/* Use up the earliest free notify after the wait. Returns are processed in
   order, so a later one that could use it could as well use any later
   notify. */
static bool
take_notify (omen_wellformed_check *check, const omen_check_thread *thread)
{
  const omen_event *wait = &check->trace->events.data[thread->wait];
  omen_check_condition *condition = &check->conditions[wait->object];
  uint32_t i;
  if (condition->alls > thread->alls)
    return true;
  i = omen_first_free (&condition->next, thread->notifies);
  if (i >= condition->next.count)
    return false;
  OMEN_ASSERT (condition->next.data[i] == i);
  condition->next.data[i] = i + 1;
  return true;
}

static bool
check_return (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_check_thread *thread = &check->threads[event->thread];
  const omen_event *wait = &check->trace->events.data[thread->wait];
  bool wake = event->kind == OMEN_WAKE, locked = wait->value != OMEN_NONE;
  OMEN_ASSERT (wait->kind == OMEN_WAIT && wait->thread == event->thread);
  thread->flags &= (uint8_t)~OMEN_THREAD_WAITING;
  if (locked && !wake)
    return omen_check_fail (check, e,
                            "another event between a wait and its wake");
  if (wake
      && (event->object != wait->object
          || (locked && event->value != wait->value)))
    return omen_check_fail (check, e, "wake does not match the wait before it");
  if (wake && event->mode & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS))
    return true;
  if (!take_notify (check, thread))
    return omen_check_fail (check, e,
                            "return from a wait that no notify explains");
  return true;
}

/* The event after a wait. */
bool
omen_check_return (omen_wellformed_check *check, omen_eid e)
{
  check->unreturned = !check_return (check, e);
  return !check->unreturned;
}

/* ---- semaphores ---- */

/* The least initial count that keeps each semaphore from becoming negative
   before its first seminit. */
void
omen_check_count_semaphores (omen_wellformed_check *check)
{
  const omen_trace *trace = check->trace;
  uint32_t count = trace->names[OMEN_OPERAND_SEMAPHORE].count;
  bool *set = omen_zalloc (count, sizeof *set);
  for (size_t i = 0; count && i < trace->events.count; i++) {
    omen_eid e = check->order ? check->order[i] : (omen_eid)i;
    const omen_event *event = &trace->events.data[e];
    omen_check_semaphore *s;
    if (event->kind < OMEN_SEM_INIT || event->kind > OMEN_SEM_FAIL
        || set[event->object])
      continue;
    s = &check->semaphores[event->object];
    if (event->kind == OMEN_SEM_INIT)
      set[event->object] = true;
    else if (event->kind == OMEN_SEM_UP)
      s->count++;
    else if (event->kind == OMEN_SEM_DOWN && !s->count)
      s->start++;
    else if (event->kind == OMEN_SEM_DOWN)
      s->count--;
  }
  for (uint32_t s = 0; s < count; s++)
    check->semaphores[s].count = check->semaphores[s].start;
  omen_free (set);
}

bool
omen_check_semaphore_step (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  uint64_t *count = &check->semaphores[event->object].count;
  switch (event->kind) {
  case OMEN_SEM_INIT:
    *count = event->value;
    return true;
  case OMEN_SEM_UP:
    ++*count;
    return true;
  case OMEN_SEM_DOWN:
    if (!*count)
      return omen_check_fail (check, e, "down when the count is 0");
    --*count;
    return true;
  default:
    if (*count)
      return omen_check_fail (check, e, "failed down when the count is %llu",
                              (unsigned long long)*count);
    return true;
  }
}

/* ---- barriers ---- */

bool
omen_check_arrive (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_check_barrier *barrier = &check->barriers[event->object];
  if (!barrier->arrived)
    barrier->size = event->value;
  if (!event->value)
    return omen_check_fail (check, e, "a barrier of 0 threads");
  if (event->value != barrier->size)
    return omen_check_fail (
        check, e, "a barrier of %llu threads in a round of %llu",
        (unsigned long long)event->value, (unsigned long long)barrier->size);
  *omen_map_at (&check->arrived, OMEN_PAIR (event->thread, event->object))
      = barrier->round;
  OMEN_ASSERT (barrier->arrived < barrier->size);
  if (++barrier->arrived == barrier->size) {
    barrier->round++;
    barrier->arrived = 0;
  }
  return true;
}

bool
omen_check_depart (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  const omen_check_barrier *barrier = &check->barriers[event->object];
  uint32_t round = omen_map_get (&check->arrived,
                                 OMEN_PAIR (event->thread, event->object));
  if (round == OMEN_NONE)
    return omen_check_fail (check, e, "depart without arrive");
  if (round == barrier->round)
    return omen_check_fail (check, e,
                            "depart when %llu of %llu threads have arrived",
                            (unsigned long long)barrier->arrived,
                            (unsigned long long)barrier->size);
  return true;
}
