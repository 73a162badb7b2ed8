/* TRUSTED. The claim that threads are stuck, where the recorded run ended so: σ
   is the whole trace, and nothing in it wakes a thread that is marked stuck. */
#include "witness/verify_state.h"

/* ---- locks ---- */

static bool
takes (unsigned kind)
{
  return kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE || kind == OMEN_WAKE;
}

/* Is the last operation on an irregular lock, apart from failed tries, an
   acquire? */
static bool
left_taken (const omen_verifier *v, omen_lid lock)
{
  for (uint32_t i = (uint32_t)v->trace->events.count; i-- > 0;) {
    omen_eid e = omen_facts_nth (&v->facts, i);
    unsigned kind = omen_trace_event (v->trace, e)->kind;
    if (omen_facts_lock (v->trace, e) == lock && kind != OMEN_TRY_FAIL
        && kind != OMEN_READ_TRY_FAIL)
      return takes (kind);
  }
  return false;
}

/* Does a thread hold the lock at the end, in any mode? */
static bool
is_held (const omen_verifier *v, omen_lid lock)
{
  const omen_trace *trace = v->trace;
  if (v->facts.irregular[lock])
    return left_taken (v, lock);
  for (omen_tid t = 0; t < trace->threads.count; t++)
    if (omen_facts_holds (&v->facts, t, trace->threads.data[t].count, lock,
                          true)
        || omen_facts_holds (&v->facts, t, trace->threads.data[t].count, lock,
                             false))
      return true;
  return false;
}

/* ---- conditions ---- */

/* The place in the trace of what comes after e in its thread, or OMEN_NONE. */
static uint32_t
return_of (const omen_verifier *v, omen_eid e)
{
  omen_tid t = omen_trace_event (v->trace, e)->thread;
  uint32_t next = v->trace->index[e] + 1;
  return next < v->trace->threads.data[t].count
             ? omen_facts_rank (&v->facts, omen_trace_nth (v->trace, t, next))
             : OMEN_NONE;
}

/* The thread that a notify wakes at `now`: the waiter that returns first.
   asleep[t] is the wait in which t is blocked at the condition, or
   OMEN_NONE. */
static omen_tid
first_to_return (const omen_verifier *v, const omen_eid *asleep, uint32_t now)
{
  omen_tid found = OMEN_NONE;
  uint32_t best = OMEN_NONE;
  for (omen_tid t = 0; t < v->trace->threads.count; t++) {
    uint32_t back = asleep[t] == OMEN_NONE ? 0 : return_of (v, asleep[t]);
    if (asleep[t] == OMEN_NONE || back < now)
      continue;
    if (found == OMEN_NONE || back < best) {
      found = t;
      best = back;
    }
  }
  return found;
}

/* e, a wait that never returns: does a notify after it wake it? */
static bool
is_woken (const omen_verifier *v, omen_eid e)
{
  const omen_trace *trace = v->trace;
  const omen_event *wait = omen_trace_event (trace, e);
  omen_eid *asleep = omen_alloc ((trace->threads.count + 1) * sizeof *asleep);
  bool woken = false;
  for (omen_tid t = 0; t < trace->threads.count; t++)
    asleep[t] = OMEN_NONE;
  for (uint32_t i = 0; i < trace->events.count && !woken; i++) {
    const omen_event *event
        = omen_trace_event (trace, omen_facts_nth (&v->facts, i));
    omen_tid first;
    if (omen_kind_operand (event->kind) != OMEN_OPERAND_CONDITION
        || event->object != wait->object)
      continue;
    if (event->kind == OMEN_WAIT)
      asleep[event->thread] = omen_facts_nth (&v->facts, i);
    else if (event->kind == OMEN_NOTIFY_ALL) {
      woken = asleep[wait->thread] == e;
      for (omen_tid t = 0; t < trace->threads.count; t++)
        asleep[t] = OMEN_NONE;
    } else if (event->kind == OMEN_NOTIFY
               && (first = first_to_return (v, asleep, i)) != OMEN_NONE) {
      woken = asleep[wait->thread] == e
              && return_of (v, asleep[first]) == OMEN_NONE;
      asleep[first] = OMEN_NONE;
    }
  }
  omen_free (asleep);
  return woken;
}

