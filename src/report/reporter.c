#include "report/reporter.h"

#include <stdlib.h>
#include <string.h>

omen_reporter *
omen_reporter_new (const omen_trace *trace)
{
  omen_reporter *reporter = omen_zalloc (1, sizeof *reporter);
  reporter->trace = trace;
  reporter->location = OMEN_NONE;
  return reporter;
}

void
omen_reporter_free (omen_reporter *reporter)
{
  if (!reporter)
    return;
  OMEN_VEC_FINI (reporter->schedule);
  OMEN_VEC_FINI (reporter->locks);
  OMEN_VEC_FINI (reporter->stack);
  OMEN_VEC_FINI (reporter->events);
  OMEN_VEC_FINI (reporter->objects);
  omen_free (reporter->allocations);
  omen_free (reporter);
}

static bool
is_claimed_access (const omen_claim *claim, omen_eid e)
{
  const omen_eid *c = claim->events.data; /* B e1 e2 B' e1' e2' */
  return e == c[1] || e == c[2] || e == c[4] || e == c[5];
}

void
omen_reporter_events (omen_reporter *reporter, const omen_finding *finding)
{
  const omen_claim *claim = &finding->witness.claim;
  const omen_ids *from = claim->kind == OMEN_CLAIM_ATOMICITY
                             ? &finding->witness.sequence
                             : &claim->events;
  OMEN_VEC_CLEAR (reporter->events);
  for (size_t i = 0; i < from->count; i++)
    if (claim->kind != OMEN_CLAIM_ATOMICITY
        || is_claimed_access (claim, from->data[i]))
      OMEN_VEC_PUSH (reporter->events, from->data[i]);
  if (finding->kind != OMEN_FINDING_NONDET)
    return;
  if (OMEN_VEC_LAST (reporter->events) == OMEN_NONE)
    reporter->events.count--; /* the initial write is no event */
  if (finding->writer != OMEN_NONE)
    OMEN_VEC_PUSH (reporter->events, finding->writer);
}

const char *
omen_reporter_variable (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  omen_operand operand = omen_kind_operand (event->kind);
  omen_pid place = event->object;
  if (operand != OMEN_OPERAND_PLACE && operand != OMEN_OPERAND_VARIABLE)
    return ""; /* an unverified witness may claim anything */
  OMEN_ASSERT (place < trace->places.count);
  return omen_trace_variable_name (trace, trace->places.data[place].variable);
}

const char *
omen_reporter_block (const omen_trace *trace, omen_eid open)
{
  const omen_event *event = omen_trace_event (trace, open);
  OMEN_REQUIRE (omen_reporter_opens (event->kind));
  return omen_names_text (&trace->names[omen_kind_operand (event->kind)],
                          event->object);
}

size_t
omen_reporter_blame (const omen_trace *trace, const omen_finding *finding,
                     omen_ids *listed)
{
  const omen_ids *all = &finding->blame;
  bool marked = false;
  for (size_t i = 0; i < all->count; i++) {
    bool is_mark = omen_trace_event (trace, all->data[i])->kind == OMEN_BEGIN;
    if (i < OMEN_FRAMES_MAX || (is_mark && !marked))
      OMEN_VEC_PUSH (*listed, all->data[i]);
    marked |= is_mark;
  }
  return all->count - listed->count + finding->blame_more;
}

void
omen_reporter_schedule (omen_reporter *reporter, const omen_ids *sequence)
{
  const omen_trace *trace = reporter->trace;
  OMEN_VEC_CLEAR (reporter->schedule);
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = sequence->data[i];
    omen_tid t = trace->events.data[e].thread;
    if (reporter->schedule.count
        && OMEN_VEC_LAST (reporter->schedule).thread == t)
      OMEN_VEC_LAST (reporter->schedule).end++;
    else
      OMEN_VEC_PUSH (
          reporter->schedule,
          ((omen_stretch){ t, trace->index[e], trace->index[e] + 1 }));
  }
  OMEN_ASSERT (reporter->schedule.count <= sequence->count);
}

static void
drop_lock (omen_ids *locks, omen_lid lock)
{
  for (size_t i = locks->count; i-- > 0;)
    if (locks->data[i] == lock) {
      memmove (locks->data + i, locks->data + i + 1,
               (locks->count - i - 1) * sizeof (uint32_t));
      locks->count--;
      return;
    }
}

/* The locks that the thread holds after its first `count` events, oldest
   first. */
static void
follow_locks (const omen_trace *trace, omen_tid t, uint32_t count,
              omen_ids *held)
{
  OMEN_REQUIRE (count <= trace->threads.data[t].count);
  OMEN_VEC_CLEAR (*held);
  for (uint32_t i = 0; i < count; i++) {
    const omen_event *event
        = omen_trace_event (trace, omen_trace_nth (trace, t, i));
    switch (event->kind) {
    case OMEN_ACQUIRE:
    case OMEN_READ_ACQUIRE:
      OMEN_VEC_PUSH (*held, event->object);
      break;
    case OMEN_RELEASE:
    case OMEN_READ_RELEASE:
      drop_lock (held, event->object);
      break;
    case OMEN_WAIT:
      drop_lock (held, (uint32_t)event->value);
      break;
    case OMEN_WAKE:
      if (event->value != OMEN_NONE)
        OMEN_VEC_PUSH (*held, (uint32_t)event->value);
      break;
    default:
      break;
    }
  }
}

void
omen_reporter_locks (omen_reporter *reporter, omen_eid e)
{
  const omen_trace *trace = reporter->trace;
  OMEN_REQUIRE (e < trace->events.count);
  const omen_event *event = &trace->events.data[e];
  bool waits = event->kind == OMEN_WAIT; /* then the lock is released */
  follow_locks (trace, event->thread, trace->index[e] + waits,
                &reporter->locks);
}

