#include "driver/replay/plan.h"
#include "witness/lifetime.h"
#include "witness/observe.h"

#include <inttypes.h>
#include <signal.h>

typedef struct planning {
  const omen_trace *trace;
  FILE *out;
  omen_tid thread; /* of the pending run line; OMEN_NONE: none */
  uint64_t until;
} planning;

static const char *
path_of_thread (const planning *p, omen_tid t)
{
  OMEN_REQUIRE (t < p->trace->threads.count);
  OMEN_ASSERT (p->trace->threads.data[t].path
               != OMEN_NONE); /* can_be_replayed */
  return omen_names_text (&p->trace->strings, p->trace->threads.data[t].path);
}

static void
close_run (planning *p)
{
  if (p->thread != OMEN_NONE)
    fprintf (p->out, "run %s %" PRIu64 "\n", path_of_thread (p, p->thread),
             p->until);
  p->thread = OMEN_NONE;
}

static void
run_until (planning *p, omen_tid t, uint64_t until)
{
  if (p->thread != t)
    close_run (p);
  else if (p->until > until)
    return;
  p->thread = t;
  p->until = until;
}

static omen_tid
thread_of (const planning *p, omen_eid e)
{
  return omen_trace_event (p->trace, e)->thread;
}

static unsigned
kind_of (const planning *p, omen_eid e)
{
  return omen_trace_event (p->trace, e)->kind;
}

/* Run the thread of e up to e, excluding e. */
static void
go_before (planning *p, omen_eid e)
{
  run_until (p, thread_of (p, e), p->trace->items.data[e]);
}

/* Does the event count as an item (omen_item_counts)? Requests do not: they
   belong to the acquire, and appear only if the lock is held. Neither do those
   of a thread that waits forever, or its end. Nor do allocations of the C
   library for itself, in which case the next event has the same number. */
static bool
is_counted (const planning *p, omen_eid e)
{
  const omen_event *event = omen_trace_event (p->trace, e);
  uint32_t next = p->trace->index[e] + 1;
  if (event->kind == OMEN_REQUEST || event->kind == OMEN_SEM_REQUEST
      || event->kind == OMEN_JOIN_REQUEST || event->kind == OMEN_ENDED)
    return false;
  if ((event->kind != OMEN_ALLOC && event->kind != OMEN_FREE)
      || next == p->trace->threads.data[event->thread].count)
    return true;
  return p->trace->items.data[omen_trace_nth (p->trace, event->thread, next)]
         > p->trace->items.data[e];
}

static void
go_past (planning *p, omen_eid e)
{
  const omen_event *event = omen_trace_event (p->trace, e);
  OMEN_ASSERT (e < p->trace->items.count);
  if (event->kind == OMEN_JOIN) { /* the rest of its end is no event */
    close_run (p);
    fprintf (p->out, "finish %s\n", path_of_thread (p, event->object));
  }
  if (event->kind == OMEN_FREE
      && omen_lifetime_ends_with_thread (p->trace, e)) {
    close_run (p);
    fprintf (p->out, "finish %s\n", path_of_thread (p, event->thread));
    return;
  }
  run_until (p, thread_of (p, e), p->trace->items.data[e] + is_counted (p, e));
}

/* Is it the read of an object with which an operation on it begins? Both are
   one item, done at the operation, which may have to wait. */
static bool
begins_operation (const planning *p, omen_eid e)
{
  const omen_event *event = omen_trace_event (p->trace, e);
  uint32_t next = p->trace->index[e] + 1;
  return event->kind == OMEN_ATOMIC_READ
         && next < p->trace->threads.data[event->thread].count
         && p->trace->items.data[omen_trace_nth (p->trace, event->thread, next)]
                == p->trace->items.data[e];
}

/* Does the event announce a wait on a futex that returned at once, as the word
   had changed (the read that follows)? The kernel compares the word at that
   read: if the thread continued from here, it would block. */
static bool
announces_no_sleep (const planning *p, omen_eid e)
{
  const omen_event *event = omen_trace_event (p->trace, e), *next = event;
  uint32_t count = p->trace->threads.data[event->thread].count;
  for (uint32_t i = p->trace->index[e] + 1;
       next->kind == OMEN_HAPPENS_BEFORE && i < count; i++)
    next = omen_trace_event (p->trace,
                             omen_trace_nth (p->trace, event->thread, i));
  return event->kind == OMEN_HAPPENS_BEFORE && next->kind == OMEN_ATOMIC_READ
         && next->location == event->location;
}

