/* Closed sets: threads in a circle, each waiting for a lock that the next one
   holds, or for its end; or a thread that waits for a lock of an ended one.
   Nothing that other threads do can wake them. */
#include "predict/standstill.h"

#define RING_MAX 16u      /* limit of threads in a circle */
#define RINGS_MAX 100000u /* limit of circles examined */
#define ASKS_MAX 200u     /* limit of questions for the same lines */

typedef struct ring {
  omen_standstill *s;
  omen_pin pins[RING_MAX];
  uint32_t sets[RING_MAX]; /* locks held there, as sets of the model */
  uint32_t count;
  uint32_t examined; /* circles so far */
  omen_map asks;     /* by hash of locations */
  bool *waited_for;  /* by thread: some stop is for its end */
} ring;

/* ---- what may be in a circle ---- */

/* Does the stop wait for a lock or a thread? */
static bool
can_close (const omen_stop *stop)
{
  return stop->reason == OMEN_STOP_THREAD || stop->lock != OMEN_NONE;
}

static bool
waits_for (const omen_standstill *s, const omen_stop *stop, omen_tid t,
           uint32_t set)
{
  return stop->reason == OMEN_STOP_THREAD
             ? stop->object == t
             : omen_standstill_keeps (s, set, stop);
}

/* Does some event before stop a require events of the other thread after stop b
   (by the model's clocks)? */
static bool
exclude (const omen_standstill *s, const omen_pin *a, const omen_pin *b)
{
  const omen_trace *trace = s->model->trace;
  return a->cut
         && omen_model_before (s->model,
                               omen_trace_nth (trace, a->thread, a->cut - 1),
                               b->thread)
                > b->cut;
}

/* ---- asking ---- */

static bool
may_ask (ring *r, const omen_pin *pins, uint32_t count)
{
  uint64_t key = count;
  uint32_t *asks;
  if (omen_standstill_known (r->s, pins, count))
    return false;
  if (r->s->options->group == OMEN_GROUP_NONE)
    return true;
  for (uint32_t i = 0; i < count; i++)
    if (pins[i].stop)
      key = key * 31
            + omen_model_event (r->s->model, pins[i].stop->event)->location;
  asks = omen_map_at (&r->asks, key >> 1);
  *asks = *asks == OMEN_NONE ? 1 : *asks + 1;
  if (*asks == 1)
    r->s->stats->candidates++;
  r->s->stats->undecided += *asks == ASKS_MAX + 1;
  return *asks <= ASKS_MAX;
}

/* Returns whether the set is possible. */
static bool
ask_ring (ring *r, const omen_pin *pins, uint32_t count)
{
  omen_ids sequence = { 0 };
  omen_verdict verdict;
  if (omen_is_past (&r->s->deadline) || !may_ask (r, pins, count))
    return false;
  verdict = omen_standstill_ask (r->s, pins, count, NULL, 0, &sequence);
  if (verdict == OMEN_FOUND)
    omen_standstill_report (r->s, pins, count, &sequence);
  else
    r->s->stats->undecided += verdict == OMEN_UNKNOWN;
  OMEN_VEC_FINI (sequence);
  return verdict == OMEN_FOUND;
}

/* ---- circles ---- */

/* Cycles of lock requests only are reported by deadlock.c. */
static bool
is_deadlock (const ring *r)
{
  for (uint32_t i = 0; i < r->count; i++)
    if (r->pins[i].stop->reason != OMEN_STOP_LOCK)
      return false;
  return true;
}

/* Does member i wait for one of the members in `left`? */
static bool
still_waits (const ring *r, const bool *left, uint32_t i)
{
  for (uint32_t k = 0; k < r->count; k++)
    if (left[k] && k != i
        && waits_for (r->s, r->pins[i].stop, r->pins[k].thread, r->sets[k]))
      return true;
  return false;
}

/* Is no proper subset closed? */
static bool
is_least (const ring *r)
{
  for (uint32_t out = 0; out < r->count; out++) {
    bool left[RING_MAX], changed = true, any = false;
    for (uint32_t i = 0; i < r->count; i++)
      left[i] = i != out;
    while (changed) {
      changed = false;
      for (uint32_t i = 0; i < r->count; i++)
        if (left[i] && !still_waits (r, left, i)) {
          left[i] = false;
          changed = true;
        }
    }
    for (uint32_t i = 0; i < r->count; i++)
      any |= left[i];
    if (any)
      return false;
  }
  return true;
}

