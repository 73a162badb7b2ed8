/* Well-formedness: threads, blocks, and the walk that calls all checks. */
#include "trace/wellformed_check.h"
#include "trace/text.h"

#include <stdio.h>

/* ---- messages ---- */

const char *
omen_check_describe (const omen_trace *trace, omen_eid e,
                     char buffer[OMEN_CHECK_EVENT_MAX])
{
  char name[OMEN_EVENT_NAME_MAX], operation[160];
  const char *location = omen_trace_location (trace, e);
  omen_text_operation (trace, e, operation, sizeof operation);
  snprintf (buffer, OMEN_CHECK_EVENT_MAX, "event %u (%.80s %s%s%.100s)", e,
            omen_trace_event_name (trace, e, name), operation,
            *location ? " at " : "", location);
  return buffer;
}

bool
omen_check_fail (omen_wellformed_check *check, omen_eid e, const char *format,
                 ...)
{
  char event[OMEN_CHECK_EVENT_MAX], what[512];
  va_list args;
  va_start (args, format);
  vsnprintf (what, sizeof what, format, args);
  va_end (args);
  check->failed = e;
  return omen_err_set (
      &check->why, omen_names_text (&check->trace->strings, check->trace->path),
      "%s: %s", omen_check_describe (check->trace, e, event), what);
}

void
omen_check_misuse (omen_wellformed_check *check, omen_eid e, unsigned word)
{
  OMEN_VEC_PUSH (check->misuses, ((omen_misused){ e, word }));
}

/* ---- threads ---- */

static const char *
thread_name (const omen_wellformed_check *check, omen_tid t)
{
  return omen_trace_thread_name (check->trace, t);
}

/* Checks whether the state of its thread allows e: forked, not joined, not
   stuck, and if it waits, e is a valid return. */
static bool
check_thread (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_tid t = event->thread;
  unsigned flags = check->threads[t].flags;
  if (flags & OMEN_THREAD_UNBORN && event->kind == OMEN_FORK
      && event->object == t)
    return omen_check_fail (check, e, "a thread that forks itself");
  if (flags & OMEN_THREAD_UNBORN)
    return omen_check_fail (check, e, "event of %.80s before its fork",
                            thread_name (check, t));
  if (flags & OMEN_THREAD_JOINED)
    return omen_check_fail (check, e, "event of %.80s after its join",
                            thread_name (check, t));
  if (flags & OMEN_THREAD_STUCK)
    return omen_check_fail (check, e, "event of %.80s, which is stuck",
                            thread_name (check, t));
  return omen_check_return (check, e);
}

static bool
check_fork (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_check_thread *child = &check->threads[event->object];
  if (event->object == event->thread)
    return omen_check_fail (check, e, "a thread that forks itself");
  if (child->flags & OMEN_THREAD_FORKED)
    return omen_check_fail (check, e, "%.80s is forked twice",
                            thread_name (check, event->object));
  child->flags |= OMEN_THREAD_FORKED;
  child->flags &= (uint8_t)~OMEN_THREAD_UNBORN;
  return true;
}

static bool
check_join (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  omen_check_thread *child = &check->threads[event->object];
  if (event->object == event->thread)
    return omen_check_fail (check, e, "a thread that joins itself");
  if (child->flags & OMEN_THREAD_UNBORN)
    return omen_check_fail (check, e, "join of %.80s before its fork",
                            thread_name (check, event->object));
  child->flags |= OMEN_THREAD_JOINED;
  if (check->holds.held[event->object])
    omen_check_misuse (check, e, OMEN_WORD_HELD_AT_EXIT);
  return true;
}

/* ---- blocks ---- */

/* The counter of open blocks of this label (begin, end) or function (enter,
   exit). */
static uint32_t *
open_blocks (omen_wellformed_check *check, const omen_event *event)
{
  omen_check_thread *thread = &check->threads[event->thread];
  const omen_names *names = check->trace->names;
  uint32_t labels = names[OMEN_OPERAND_BLOCK].count;
  uint32_t functions = names[OMEN_OPERAND_FUNCTION].count;
  if (!thread->open)
    thread->open
        = omen_zalloc ((size_t)labels + functions, sizeof *thread->open);
  return event->kind == OMEN_BEGIN || event->kind == OMEN_END
             ? &thread->open[event->object]
             : &thread->open[labels + event->object];
}

static bool
check_close (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  uint32_t *open = open_blocks (check, event);
  if (*open)
    --*open;
  else if (!(check->trace->flags & OMEN_TRACE_PARTIAL))
    return omen_check_fail (check, e,
                            event->kind == OMEN_END ? "end without begin"
                                                    : "exit without enter");
  return true;
}

/* ---- accesses ---- */

static bool
check_order (omen_wellformed_check *check, omen_eid e, bool allowed)
{
  const omen_event *event = &check->trace->events.data[e];
  if (!allowed)
    return omen_check_fail (check, e, "%s cannot have the memory order %s",
                            event->kind == OMEN_ATOMIC_READ ? "an atomic read"
                                                            : "an atomic write",
                            omen_order_text (event->order));
  return true;
}

