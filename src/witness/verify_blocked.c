/* TRUSTED. The claim that threads are stuck after σ: each waits for a lock, a
   thread, a condition, a semaphore or a barrier, and no thread is left that
   could wake it. */
#include "witness/verify_state.h"

typedef enum reason {
  NOT_BLOCKED,
  FOR_LOCK_OR_THREAD, /* only its holder, or that thread, can help */
  ASLEEP,             /* unless a notify of σ wakes it */
  FOR_COUNT           /* of a semaphore or barrier */
} reason;

typedef struct standstill {
  omen_verifier *v;
  bool *member, *ended, *seen_end; /* by thread */
  bool *sleeps;                    /* by thread: it must not be woken */
} standstill;

/* ---- threads ---- */

static omen_eid
last_event (const omen_verifier *v, omen_tid t)
{
  uint32_t count = v->trace->threads.data[t].count;
  return count ? omen_trace_nth (v->trace, t, count - 1) : OMEN_NONE;
}

static bool
says_stuck (const omen_verifier *v, omen_tid t)
{
  omen_eid last = last_event (v, t);
  return last != OMEN_NONE
         && omen_trace_event (v->trace, last)->mode & OMEN_MODE_STUCK;
}

/* Which threads does the trace show to have ended, beyond their last event? */
static void
find_seen_ends (standstill *s)
{
  const omen_trace *trace = s->v->trace;
  bool stuck = false;
  for (omen_tid t = 0; t < trace->threads.count; t++)
    stuck = stuck || says_stuck (s->v, t);
  for (omen_tid t = 0; t < trace->threads.count; t++) {
    omen_eid last = last_event (s->v, t);
    s->seen_end[t] = (stuck && !says_stuck (s->v, t))
                     || (last != OMEN_NONE
                         && omen_trace_event (trace, last)->kind == OMEN_ENDED);
  }
  for (omen_eid e = 0; e < trace->events.count; e++)
    if (omen_trace_event (trace, e)->kind == OMEN_JOIN)
      s->seen_end[omen_trace_event (trace, e)->object] = true;
}

static bool
has_begun (const standstill *s, omen_tid t)
{
  omen_eid fork = s->v->facts.fork[t];
  return fork == OMEN_NONE || omen_state_has (s->v, fork);
}

static bool
has_ended (const standstill *s, omen_tid t)
{
  const omen_thread_state *state = omen_state_thread (s->v, t);
  return !s->member[t] && s->seen_end[t] && has_begun (s, t)
         && state->done == s->v->trace->threads.data[t].count
         && state->lost == OMEN_NONE;
}

/* ---- where members stand ---- */

/* Events after which the thread waits. Any other claimed event is itself the
   wait, and next in its thread. */
static bool
announces (unsigned kind)
{
  return omen_kind_waits (kind);
}

static bool
stands_at (const standstill *s, omen_eid e, omen_err *err)
{
  omen_verifier *v = s->v;
  const omen_event *event = omen_trace_event (v->trace, e);
  const omen_thread_state *state = omen_state_thread (v, event->thread);
  uint32_t index = v->trace->index[e];
  if (!announces (event->kind))
    return (omen_state_next (v, e)
            || omen_verify_refuse (v, e, err, "is not next in its thread"))
           && (has_begun (s, event->thread)
               || omen_verify_refuse (v, e, err,
                                      "its thread is not forked yet"))
           && omen_read_goes_on (v, e, err);
  if (state->done != index + 1)
    return omen_verify_refuse (v, e, err, "is not the last of its thread");
  return event->kind == OMEN_WAIT || event->kind == OMEN_ARRIVE
         || index + 1 == v->trace->threads.data[event->thread].count
         || omen_verify_refuse (v, e, err, "was granted in the trace");
}

/* ---- locks ---- */

/* Is the lock held, in a mode that excludes this one, by a thread that will not
   release it? */
static bool
is_kept (const standstill *s, omen_lid lock, omen_tid own, bool write)
{
  const omen_verifier *v = s->v;
  if (v->facts.irregular[lock])
    return false;
  for (omen_tid t = 0; t < v->trace->threads.count; t++) {
    uint32_t done = omen_state_thread (s->v, t)->done;
    if (!s->member[t] && !s->ended[t])
      continue;
    if (omen_facts_holds (&v->facts, t, done, lock, true)
        || (write && t != own
            && omen_facts_holds (&v->facts, t, done, lock, false)))
      return true;
  }
  return false;
}

static reason
lock_reason (const standstill *s, omen_eid e)
{
  const omen_event *event = omen_trace_event (s->v->trace, e);
  if (event->kind == OMEN_REQUEST) /* in which mode is not known */
    return is_kept (s, event->object, event->thread, false) ? FOR_LOCK_OR_THREAD
                                                            : NOT_BLOCKED;
  if (event->mode & OMEN_MODE_TRY || s->v->facts.flags[e] & OMEN_FACT_NESTED)
    return NOT_BLOCKED;
  return is_kept (s, event->object, event->thread, event->kind == OMEN_ACQUIRE)
             ? FOR_LOCK_OR_THREAD
             : NOT_BLOCKED;
}