static bool
fits_ring (const ring *r, const omen_pin *new, uint32_t set)
{
  for (uint32_t i = 0; i < r->count; i++) {
    const omen_pin *old = &r->pins[i];
    if (old->thread == new->thread
        || omen_model_sets_exclude (r->s->model, r->sets[i], set)
        || exclude (r->s, old, new) || exclude (r->s, new, old))
      return false;
  }
  return true;
}

/* Each circle is found from its lowest thread. */
static void
extend_ring (ring *r)
{
  const omen_standstill *s = r->s;
  const omen_stop *last = r->pins[r->count - 1].stop;
  if (r->count > 1 && waits_for (s, last, r->pins[0].thread, r->sets[0])
      && !is_deadlock (r) && is_least (r))
    ask_ring (r, r->pins, r->count);
  for (omen_tid t = r->pins[0].thread + 1;
       t < s->model->thread_count && r->count < RING_MAX && s->go_on; t++) {
    if (last->reason == OMEN_STOP_THREAD && last->object != t)
      continue;
    for (size_t i = 0; i < s->stops[t].count && s->go_on; i++) {
      const omen_stop *stop = &s->stops[t].data[i];
      omen_pin new = { t, stop->cut, stop };
      uint32_t set = omen_standstill_set (s, t, stop->cut);
      if (!can_close (stop) || !waits_for (s, last, t, set)
          || !fits_ring (r, &new, set))
        continue;
      if (++r->examined > RINGS_MAX)
        return;
      r->pins[r->count] = new;
      r->sets[r->count++] = set;
      extend_ring (r);
      r->count--;
    }
  }
}

/* ---- locks of threads that have ended ---- */

static void
ask_ended (ring *r, const omen_pin *waiter)
{
  const omen_standstill *s = r->s;
  for (omen_tid t = 0; t < s->model->thread_count && s->go_on; t++) {
    uint32_t count = s->model->trace->threads.data[t].count;
    omen_pin pins[] = { *waiter, { t, count, NULL } };
    if (t == waiter->thread || !s->ends[t]
        || !omen_standstill_keeps (s, s->model->end_set[t], waiter->stop)
        || exclude (s, &pins[1], waiter))
      continue;
    if (++r->examined > RINGS_MAX || ask_ring (r, pins, 2)
        || omen_standstill_known (r->s, waiter, 1))
      return;
  }
}

/* A thread can be part of a circle only if it holds a lock or is waited for. */
static void
start_at (ring *r, omen_tid t, const omen_stop *stop)
{
  omen_pin first = { t, stop->cut, stop };
  uint32_t set = omen_standstill_set (r->s, t, stop->cut);
  if (stop->lock != OMEN_NONE)
    ask_ended (r, &first);
  if (!r->s->model->sets[set].locks && !r->waited_for[t])
    return;
  r->pins[0] = first;
  r->sets[0] = set;
  r->count = 1;
  extend_ring (r);
}

void
omen_standstill_cycles (omen_standstill *s)
{
  ring r = { .s = s };
  uint32_t threads = s->model->thread_count;
  omen_map_init (&r.asks);
  r.waited_for = omen_zalloc (threads + (size_t)1, sizeof *r.waited_for);
  for (omen_tid t = 0; t < threads; t++)
    for (size_t i = 0; i < s->stops[t].count; i++)
      if (s->stops[t].data[i].reason == OMEN_STOP_THREAD)
        r.waited_for[s->stops[t].data[i].object] = true;
  for (omen_tid t = 0; t < threads; t++)
    for (size_t i = 0; i < s->stops[t].count && s->go_on; i++)
      if (can_close (&s->stops[t].data[i]))
        start_at (&r, t, &s->stops[t].data[i]);
  s->stats->undecided += r.examined > RINGS_MAX;
  omen_map_fini (&r.asks);
  omen_free (r.waited_for);
}
