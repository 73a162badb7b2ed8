/* Passes over the trace with the checks of well-formedness, until none fails.
   An offence that concerns one event alone is repaired within the pass. One
   that concerns threads or waits ends the pass, because what follows is judged
   differently after the repair. */
#include "trace/repair_edits.h"
#include "trace/text.h"
#include "trace/wellformed_check.h"

#include <stdio.h>
#include <string.h>

/* Each pass repairs something. A trace that needs more passes than this is far
   from any execution. */
enum { PASSES_MAX = 2000 };

void
omen_repairs_fini (omen_repairs *repairs)
{
  OMEN_VEC_FINI (repairs->list);
}

/* ---- counts of repairs ---- */

static void
count_repair (omen_repairing *r, omen_repair_kind kind, omen_eid e,
              const char *why)
{
  omen_repair added = { .kind = kind, .count = 1 };
  r->edited = true;
  r->done->counts[kind]++;
  snprintf (added.why, sizeof added.why, "%s", why);
  for (size_t i = 0; i < r->done->list.count; i++)
    if (r->done->list.data[i].kind == kind
        && !strcmp (r->done->list.data[i].why, added.why)) {
      r->done->list.data[i].count++;
      return;
    }
  const omen_event *event = &r->trace->events.data[e];
  const char *location = omen_trace_location (r->trace, e);
  char operation[160];
  omen_text_operation (r->trace, e, operation, sizeof operation);
  snprintf (added.first, (sizeof added.first), "event %u (%.80s %s%s%.100s)",
            r->origin.data[e], omen_trace_thread_name (r->trace, event->thread),
            operation, *location ? " at " : "", location);
  OMEN_VEC_PUSH (r->done->list, added);
}

/* ---- edits ---- */

static void
drop_event (omen_repairing *r, omen_eid e, const char *why)
{
  if (r->drop[e])
    return;
  r->drop[e] = 1;
  count_repair (r, OMEN_REPAIR_DROPPED, e, why);
}

/* Each event is moved at most once: with threads that fork each other the
   passes would never end. */
static bool
may_move (const omen_repairing *r, omen_eid e)
{
  return !r->was_moved[r->origin.data[e]];
}

static void
repair_move (omen_repairing *r, omen_eid e, omen_eid before, const char *why)
{
  OMEN_ASSERT (r->moved == OMEN_NONE && e != before);
  r->was_moved[r->origin.data[e]] = 1;
  r->moved = e;
  r->before = before;
  count_repair (r, OMEN_REPAIR_MOVED, e, why);
}

static void
rename_from (omen_repairing *r, omen_tid thread, omen_eid from, const char *why)
{
  OMEN_ASSERT (r->renamed == OMEN_NONE);
  r->renamed = thread;
  r->from = from;
  count_repair (r, OMEN_REPAIR_RENAMED, from, why);
}

static void
forget_dependences (omen_repairing *r, omen_eid e, const char *why)
{
  if (r->forget || !(r->trace->flags & OMEN_TRACE_DEPENDENCES))
    return;
  r->forget = true;
  count_repair (r, OMEN_REPAIR_CHANGED, e, why);
}

/* ---- threads ---- */

/* Does the thread have an event in [from, to)? */
static bool
acts_between (const omen_repairing *r, omen_tid t, omen_eid from, omen_eid to)
{
  for (omen_eid e = from; e < to; e++)
    if (r->trace->events.data[e].thread == t)
      return true;
  return false;
}

static uint32_t
count_between (const omen_repairing *r, omen_tid t, omen_eid from, omen_eid to)
{
  uint32_t count = 0;
  for (omen_eid e = from; e < to; e++)
    count += r->trace->events.data[e].thread == t;
  return count;
}

/* The last event of this kind in [0, to) that has the thread as its operand. */
static omen_eid
last_about (const omen_repairing *r, omen_kind kind, omen_tid t, omen_eid to)
{
  while (to-- > 0)
    if (r->trace->events.data[to].kind == kind
        && r->trace->events.data[to].object == t)
      return to;
  return OMEN_NONE;
}