omen_lid
omen_reporter_wanted (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = omen_trace_event (trace, e);
  if (event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    return (uint32_t)event->value;
  return omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK ? event->object
                                                              : OMEN_NONE;
}

/* The most recently acquired lock that the thread still holds at its end. */
static omen_lid
held_at_end (const omen_trace *trace, omen_tid t)
{
  omen_ids held = { 0 };
  omen_lid last;
  follow_locks (trace, t, trace->threads.data[t].count, &held);
  last = held.count ? OMEN_VEC_LAST (held) : OMEN_NONE;
  OMEN_VEC_FINI (held);
  return last;
}

/* "SEGV" */
static const char *
signal_name (uint32_t number)
{
  const char *name = sigabbrev_np ((int)number);
  return name ? name : "?";
}

const char *
omen_reporter_subject (const omen_reporter *reporter,
                       const omen_finding *finding)
{
  const omen_trace *trace = reporter->trace;
  const omen_claim *claim = &finding->witness.claim;
  omen_eid e = claim->events.data[claim->kind == OMEN_CLAIM_ATOMICITY];
  const omen_event *event = omen_trace_event (trace, e);
  omen_operand operand = omen_kind_operand (event->kind);
  omen_lid lock = omen_reporter_wanted (trace, e);
  if (claim->about)
    return claim->about->property;
  if (finding->kind == OMEN_FINDING_FAILURE)
    return finding->ending ? finding->ending : signal_name (finding->signal);
  if (operand == OMEN_OPERAND_PLACE || operand == OMEN_OPERAND_VARIABLE)
    return omen_reporter_variable (trace, e);
  if (event->kind == OMEN_JOIN)
    lock = held_at_end (trace, event->object);
  if (event->kind == OMEN_ENDED)
    lock = held_at_end (trace, event->thread);
  if (lock == OMEN_NONE
      && (operand == OMEN_OPERAND_CONDITION || operand == OMEN_OPERAND_SEMAPHORE
          || operand == OMEN_OPERAND_BARRIER || operand == OMEN_OPERAND_THREAD))
    return omen_names_text (&trace->names[operand], event->object);
  return lock == OMEN_NONE
             ? ""
             : omen_names_text (&trace->names[OMEN_OPERAND_LOCK], lock);
}

size_t
omen_reporter_file (const char *location, unsigned long *line)
{
  const char *colon = strrchr (location, ':');
  char *end;
  *line = 0;
  if (!colon || colon[1] < '0' || colon[1] > '9')
    return strlen (location);
  *line = strtoul (colon + 1, &end, 10);
  if (*end) {
    *line = 0;
    return strlen (location);
  }
  return (size_t)(colon - location);
}

const char *
omen_reporter_entered (const omen_trace *trace, omen_eid e)
{
  omen_tid t = trace->events.data[e].thread;
  uint32_t depth = 0;
  for (uint32_t i = trace->index[e]; i-- > 0;) {
    const omen_event *event
        = omen_trace_event (trace, omen_trace_nth (trace, t, i));
    if (event->kind == OMEN_EXIT)
      depth++;
    else if (event->kind == OMEN_ENTER && depth-- == 0)
      return omen_names_text (&trace->names[OMEN_OPERAND_FUNCTION],
                              event->object);
  }
  return NULL;
}

/* Append the frames of a stack, innermost first. */
static void
push_stack (omen_reporter *reporter, uint32_t id)
{
  const omen_trace *trace = reporter->trace;
  for (; id != OMEN_NONE; id = trace->stacks.data[id].caller)
    OMEN_VEC_PUSH (reporter->stack, trace->stacks.data[id]);
}

void
omen_reporter_push_stack (omen_reporter *reporter, uint32_t stack)
{
  OMEN_VEC_CLEAR (reporter->stack);
  push_stack (reporter, stack);
}

static uint32_t
stack_of (const omen_trace *trace, omen_eid e)
{
  const omen_extra *extra = omen_trace_extra (trace, e);
  return extra ? extra->stack : OMEN_NONE;
}

/* Use the enter events around e; the stack of an enter is that of the call. */
static void
stack_by_enters (omen_reporter *reporter, omen_eid e)
{
  const omen_trace *trace = reporter->trace;
  omen_tid t = trace->events.data[e].thread;
  uint32_t location = trace->events.data[e].location, depth = 0;
  for (uint32_t i = trace->index[e]; i-- > 0;) {
    omen_eid before = omen_trace_nth (trace, t, i);
    const omen_event *event = omen_trace_event (trace, before);
    uint32_t from;
    if (event->kind == OMEN_EXIT)
      depth++;
    else if (event->kind == OMEN_ENTER && depth)
      depth--;
    else if (event->kind == OMEN_ENTER) {
      OMEN_VEC_PUSH (reporter->stack,
                     ((omen_frame){ event->object, location, OMEN_NONE }));
      location = OMEN_NONE;
      from = stack_of (trace, before);
      push_stack (reporter, from);
      if (from != OMEN_NONE)
        return;
    }
  }
}

void
omen_reporter_stack (omen_reporter *reporter, omen_eid e)
{
  OMEN_VEC_CLEAR (reporter->stack);
  push_stack (reporter, stack_of (reporter->trace, e));
  if (!reporter->stack.count)
    stack_by_enters (reporter, e);
}

const char *
omen_reporter_function (const omen_trace *trace, omen_eid e)
{
  uint32_t stack = stack_of (trace, e), function;
  if (stack == OMEN_NONE)
    return omen_reporter_entered (trace, e);
  function = trace->stacks.data[stack].function;
  return function == OMEN_NONE
             ? NULL
             : omen_names_text (&trace->names[OMEN_OPERAND_FUNCTION], function);
}
