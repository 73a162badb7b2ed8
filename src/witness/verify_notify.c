/* TRUSTED. Which notify serves which return. In the order of σ, a return gets
   the earliest notifyall after its wait and, if there is none, the earliest
   notify after it that is still free.

   That finds an assignment whenever there is one: a notifyall serves any number
   of returns, and if another assignment gives this notify to a later return,
   the two returns can swap: the other notify lies between the wait and the
   return of the later one, too. Claimed returns come after all of σ, in any
   order, so each can use all of it. */
#include "witness/verify_state.h"

static omen_condition_state *
state_condition (omen_verifier *v, uint32_t id)
{
  omen_condition_state *s = &v->conditions[id];
  OMEN_ASSERT (id < v->trace->names[OMEN_OPERAND_CONDITION].count);
  if (s->epoch != v->epoch) {
    s->epoch = v->epoch;
    OMEN_VEC_CLEAR (s->ones);
    OMEN_VEC_CLEAR (s->alls);
  }
  return s;
}

/* The wait that the return returns from: the event before it in its thread. */
static const omen_event *
wait_of (const omen_verifier *v, omen_eid returned)
{
  omen_tid t = omen_trace_event (v->trace, returned)->thread;
  const omen_event *wait;
  OMEN_ASSERT (v->trace->index[returned] > 0);
  wait = omen_trace_event (
      v->trace, omen_trace_nth (v->trace, t, v->trace->index[returned] - 1));
  OMEN_ASSERT (wait->kind == OMEN_WAIT);
  return wait;
}

/* The first of the signals after the step; their count if there is none. */
static uint32_t
first_after (const omen_signal *signals, size_t count, uint32_t step)
{
  size_t low = OMEN_FIRST_NOT (i, 0, count, signals[i].at <= step);
  return (uint32_t)low;
}

/* The first free notify at or after i, with path compression. */
static uint32_t
first_free (omen_condition_state *s, uint32_t i)
{
  uint32_t free = i;
  while (free < s->ones.count && s->ones.data[free].next != free)
    free = s->ones.data[free].next;
  while (i < free) {
    uint32_t next = s->ones.data[i].next;
    s->ones.data[i].next = free;
    i = next;
  }
  return free;
}

/* The notify that serves the return; *one is its index in s->ones, or OMEN_NONE
   if it is a notifyall. */
static omen_eid
choose_notify (omen_verifier *v, omen_eid returned, uint32_t *one)
{
  const omen_event *wait = wait_of (v, returned);
  omen_condition_state *s = state_condition (v, wait->object);
  uint32_t waited = omen_state_thread (v, wait->thread)->last_at, i;
  *one = OMEN_NONE;
  i = first_after (s->alls.data, s->alls.count, waited);
  if (i < s->alls.count)
    return s->alls.data[i].event;
  i = first_free (s, first_after (s->ones.data, s->ones.count, waited));
  if (i == s->ones.count)
    return OMEN_NONE;
  OMEN_ASSERT (s->ones.data[i].at > waited && s->ones.data[i].next == i);
  *one = i;
  return s->ones.data[i].event;
}

omen_eid
omen_notify_for (omen_verifier *v, omen_eid returned)
{
  uint32_t one;
  return choose_notify (v, returned, &one);
}

omen_eid
omen_notify_take (omen_verifier *v, omen_eid returned)
{
  uint32_t one;
  omen_eid notify = choose_notify (v, returned, &one);
  omen_condition_state *s = state_condition (v, wait_of (v, returned)->object);
  OMEN_ASSERT (notify != OMEN_NONE);
  if (one != OMEN_NONE)
    s->ones.data[one].next = one + 1;
  return notify;
}

void
omen_notify_give (omen_verifier *v, omen_eid returned)
{
  omen_eid notify = omen_notify_take (v, returned);
  OMEN_VEC_PUSH (v->services, ((omen_service){ returned, notify }));
}

void
omen_notify_add (omen_verifier *v, omen_eid notify)
{
  const omen_event *event = omen_trace_event (v->trace, notify);
  omen_condition_state *s = state_condition (v, event->object);
  uint32_t own = (uint32_t)s->ones.count;
  OMEN_ASSERT (event->kind == OMEN_NOTIFY || event->kind == OMEN_NOTIFY_ALL);
  OMEN_ASSERT (!own || s->ones.data[own - 1].at < v->step);
  if (event->kind == OMEN_NOTIFY)
    OMEN_VEC_PUSH (s->ones, ((omen_signal){ notify, v->step, own }));
  else
    OMEN_VEC_PUSH (s->alls, ((omen_signal){ notify, v->step, own }));
}