/* e comes before the fork of its thread. That is the order of a logger that
   logs the fork after it returned; the parent then has no event between. */
static void
mend_early (omen_repairing *r, omen_eid e)
{
  omen_tid t = r->trace->events.data[e].thread;
  omen_eid fork = r->trace->threads.data[t].forked_by;
  omen_eid join = last_about (r, OMEN_JOIN, t, fork);
  if (join != OMEN_NONE && join > e)
    rename_from (r, t, fork, "the name of a thread that was joined is forked");
  else if (may_move (r, fork)
           && !acts_between (r, r->trace->events.data[fork].thread, e, fork))
    repair_move (r, fork, e, "the fork of a thread that has begun already");
  else if (count_between (r, t, e, fork) == 1)
    drop_event (r, e, "the only event of a thread before its fork");
  else
    drop_event (r, fork, "the fork of a thread that has begun long before");
}

/* e comes after the join of its thread. That is the order of a logger that logs
   the join when it is called; the caller then has no event between. */
static void
mend_late (omen_repairing *r, omen_eid e)
{
  const omen_trace *trace = r->trace;
  omen_tid t = trace->events.data[e].thread;
  omen_eid join = last_about (r, OMEN_JOIN, t, e);
  omen_eid last = omen_trace_nth (trace, t, trace->threads.data[t].count - 1);
  if (may_move (r, join)
      && !acts_between (r, trace->events.data[join].thread, join + 1, last))
    repair_move (r, join, last + 1, "the join of a thread that continues");
  else if (last == e)
    drop_event (r, e, "the only event of a thread after its join");
  else
    drop_event (r, join, "the join of a thread that continues for long");
}

static void
mend_second_fork (omen_repairing *r, omen_eid e)
{
  const omen_event *fork = &r->trace->events.data[e];
  omen_tid t = fork->object;
  omen_eid first = last_about (r, OMEN_FORK, t, e);
  omen_eid join = last_about (r, OMEN_JOIN, t, e);
  if (fork->thread == r->trace->events.data[first].thread
      && !acts_between (r, t, first, e) && (join == OMEN_NONE || join < first))
    drop_event (r, first, "a fork that the same thread repeats");
  else
    rename_from (r, t, e, "a thread is forked again");
}

/* ---- waits ---- */

static bool
is_wake_of (const omen_repairing *r, omen_eid wait, omen_eid e)
{
  const omen_event *x = &r->trace->events.data[wait];
  const omen_event *y = &r->trace->events.data[e];
  return y->kind == OMEN_WAKE && y->object == x->object && y->value == x->value;
}

/* e follows the wait in its thread, and is no valid return from it. */
static void
mend_return (omen_repairing *r, omen_eid wait, omen_eid e)
{
  const omen_trace *trace = r->trace;
  omen_event *event = &r->trace->events.data[e];
  bool locked = trace->events.data[wait].value != OMEN_NONE;
  uint32_t next = trace->index[e] + 1;
  if (event->kind == OMEN_WAKE
      && (is_wake_of (r, wait, e)
          || (!locked && event->object == trace->events.data[wait].object))) {
    count_repair (r, OMEN_REPAIR_CHANGED, e,
                  "a wake that no notify explains is a spurious one");
    event->mode |= OMEN_MODE_SPURIOUS;
  } else if (locked && event->kind != OMEN_WAKE
             && next < trace->threads.data[event->thread].count
             && is_wake_of (r, wait,
                            omen_trace_nth (trace, event->thread, next)))
    drop_event (r, e, "the only event between a wait and its wake");
  else
    drop_event (r, wait, "a wait without its wake");
}

/* ---- one event alone ---- */