/* ---- each of them ---- */

/* Has e's round all its arrivals? */
static bool
is_complete (const omen_verifier *v, omen_eid e)
{
  uint32_t round = v->facts.number[e], arrived = 0;
  for (omen_eid a = 0; a < v->trace->events.count; a++)
    arrived += omen_trace_event (v->trace, a)->kind == OMEN_ARRIVE
               && v->facts.number[a] == round;
  return arrived >= v->facts.rounds.data[round].size;
}

static bool
is_stuck (const omen_verifier *v, omen_tid t)
{
  uint32_t count = v->trace->threads.data[t].count;
  return count
         && omen_trace_event (v->trace, omen_trace_nth (v->trace, t, count - 1))
                    ->mode
                & OMEN_MODE_STUCK;
}

static bool
is_blocked (omen_verifier *v, omen_eid e, omen_err *err)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  switch (event->kind) {
  case OMEN_REQUEST:
    return is_held (v, event->object)
           || omen_verify_refuse (v, e, err, "nobody holds the lock");
  case OMEN_WAIT:
    return (event->value != OMEN_NONE && is_held (v, (omen_lid)event->value))
           || !is_woken (v, e)
           || omen_verify_refuse (v, e, err, "a notify wakes it");
  case OMEN_ARRIVE:
    return !is_complete (v, e)
           || omen_verify_refuse (v, e, err, "its round is complete");
  case OMEN_SEM_REQUEST:
    return !omen_state_semaphore_count (v, event->object)
           || omen_verify_refuse (v, e, err, "the semaphore is not 0");
  case OMEN_JOIN_REQUEST:
    return is_stuck (v, event->object)
           || omen_verify_refuse (v, e, err, "the thread has ended");
  default:
    return omen_verify_refuse (v, e, err, "waits for nothing");
  }
}

/* Are all claimed events marked stuck, after the whole trace? */
static bool
was_seen (const omen_verifier *v)
{
  const omen_ids *events = &v->witness->claim.events;
  for (size_t i = 0; i < events->count; i++)
    if (!(omen_trace_event (v->trace, events->data[i])->mode & OMEN_MODE_STUCK))
      return false;
  return v->witness->sequence.count == v->trace->events.count;
}

/* The claimed events are the ends of their threads, and of all threads that are
   marked stuck. */
static bool
are_all (omen_verifier *v, omen_err *err)
{
  const omen_ids *events = &v->witness->claim.events;
  size_t said = 0;
  for (size_t i = 0; i < events->count; i++) {
    const omen_event *event = omen_trace_event (v->trace, events->data[i]);
    if (v->trace->index[events->data[i]] + 1
        != v->trace->threads.data[event->thread].count)
      return omen_verify_refuse (v, events->data[i], err,
                                 "is not the last of its thread");
  }
  for (omen_tid t = 0; t < v->trace->threads.count; t++)
    said += is_stuck (v, t);
  return said == events->count
         || omen_err_set (err, "", "claim: %zu threads are stuck, not %zu",
                          said, events->count);
}

bool
omen_claim_stuck (omen_verifier *v, omen_err *err)
{
  const omen_ids *events = &v->witness->claim.events;
  OMEN_ASSERT (v->witness->claim.kind == OMEN_CLAIM_STUCK && events->count);
  if (!was_seen (v))
    return omen_claim_blocked (v, err);
  if (!omen_verify_is_trace (v, (uint32_t)v->trace->events.count, err)
      || !are_all (v, err))
    return false;
  for (size_t i = 0; i < events->count; i++)
    if (!is_blocked (v, events->data[i], err))
      return false;
  return true;
}