/* Let the threads end that have done all their events and are not in the claim.
 */
static void
finish_others (planning *p, const omen_witness *witness)
{
  const omen_ids *events = &witness->claim.events;
  uint32_t *left = omen_alloc ((p->trace->threads.count + 1) * sizeof *left);
  close_run (p);
  for (omen_tid t = 0; t < p->trace->threads.count; t++)
    left[t] = p->trace->threads.data[t].count;
  for (size_t i = 0; i < witness->sequence.count; i++)
    left[thread_of (p, witness->sequence.data[i])]--;
  for (size_t i = 0; i < events->count; i++)
    left[thread_of (p, events->data[i])] = OMEN_NONE;
  for (omen_tid t = 0; t < p->trace->threads.count; t++)
    if (!left[t])
      fprintf (p->out, "finish %s\n", path_of_thread (p, t));
  omen_free (left);
}

/* Is it a request that was not granted, after which the thread did nothing? */
static bool
waits_for_good (const planning *p, omen_eid e)
{
  return kind_of (p, e) == OMEN_REQUEST
         && p->trace->index[e] + 1
                == p->trace->threads.data[thread_of (p, e)].count;
}

static void
plan_claim (planning *p, const omen_witness *witness)
{
  const omen_claim *claim = &witness->claim;
  const omen_ids *events = &claim->events;
  bool stuck = claim->kind == OMEN_CLAIM_STUCK;
  if (stuck)
    finish_others (p, witness);
  if (stuck || claim->kind == OMEN_CLAIM_RACE
      || claim->kind == OMEN_CLAIM_DEADLOCK)
    for (size_t i = 0; i < events->count; i++)
      if (!stuck || !omen_kind_waits (kind_of (p, events->data[i])))
        go_before (p, events->data[i]);
  if (claim->kind == OMEN_CLAIM_LIFETIME) { /* at the use, then past it */
    go_before (p, events->data[1]);
    go_past (p, events->data[1]);
  }
  for (size_t i = 0; i < events->count; i++)
    if (claim->kind == OMEN_CLAIM_DEADLOCK || claim->kind == OMEN_CLAIM_STUCK
        || (claim->kind == OMEN_CLAIM_MISUSE
            && waits_for_good (p, events->data[i]))) {
      close_run (p);
      OMEN_ASSERT (p->thread == OMEN_NONE);
      fprintf (p->out, "block %s\n",
               path_of_thread (p, thread_of (p, events->data[i])));
    } else if (claim->kind == OMEN_CLAIM_RACE
               || claim->kind == OMEN_CLAIM_MISUSE)
      go_past (p, events->data[i]);
}

static bool
is_in_witness (const omen_witness *witness, omen_eid e)
{
  for (size_t i = 0; i < witness->sequence.count; i++)
    if (witness->sequence.data[i] == e)
      return true;
  return false;
}

/* In a program with monitors, a read is reported by an emit after it, from
   which the judge of the new run learns which event it was. So each thread
   continues until the events of the claim are reported. These emits and parts
   of the access wait for no other thread, and come after all that is judged. */
static void
plan_emits (planning *p, const omen_witness *witness,
            const omen_property *property)
{
  const omen_ids *events = &witness->claim.events;
  omen_observer *observer = omen_observer_new (p->trace, property);
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    uint32_t distance = omen_observer_emit_distance (observer, e);
    omen_eid last = omen_trace_nth (p->trace, thread_of (p, e),
                                    p->trace->index[e] + distance);
    if (distance && !is_in_witness (witness, last))
      go_past (p, last);
  }
  omen_observer_free (observer);
}

/* Signals that instructions raise, which recur by themselves. */
static bool
is_fault (uint32_t signal)
{
  return signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE
         || signal == SIGILL || signal == SIGTRAP || signal == SIGSYS;
}

/* Let signal handlers begin at the same items. */
static void
plan_interrupts (const planning *p)
{
  for (size_t i = 0; i < p->trace->interrupts.count; i++) {
    const omen_interrupt *interrupt = &p->trace->interrupts.data[i];
    if (!is_fault (interrupt->signal))
      fprintf (p->out, "signal %s %" PRIu64 " %u\n",
               path_of_thread (p, interrupt->thread), interrupt->item,
               interrupt->signal);
  }
}