static void
forget_value (omen_repairing *r, omen_eid e)
{
  omen_event *event = &r->trace->events.data[e];
  count_repair (r, OMEN_REPAIR_CHANGED, e,
                "the value of a read that nothing has written is forgotten");
  if (event->kind == OMEN_ATOMIC_RMW) {
    omen_rmw rmw = r->trace->rmws.data[event->value];
    rmw.value_kind[0] = OMEN_VALUE_NONE;
    rmw.value[0] = 0;
    event->value = r->trace->rmws.count;
    OMEN_VEC_PUSH (r->trace->rmws, rmw);
    omen_check_write (&r->check, e, rmw.value_kind[1], rmw.value[1]);
  } else {
    event->value_kind = OMEN_VALUE_NONE;
    event->value = 0;
  }
}

static bool
has_wrong_order (const omen_event *event)
{
  return event->order == OMEN_ORDER_ACQ_REL
             ? event->kind == OMEN_ATOMIC_READ
                   || event->kind == OMEN_ATOMIC_WRITE
             : (event->kind == OMEN_ATOMIC_READ
                && event->order == OMEN_ORDER_RELEASE)
                   || (event->kind == OMEN_ATOMIC_WRITE
                       && event->order == OMEN_ORDER_ACQUIRE);
}

/* The message of the failed check, without the event. */
static const char *
reason (const omen_repairing *r)
{
  const char *colon = strstr (r->check.why.what, "): ");
  return colon ? colon + 3 : r->check.why.what;
}

static void
mend_alone (omen_repairing *r, omen_eid e)
{
  omen_event *event = &r->trace->events.data[e];
  if (has_wrong_order (event)) {
    count_repair (r, OMEN_REPAIR_CHANGED, e,
                  "a memory order that C does not allow there becomes seq_cst");
    event->order = OMEN_ORDER_SC;
  } else if (omen_kind_reads (event->kind))
    forget_value (r, e);
  else
    drop_event (r, e, reason (r));
}

/* ---- a pass ---- */

static bool
depends_wrongly (omen_repairing *r, omen_eid e)
{
  omen_wellformed_check look = r->check;
  omen_err ignored = { 0 };
  look.why = ignored;
  return r->trace->events.data[e].mode & OMEN_MODE_EXTRA
         && !omen_check_depends (&look, e);
}

/* Repair event e, which failed a check; `flags` and `wait` are what its thread
   had before it. */
static void
mend (omen_repairing *r, omen_eid e, unsigned flags, omen_eid wait)
{
  const omen_event *event = &r->trace->events.data[e];
  bool self = (event->kind == OMEN_FORK || event->kind == OMEN_JOIN)
              && event->object == event->thread;
  r->ended = true;
  if (self)
    drop_event (r, e,
                event->kind == OMEN_FORK ? "a thread that forks itself"
                                         : "a thread that joins itself");
  else if (flags & OMEN_THREAD_UNBORN)
    mend_early (r, e);
  else if (flags & OMEN_THREAD_JOINED)
    mend_late (r, e);
  else if (r->check.unreturned)
    mend_return (r, wait, e);
  else if (depends_wrongly (r, e))
    forget_dependences (r, e,
                        "a dependence on no earlier read or branch: all "
                        "dependences are forgotten");
  else if (event->kind == OMEN_FORK)
    mend_second_fork (r, e);
  else {
    mend_alone (r, e);
    r->ended = false;
  }
}

static void
walk_events (omen_repairing *r)
{
  for (omen_eid e = 0; e < r->trace->events.count && !r->ended; e++) {
    const omen_check_thread *thread
        = &r->check.threads[r->trace->events.data[e].thread];
    unsigned flags = thread->flags;
    omen_eid wait = thread->wait;
    if (omen_check_event (&r->check, e))
      continue;
    mend (r, e, flags, wait);
    r->check.why = (omen_err){ 0 };
    r->check.failed = OMEN_NONE;
    r->check.unreturned = false;
  }
}

/* ---- locks ---- */