/* ---- conditions ---- */

static omen_eid
next_of_thread (const omen_verifier *v, omen_eid e)
{
  const omen_event *event = omen_trace_event (v->trace, e);
  uint32_t next = v->trace->index[e] + 1;
  return next < v->trace->threads.data[event->thread].count
             ? omen_trace_nth (v->trace, event->thread, next)
             : OMEN_NONE;
}

/* Does the wait have a timeout? */
static bool
is_limited (const omen_verifier *v, omen_eid wait)
{
  omen_eid back = next_of_thread (v, wait);
  if (omen_trace_event (v->trace, wait)->mode & OMEN_MODE_TIMEOUT)
    return true;
  return back != OMEN_NONE
         && omen_trace_event (v->trace, back)->kind == OMEN_WAKE
         && omen_trace_event (v->trace, back)->mode & OMEN_MODE_TIMEOUT;
}

static reason
wait_reason (const standstill *s, omen_eid e)
{
  const omen_event *event = omen_trace_event (s->v->trace, e);
  if (event->value != OMEN_NONE
      && is_kept (s, (omen_lid)event->value, event->thread, true))
    return FOR_LOCK_OR_THREAD;
  if (is_limited (s->v, e))
    return NOT_BLOCKED;
  s->sleeps[event->thread] = true;
  return ASLEEP;
}

/* A thread that waits at a condition, after the part of σ walked so far. */
typedef struct waiter {
  omen_tid thread;
  uint32_t back; /* step of its return; OMEN_NONE: not in σ */
  bool stays;    /* it must not be woken */
} waiter;

typedef struct condition_walk {
  const standstill *s;
  uint32_t *step; /* by event, OMEN_NONE: not in σ */
  OMEN_VEC (waiter) asleep;
} condition_walk;

/* Waits whose return needs no notify are left out: which thread's notify they
   would have taken is not known. */
static void
begin_waiting (condition_walk *d, omen_eid wait)
{
  const omen_verifier *v = d->s->v;
  omen_tid t = omen_trace_event (v->trace, wait)->thread;
  omen_eid back = next_of_thread (v, wait);
  waiter new = { t, back == OMEN_NONE ? OMEN_NONE : d->step[back], false };
  if (new.back != OMEN_NONE && !(v->facts.flags[back] & OMEN_FACT_RETURN))
    return;
  new.stays = new.back == OMEN_NONE && d->s->sleeps[t];
  OMEN_VEC_PUSH (d->asleep, new);
}

/* A notify wakes exactly one waiter, if there is any: the one that returns
   first, since it has the least chance of another notify. A waiter that never
   returns, but may be woken, comes last. */
static bool
notify_one (condition_walk *d)
{
  size_t best = d->asleep.count;
  for (size_t i = 0; i < d->asleep.count; i++)
    if (!d->asleep.data[i].stays
        && (best == d->asleep.count
            || d->asleep.data[i].back < d->asleep.data[best].back))
      best = i;
  if (best == d->asleep.count)
    return !d->asleep.count;
  d->asleep.data[best] = OMEN_VEC_LAST (d->asleep);
  d->asleep.count--;
  return true;
}

static bool
notify_all (condition_walk *d)
{
  for (size_t i = 0; i < d->asleep.count; i++)
    if (d->asleep.data[i].stays)
      return false;
  OMEN_VEC_CLEAR (d->asleep);
  return true;
}

/* Does no thread return at this step without having been woken? */
static bool
none_returns_unwoken (const condition_walk *d, uint32_t step)
{
  for (size_t i = 0; i < d->asleep.count; i++)
    if (d->asleep.data[i].back == step)
      return false;
  return true;
}

/* Can all notifies of the condition in σ have woken other threads? */
static bool
condition_stays (condition_walk *d, uint32_t condition, omen_err *err)
{
  const omen_verifier *v = d->s->v;
  const omen_ids *sigma = &v->witness->sequence;
  bool ok = true;
  OMEN_VEC_CLEAR (d->asleep);
  for (uint32_t i = 0; i < sigma->count && ok; i++) {
    omen_eid e = sigma->data[i];
    const omen_event *event = omen_trace_event (v->trace, e);
    ok = none_returns_unwoken (d, i);
    if (omen_kind_operand (event->kind) == OMEN_OPERAND_CONDITION
        && event->object == condition) {
      if (event->kind == OMEN_WAIT)
        begin_waiting (d, e);
      else if (event->kind == OMEN_NOTIFY)
        ok = ok && notify_one (d);
      else if (event->kind == OMEN_NOTIFY_ALL)
        ok = ok && notify_all (d);
    }
    if (!ok)
      omen_verify_refuse (v, e, err, "wakes a thread that must stay blocked");
  }
  return ok;
}