static bool
check_atomic (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  const omen_rmw *rmw;
  switch (event->kind) {
  case OMEN_ATOMIC_READ:
    return check_order (check, e,
                        event->order != OMEN_ORDER_RELEASE
                            && event->order != OMEN_ORDER_ACQ_REL)
           && omen_check_read (check, e, event->value_kind, event->value);
  case OMEN_ATOMIC_WRITE:
    omen_check_write (check, e, event->value_kind, event->value);
    return check_order (check, e,
                        event->order != OMEN_ORDER_ACQUIRE
                            && event->order != OMEN_ORDER_ACQ_REL);
  default:
    rmw = &check->trace->rmws.data[event->value];
    if (!omen_check_read (check, e, rmw->value_kind[0], rmw->value[0]))
      return false;
    omen_check_write (check, e, rmw->value_kind[1], rmw->value[1]);
    return true;
  }
}

/* ---- the walk ---- */

/* All kinds that omen_check_event does not handle itself. */
static bool
check_rare (omen_wellformed_check *check, omen_eid e, const omen_event *event)
{
  if (event->mode & OMEN_MODE_STUCK)
    check->threads[event->thread].flags |= OMEN_THREAD_STUCK;
  switch (event->kind) {
  case OMEN_TRY_FAIL:
  case OMEN_READ_TRY_FAIL:
    return omen_check_try (check, e);
  case OMEN_REQUEST:
    omen_check_request (check, e);
    return true;
  case OMEN_FORK:
    return check_fork (check, e);
  case OMEN_JOIN:
    return check_join (check, e);
  case OMEN_WAIT:
    return omen_check_wait (check, e);
  case OMEN_NOTIFY:
  case OMEN_NOTIFY_ALL:
    omen_check_notify (check, e);
    return true;
  case OMEN_SEM_INIT:
  case OMEN_SEM_UP:
  case OMEN_SEM_DOWN:
  case OMEN_SEM_FAIL:
    return omen_check_semaphore_step (check, e);
  case OMEN_ARRIVE:
    return omen_check_arrive (check, e);
  case OMEN_DEPART:
    return omen_check_depart (check, e);
  case OMEN_BEGIN:
  case OMEN_ENTER:
    ++*open_blocks (check, event);
    return true;
  case OMEN_END:
  case OMEN_EXIT:
    return check_close (check, e);
  case OMEN_ENDED:
    if (check->holds.held[event->thread])
      omen_check_misuse (check, e, OMEN_WORD_HELD_AT_EXIT);
    return true;
  case OMEN_ALLOC:
    return omen_check_alloc (check, e);
  case OMEN_DESTROY:
    if (omen_holds_any (&check->holds, event->object))
      omen_check_misuse (check, e, OMEN_WORD_DESTROYED_HELD);
    return true;
  case OMEN_FREE:
  case OMEN_EXTERNAL:
    omen_check_write (check, e, OMEN_VALUE_NONE, 0);
    return true;
  default: /* lockfail, fence, hb, ha, branch, emit, semreq, joinreq */
    return true;
  }
}

bool
omen_check_event (omen_wellformed_check *check, omen_eid e)
{
  const omen_event *event = &check->trace->events.data[e];
  unsigned flags = check->threads[event->thread].flags;
  bool waited = flags & OMEN_THREAD_WAITING;
  if (OMEN_UNLIKELY (flags & ~(unsigned)OMEN_THREAD_FORKED)
      && !check_thread (check, e))
    return false;
  if (OMEN_UNLIKELY (event->mode & OMEN_MODE_EXTRA)
      && !omen_check_depends (check, e))
    return false;
  switch (event->kind) {
  case OMEN_READ:
    return omen_check_read (check, e, event->value_kind, event->value);
  case OMEN_WRITE:
    omen_check_write (check, e, event->value_kind, event->value);
    return true;
  case OMEN_ATOMIC_READ:
  case OMEN_ATOMIC_WRITE:
  case OMEN_ATOMIC_RMW:
    return check_atomic (check, e);
  case OMEN_ACQUIRE:
  case OMEN_RELEASE:
  case OMEN_READ_ACQUIRE:
  case OMEN_READ_RELEASE:
    return omen_check_lock (check, e);
  case OMEN_WAKE:
    if (!waited)
      return omen_check_fail (check, e, "wake without a wait");
    return event->value == OMEN_NONE || omen_check_lock (check, e);
  default:
    return check_rare (check, e, event);
  }
}

bool
omen_check_run (omen_wellformed_check *check)
{
  size_t count = check->trace->events.count;
  for (size_t i = 0; i < count; i++)
    if (!omen_check_event (check, check->order ? check->order[i] : (omen_eid)i))
      return false;
  return true;
}