/* Where the thread releases the lock that it acquired at `acquire`, or
   OMEN_NONE. */
static omen_eid
end_of_section (const omen_repairing *r, omen_eid acquire, omen_lid lock)
{
  const omen_trace *trace = r->trace;
  omen_tid t = trace->events.data[acquire].thread;
  uint32_t depth = 1;
  for (uint32_t i = trace->index[acquire] + 1; i < trace->threads.data[t].count;
       i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    const omen_event *event = &trace->events.data[e];
    if (event->kind == OMEN_WAIT && event->value == lock)
      return e;
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_LOCK
        || event->object != lock)
      continue;
    depth += event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE;
    if ((event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE)
        && --depth == 0)
      return e;
  }
  return OMEN_NONE;
}

static bool
gives_back (const omen_repairing *r, omen_tid t, omen_lid lock, omen_eid from)
{
  for (omen_eid e = from; e < r->trace->events.count; e++) {
    const omen_event *event = &r->trace->events.data[e];
    if (event->thread == t
        && (event->kind == OMEN_WAIT ? event->value == lock
                                     : (event->kind == OMEN_RELEASE
                                        || event->kind == OMEN_READ_RELEASE)
                                           && event->object == lock))
      return true;
  }
  return false;
}

/* Add releases (acquires, if `take`) of all that the holder has of the lock. */
static void
add_locks (omen_repairing *r, const omen_check_overlap *overlap, omen_lid lock,
           const uint32_t depth[2], bool take, omen_eid before)
{
  static const omen_kind kinds[2][2] = {
    [OMEN_LOCK_READ] = { OMEN_READ_RELEASE, OMEN_READ_ACQUIRE },
    [OMEN_LOCK_WRITE] = { OMEN_RELEASE, OMEN_ACQUIRE },
  };
  for (unsigned mode = 0; mode < 2; mode++)
    for (uint32_t i = 0; i < depth[mode]; i++) {
      omen_repair_addition one = { .before = before, .origin = overlap->event };
      one.event.kind = (uint8_t)kinds[mode][take];
      one.event.thread = overlap->holder;
      one.event.object = lock;
      one.event.location = r->trace->events.data[overlap->event].location;
      OMEN_VEC_PUSH (r->added, one);
      count_repair (r, OMEN_REPAIR_ADDED, overlap->event,
                    take ? "its holder, who was waiting, has the lock back"
                         : "the lock is given back by its holder before this");
    }
}

/* Drop the lock's operations from an acquire to the matching release. */
static void
drop_section (omen_repairing *r, omen_eid acquire, omen_lid lock)
{
  const omen_trace *trace = r->trace;
  omen_tid t = trace->events.data[acquire].thread;
  uint32_t depth = 0;
  for (uint32_t i = trace->index[acquire]; i < trace->threads.data[t].count;
       i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    const omen_event *event = &trace->events.data[e];
    bool waits = event->kind == OMEN_WAIT || event->kind == OMEN_WAKE;
    bool takes
        = event->kind == OMEN_ACQUIRE || event->kind == OMEN_READ_ACQUIRE;
    bool gives
        = event->kind == OMEN_RELEASE || event->kind == OMEN_READ_RELEASE;
    if (waits ? event->value != lock
              : (!takes && !gives) || event->object != lock)
      continue;
    drop_event (r, e,
                "of a critical section while another thread holds the lock");
    depth += takes || (waits && e == acquire);
    if (gives && --depth == 0)
      return;
  }
}

/* A lock is acquired while another thread holds it. If the holder never
   releases it later, its release was missed; if it does nothing during the
   other critical section, its wait was missed. Otherwise one of the two
   sections is dropped. */