static void
expire (const planning *p, omen_eid e, uint64_t item)
{
  fprintf (p->out, "expire %s %" PRIu64 "\n",
           path_of_thread (p, thread_of (p, e)), item);
}

/* Waits that ended without a notify do so again, though others may notify
   meanwhile. */
static void
plan_expiries (const planning *p, const omen_ids *events)
{
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    if (kind_of (p, e) == OMEN_WAKE
        && omen_trace_event (p->trace, e)->mode
               & (OMEN_MODE_TIMEOUT | OMEN_MODE_SPURIOUS))
      expire (p, e, p->trace->items.data[e]);
  }
}

static bool
can_be_named (const omen_trace *trace, omen_err *err)
{
  for (omen_tid t = 0; t < trace->threads.count; t++)
    if (trace->threads.data[t].path == OMEN_NONE)
      return omen_err_set (err, omen_names_text (&trace->strings, trace->path),
                           "a thread was made outside the program's view: it "
                           "cannot be named in a replay");
  return true;
}

static bool
can_be_replayed (const omen_trace *trace, const omen_witness *witness,
                 omen_err *err)
{
  const char *path = omen_names_text (&trace->strings, trace->path);
  if (trace->items.count != trace->events.count || !trace->items.count)
    return omen_err_set (err, path,
                         "is no recording of omen record: nothing to replay");
  if (trace->rebuilt.before)
    return omen_err_set (err, path,
                         "its beginning was overwritten (--ring), so the "
                         "schedule that leads to its first event is unknown: "
                         "nothing to replay");
  if (witness->claim.kind == OMEN_CLAIM_RACE_ORDER)
    return omen_err_set (err, path,
                         "a race by order needs weak memory, which a schedule "
                         "cannot force");
  return can_be_named (trace, err);
}

static void
plan_events (planning *p, const omen_ids *events)
{
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    if (kind_of (p, e) == OMEN_ENDED) /* the end of a thread is no item */
      continue;
    if (begins_operation (p, e) || announces_no_sleep (p, e))
      go_before (p, e);
    else
      go_past (p, e);
  }
}

bool
omen_plan_write_beginning (const omen_trace *trace, const omen_ids *events,
                           omen_eid last, unsigned more, bool early,
                           const char *end, FILE *out, omen_err *err)
{
  planning p = { trace, out, OMEN_NONE, 0 };
  if (!can_be_named (trace, err))
    return false;
  fprintf (out, "omen-plan 1\n");
  plan_interrupts (&p);
  plan_expiries (&p, events);
  if (early)
    expire (&p, last,
            trace->items.data[last] + (kind_of (&p, last) == OMEN_WAIT));
  plan_events (&p, events);
  if (last != OMEN_NONE)
    run_until (&p, thread_of (&p, last), trace->items.data[last] + more);
  close_run (&p);
  fprintf (out, "end %s\n", end);
  return !ferror (out) || omen_err_io (err, "", "cannot write the plan");
}

bool
omen_plan_write (const omen_trace *trace, const omen_witness *witness,
                 const omen_property *property, const char *process,
                 const char *end, uint64_t spin_limit, FILE *out, omen_err *err)
{
  planning p = { trace, out, OMEN_NONE, 0 };
  if (!can_be_replayed (trace, witness, err))
    return false;
  fprintf (out, "omen-plan 1\nprocess %s\n", process);
  if (spin_limit)
    fprintf (out, "spin-limit %" PRIu64 "\n", spin_limit);
  if (witness->claim.kind == OMEN_CLAIM_LIFETIME)
    fprintf (out, "keep\n"); /* freed blocks are not reused, so a late use is
                                recognised */
  plan_interrupts (&p);
  plan_expiries (&p, &witness->sequence);
  plan_events (&p, &witness->sequence);
  plan_claim (&p, witness);
  if (property)
    plan_emits (&p, witness, property);
  close_run (&p);
  fprintf (out, "end %s\n",
           witness->claim.kind == OMEN_CLAIM_DEADLOCK
                   || witness->claim.kind == OMEN_CLAIM_STUCK
               ? "exit"
               : end);
  return !ferror (out) || omen_err_io (err, "", "cannot write the plan");
}