static bool
waiters_stay (const standstill *s, omen_err *err)
{
  const omen_verifier *v = s->v;
  const omen_ids *claimed = &v->witness->claim.events;
  const omen_ids *sigma = &v->witness->sequence;
  condition_walk d = { .s = s };
  bool ok = true;
  d.step = omen_alloc ((v->trace->events.count + 1) * sizeof *d.step);
  for (omen_eid e = 0; e < v->trace->events.count; e++)
    d.step[e] = OMEN_NONE;
  for (uint32_t i = 0; i < sigma->count; i++)
    d.step[sigma->data[i]] = i;
  for (size_t i = 0; i < claimed->count && ok; i++) {
    const omen_event *event = omen_trace_event (v->trace, claimed->data[i]);
    if (s->sleeps[event->thread])
      ok = condition_stays (&d, event->object, err);
  }
  OMEN_VEC_FINI (d.asleep);
  omen_free (d.step);
  return ok;
}

/* ---- the reasons ---- */

/* A thread that arrives need not wait for the others: it does if it departs, or
   if it was seen to be stuck there. */
static bool
waits_there (const omen_verifier *v, omen_eid arrive)
{
  omen_eid next = next_of_thread (v, arrive);
  const omen_event *event = omen_trace_event (v->trace, arrive);
  return next == OMEN_NONE
             ? event->mode & OMEN_MODE_STUCK
             : omen_trace_event (v->trace, next)->kind == OMEN_DEPART
                   && omen_trace_event (v->trace, next)->object
                          == event->object;
}

static reason
reason_of (const standstill *s, omen_eid e)
{
  const omen_event *event = omen_trace_event (s->v->trace, e);
  switch (event->kind) {
  case OMEN_REQUEST:
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    return lock_reason (s, e);
  case OMEN_JOIN:
  case OMEN_JOIN_REQUEST:
    return s->member[event->object] ? FOR_LOCK_OR_THREAD : NOT_BLOCKED;
  case OMEN_WAIT:
    return wait_reason (s, e);
  case OMEN_SEM_DOWN:
    return !(event->mode & OMEN_MODE_TRY)
                   && omen_state_semaphore_in_turn (s->v, e)
                   && !omen_state_semaphore_count (s->v, event->object)
               ? FOR_COUNT
               : NOT_BLOCKED;
  case OMEN_SEM_REQUEST:
    return omen_state_semaphore_count (s->v, event->object) ? NOT_BLOCKED
                                                            : FOR_COUNT;
  case OMEN_ARRIVE:
    return !waits_there (s->v, e)
                   || omen_state_round_full (s->v, s->v->facts.number[e])
               ? NOT_BLOCKED
               : FOR_COUNT;
  default:
    return NOT_BLOCKED;
  }
}

/* No thread may be left that could help: all others have ended. Neither may a
   signal handler, nor what a trace of a part of a run does not show. */
static bool
is_everybody (const standstill *s, omen_err *err)
{
  const omen_trace *trace = s->v->trace;
  if (trace->flags & OMEN_TRACE_PARTIAL)
    return omen_err_set (err, "", "claim: the trace is a part of a run");
  if (trace->flags & OMEN_TRACE_HELPED)
    return omen_err_set (err, "",
                         "claim: a handler or another process may help");
  for (omen_tid t = 0; t < trace->threads.count; t++)
    if (!s->member[t] && !s->ended[t] && has_begun (s, t))
      return omen_err_set (err, "",
                           "claim: %s is neither stuck nor known to have ended",
                           omen_trace_thread_name (trace, t));
  return true;
}

static bool
find_members (standstill *s, omen_err *err)
{
  const omen_verifier *v = s->v;
  const omen_ids *claimed = &v->witness->claim.events;
  for (size_t i = 0; i < claimed->count; i++) {
    omen_eid e = claimed->data[i];
    omen_tid t = omen_trace_event (v->trace, e)->thread;
    if (s->member[t])
      return omen_verify_refuse (v, e, err, "its thread is claimed twice");
    s->member[t] = true;
  }
  for (size_t i = 0; i < claimed->count; i++)
    if (!stands_at (s, claimed->data[i], err))
      return false;
  find_seen_ends (s);
  for (omen_tid t = 0; t < v->trace->threads.count; t++)
    s->ended[t] = has_ended (s, t);
  return true;
}

static bool
all_blocked (const standstill *s, omen_err *err)
{
  const omen_ids *claimed = &s->v->witness->claim.events;
  bool closed = true;
  for (size_t i = 0; i < claimed->count; i++) {
    reason why = reason_of (s, claimed->data[i]);
    if (why == NOT_BLOCKED)
      return omen_verify_refuse (s->v, claimed->data[i], err, "is not blocked");
    closed = closed && why == FOR_LOCK_OR_THREAD;
  }
  return closed || (is_everybody (s, err) && waiters_stay (s, err));
}

bool
omen_claim_blocked (omen_verifier *v, omen_err *err)
{
  size_t threads = v->trace->threads.count;
  bool *flags = omen_zalloc (4 * threads + 1, sizeof *flags);
  standstill s
      = { v, flags, flags + threads, flags + 2 * threads, flags + 3 * threads };
  bool ok = find_members (&s, err) && all_blocked (&s, err);
  omen_free (flags);
  return ok;
}