static void
mend_overlap (omen_repairing *r, omen_lid lock)
{
  const omen_check_overlap *overlap = &r->check.overlaps[lock];
  omen_eid end = end_of_section (r, overlap->event, lock);
  omen_eid last = overlap->event; /* one past the holder's last event */
  bool waits;
  uint32_t depth[2];
  while (last && r->trace->events.data[last - 1].thread != overlap->holder)
    last--;
  waits = last && r->trace->events.data[last - 1].kind == OMEN_WAIT;
  last -= waits; /* nothing may come between a wait and its return */
  /* How deep a thread holds the lock before an event, by mode. */
  omen_holds holds;
  uint32_t hold;
  omen_holds_init (&holds, r->trace);
  for (omen_eid i = 0; i < overlap->event; i++)
    omen_holds_step (&holds, &r->trace->events.data[i]);
  hold = omen_map_get (&holds.map, OMEN_PAIR (overlap->holder, lock));
  for (unsigned mode = 0; mode < 2; mode++)
    depth[mode] = hold == OMEN_NONE ? 0 : holds.holds.data[hold].depth[mode];
  omen_holds_fini (&holds);
  if (!gives_back (r, overlap->holder, lock, overlap->event))
    add_locks (r, overlap, lock, depth, false, last);
  else if (end != OMEN_NONE && depth[0] + depth[1] && !waits
           && !acts_between (r, overlap->holder, overlap->event, end)) {
    add_locks (r, overlap, lock, depth, false, last);
    while (r->trace->events.data[++end].thread != overlap->holder)
      continue; /* it has a later event: the release */
    add_locks (r, overlap, lock, depth, true, end);
  } else
    drop_section (r, overlap->event, lock);
  if (!r->edited)
    drop_section (r, overlap->event, lock);
}

/* ---- all passes ---- */

/* Returns false if there was nothing to repair, or err is set. */
static bool
repair_pass (omen_repairing *r, omen_err *err)
{
  r->drop = omen_zalloc (r->trace->events.count + 1, 1);
  r->moved = r->before = r->renamed = r->from = OMEN_NONE;
  r->forget = r->edited = r->ended = false;
  OMEN_VEC_CLEAR (r->added);
  omen_check_init (&r->check, r->trace, NULL);
  walk_events (r);
  if (!r->edited && r->check.overlapped
      && !omen_wellformed (r->trace, NULL, NULL)) {
    /* No order of the events keeps the critical sections of these locks apart.
       One lock a pass: its repair may resolve the others. */
    for (uint32_t l = 0;
         l < r->trace->names[OMEN_OPERAND_LOCK].count && !r->edited; l++)
      if (r->check.overlaps[l].count && !r->check.irregular[l])
        mend_overlap (r, l);
  }
  omen_check_fini (&r->check);
  if (r->edited && !r->forget) /* positions in threads change */
    for (omen_eid e = 0; e < r->trace->events.count && !r->forget; e++)
      if (r->drop[e] || e == r->moved || e == r->from || r->added.count)
        forget_dependences (r, e,
                            "places in threads change: all dependences are "
                            "forgotten");
  if (r->edited)
    r->edited = omen_repair_edit (r, err);
  omen_free (r->drop);
  return r->edited;
}

omen_trace *
omen_trace_repair_take (omen_trace *trace, omen_repairs *repairs, omen_err *err)
{
  omen_repairing r = { .trace = trace, .done = repairs };
  unsigned passes = 0;
  if (omen_wellformed (trace, NULL, NULL)) /* perhaps in another order */
    return trace;
  for (omen_eid e = 0; e < trace->events.count; e++)
    OMEN_VEC_PUSH (r.origin, e);
  r.was_moved = omen_zalloc (trace->events.count + 1, 1);
  while (!err->set && passes < PASSES_MAX && repair_pass (&r, err))
    passes++;
  OMEN_VEC_FINI (r.origin);
  OMEN_VEC_FINI (r.added);
  omen_free (r.was_moved);
  if (!err->set && omen_wellformed (r.trace, NULL, err))
    return r.trace;
  omen_trace_free (r.trace);
  return NULL;
}
