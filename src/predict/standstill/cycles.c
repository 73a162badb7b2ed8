/* Closed sets: threads in a cycle, each waiting for a lock that the next one
   holds, or for its end; or a thread that waits for a lock of an ended one.
   Nothing that other threads do can wake them. */
#include "predict/standstill.h"

#define CYCLE_MAX 16u      /* limit of threads in a cycle */
#define CYCLES_MAX 100000u /* limit of cycles examined */
#define ASKS_MAX 200u      /* limit of questions for the same lines */

typedef struct cycle {
  omen_standstill *s;
  omen_pin pins[CYCLE_MAX];
  uint32_t sets[CYCLE_MAX]; /* locks held there, as sets of the model */
  uint32_t count;
  uint32_t examined; /* cycles so far */
  omen_map asks;     /* by hash of locations */
  bool *waited_for;  /* by thread: some stop is for its end */
} cycle;

/* ---- what may be in a cycle ---- */

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
may_ask (cycle *c, const omen_pin *pins, uint32_t count)
{
  uint64_t key = count;
  uint32_t *asks;
  if (omen_standstill_known (c->s, pins, count))
    return false;
  if (c->s->options->group == OMEN_GROUP_NONE)
    return true;
  for (uint32_t i = 0; i < count; i++)
    if (pins[i].stop)
      key = key * 31
            + omen_model_event (c->s->model, pins[i].stop->event)->location;
  asks = omen_map_at (&c->asks, key >> 1);
  *asks = *asks == OMEN_NONE ? 1 : *asks + 1;
  if (*asks == 1)
    c->s->stats->candidates++;
  c->s->stats->undecided += *asks == ASKS_MAX + 1;
  return *asks <= ASKS_MAX;
}

/* Returns whether the set is possible. */
static bool
ask_cycle (cycle *c, const omen_pin *pins, uint32_t count)
{
  omen_ids sequence = { 0 };
  omen_verdict verdict;
  if (omen_is_past (&c->s->deadline) || !may_ask (c, pins, count))
    return false;
  verdict = omen_standstill_ask (c->s, pins, count, NULL, 0, &sequence);
  if (verdict == OMEN_FOUND)
    omen_standstill_report (c->s, pins, count, &sequence);
  else
    c->s->stats->undecided += verdict == OMEN_UNKNOWN;
  OMEN_VEC_FINI (sequence);
  return verdict == OMEN_FOUND;
}

/* ---- cycles ---- */

/* Cycles of lock requests only are reported by deadlock.c. */
static bool
is_deadlock (const cycle *c)
{
  for (uint32_t i = 0; i < c->count; i++)
    if (c->pins[i].stop->reason != OMEN_STOP_LOCK)
      return false;
  return true;
}

/* Does member i wait for one of the members in `left`? */
static bool
still_waits (const cycle *c, const bool *left, uint32_t i)
{
  for (uint32_t k = 0; k < c->count; k++)
    if (left[k] && k != i
        && waits_for (c->s, c->pins[i].stop, c->pins[k].thread, c->sets[k]))
      return true;
  return false;
}

/* Is no proper subset closed? */
static bool
is_least (const cycle *c)
{
  for (uint32_t out = 0; out < c->count; out++) {
    bool left[CYCLE_MAX], changed = true, any = false;
    for (uint32_t i = 0; i < c->count; i++)
      left[i] = i != out;
    while (changed) {
      changed = false;
      for (uint32_t i = 0; i < c->count; i++)
        if (left[i] && !still_waits (c, left, i)) {
          left[i] = false;
          changed = true;
        }
    }
    for (uint32_t i = 0; i < c->count; i++)
      any |= left[i];
    if (any)
      return false;
  }
  return true;
}

static bool
fits_cycle (const cycle *c, const omen_pin *new, uint32_t set)
{
  for (uint32_t i = 0; i < c->count; i++) {
    const omen_pin *old = &c->pins[i];
    if (old->thread == new->thread
        || omen_model_sets_exclude (c->s->model, c->sets[i], set)
        || exclude (c->s, old, new) || exclude (c->s, new, old))
      return false;
  }
  return true;
}

/* Each cycle is found from its lowest thread. */
static void
extend_cycle (cycle *c)
{
  const omen_standstill *s = c->s;
  const omen_stop *last = c->pins[c->count - 1].stop;
  if (c->count > 1 && waits_for (s, last, c->pins[0].thread, c->sets[0])
      && !is_deadlock (c) && is_least (c))
    ask_cycle (c, c->pins, c->count);
  for (omen_tid t = c->pins[0].thread + 1;
       t < s->model->thread_count && c->count < CYCLE_MAX && s->go_on; t++) {
    if (last->reason == OMEN_STOP_THREAD && last->object != t)
      continue;
    for (size_t i = 0; i < s->stops[t].count && s->go_on; i++) {
      const omen_stop *stop = &s->stops[t].data[i];
      omen_pin new = { t, stop->cut, stop };
      uint32_t set = omen_standstill_set (s, t, stop->cut);
      if (!can_close (stop) || !waits_for (s, last, t, set)
          || !fits_cycle (c, &new, set))
        continue;
      if (++c->examined > CYCLES_MAX)
        return;
      c->pins[c->count] = new;
      c->sets[c->count++] = set;
      extend_cycle (c);
      c->count--;
    }
  }
}

/* ---- locks of threads that have ended ---- */

static void
ask_ended (cycle *c, const omen_pin *waiter)
{
  const omen_standstill *s = c->s;
  for (omen_tid t = 0; t < s->model->thread_count && s->go_on; t++) {
    uint32_t count = s->model->trace->threads.data[t].count;
    omen_pin pins[] = { *waiter, { t, count, NULL } };
    if (t == waiter->thread || !s->ends[t]
        || !omen_standstill_keeps (s, s->model->end_set[t], waiter->stop)
        || exclude (s, &pins[1], waiter))
      continue;
    if (++c->examined > CYCLES_MAX || ask_cycle (c, pins, 2)
        || omen_standstill_known (c->s, waiter, 1))
      return;
  }
}

/* A thread can be part of a cycle only if it holds a lock or is waited for. */
static void
start_at (cycle *c, omen_tid t, const omen_stop *stop)
{
  omen_pin first = { t, stop->cut, stop };
  uint32_t set = omen_standstill_set (c->s, t, stop->cut);
  if (stop->lock != OMEN_NONE)
    ask_ended (c, &first);
  if (!c->s->model->sets[set].locks && !c->waited_for[t])
    return;
  c->pins[0] = first;
  c->sets[0] = set;
  c->count = 1;
  extend_cycle (c);
}

void
omen_standstill_cycles (omen_standstill *s)
{
  cycle c = { .s = s };
  uint32_t threads = s->model->thread_count;
  omen_map_init (&c.asks);
  c.waited_for = omen_zalloc (threads + (size_t)1, sizeof *c.waited_for);
  for (omen_tid t = 0; t < threads; t++)
    for (size_t i = 0; i < s->stops[t].count; i++)
      if (s->stops[t].data[i].reason == OMEN_STOP_THREAD)
        c.waited_for[s->stops[t].data[i].object] = true;
  for (omen_tid t = 0; t < threads; t++)
    for (size_t i = 0; i < s->stops[t].count && s->go_on; i++)
      if (can_close (&s->stops[t].data[i]))
        start_at (&c, t, &s->stops[t].data[i]);
  s->stats->undecided += c.examined > CYCLES_MAX;
  omen_map_fini (&c.asks);
  omen_free (c.waited_for);
}
