#include "predict/standstill.h"

#include <string.h>

#define STEPS_MAX 1000000u  /* limit of steps of the search */
#define STEPS_OF_ONE 20000u /* limit for one stop */
#define ASKS_MAX                                                               \
  50u /* questions about one line; one left open counts as several */

/* How many events a thread may have executed. */
typedef struct room {
  uint32_t low, high;
} room;

/* The state that the search gives a thread. */
typedef enum place { UNDECIDED, STOPPED, ENDED, NOT_BEGUN } place;

typedef struct level {
  room *rooms;    /* by thread */
  uint8_t *place; /* by thread */
} level;

typedef struct search {
  omen_standstill *s;
  omen_pin *pins; /* by thread */
  level *levels;  /* by depth */
  omen_ids asleep;
  omen_tid core; /* thread of the first stop that is for more than locks and
                    threads */
  uint32_t steps, all_steps;
  omen_map asks; /* by location of the core stop: questions */
  bool cut_short;
} search;

/* ---- one thread is put somewhere ---- */

static uint32_t
must (const search *x, omen_eid e, omen_tid t)
{
  return omen_quick_must (x->s->quick, e)[t];
}

/* The most events that u can have executed if t has executed only `cut`. */
static uint32_t
most_of (const search *x, omen_tid u, room now, omen_tid t, uint32_t cut)
{
  const omen_trace *trace = x->s->model->trace;
  return OMEN_FIRST_NOT (i, now.low, now.high,
                         must (x, omen_trace_nth (trace, u, i), t) <= cut);
}

static bool
narrow (search *x, level *l, omen_tid t, uint32_t cut)
{
  const omen_model *m = x->s->model;
  omen_eid last = cut ? omen_trace_nth (m->trace, t, cut - 1) : OMEN_NONE;
  for (omen_tid u = 0; u < m->thread_count; u++) {
    room *r = &l->rooms[u];
    uint32_t least = last == OMEN_NONE || u == t ? 0 : must (x, last, u);
    if (u == t)
      continue;
    r->low = least > r->low ? least : r->low;
    if (r->low > r->high)
      return false;
    r->high = most_of (x, u, *r, t, cut);
  }
  return true;
}

/* Narrow the thread that forks t: the fork has been executed if t has begun,
   and has not if it has not. */
static bool
narrow_fork (search *x, level *l, omen_tid t, bool begun)
{
  omen_eid fork = x->s->fork[t];
  room *r;
  uint32_t index;
  if (fork == OMEN_NONE)
    return begun;
  r = &l->rooms[omen_model_thread (x->s->model, fork)];
  index = x->s->model->trace->index[fork];
  if (begun)
    r->low = index + 1 > r->low ? index + 1 : r->low;
  else
    r->high = index < r->high ? index : r->high;
  return r->low <= r->high;
}

/* ---- all threads are somewhere ---- */

static bool
is_there (const level *l, omen_tid t)
{
  return l->place[t] == STOPPED || l->place[t] == ENDED;
}

static bool
is_kept (const search *x, const level *l, omen_tid own)
{
  const omen_standstill *s = x->s;
  const omen_stop *stop = x->pins[own].stop;
  bool asks = omen_model_event (s->model, stop->event)->kind == OMEN_REQUEST;
  for (omen_tid t = 0; stop->lock != OMEN_NONE && t < s->model->thread_count;
       t++)
    if (is_there (l, t) && (t != own || asks)
        && omen_standstill_keeps (s, omen_standstill_set (s, t, x->pins[t].cut),
                                  stop))
      return true;
  return false;
}

static bool
is_done (const search *x, omen_eid e)
{
  return x->s->model->trace->index[e]
         < x->pins[omen_model_thread (x->s->model, e)].cut;
}

static int64_t
change_of (const omen_model *m, omen_eid e)
{
  unsigned kind = omen_model_event (m, e)->kind;
  return kind == OMEN_SEM_UP ? 1 : kind == OMEN_SEM_DOWN ? -1 : 0;
}

/* Is the semaphore's count 0, and are all seminits before the down executed? */
static bool
is_zero (const search *x, const omen_stop *stop)
{
  const omen_model *m = x->s->model;
  uint32_t segment = m->semaphore_first[stop->object];
  int64_t count = 0;
  for (uint32_t i = segment + 1; i < m->semaphore_first[stop->object + 1]; i++)
    if (is_done (x, m->semaphores[i].init))
      segment = i;
  if (omen_model_event (m, stop->event)->kind == OMEN_SEM_DOWN
      && m->at[stop->event] != segment)
    return false;
  count = m->semaphores[segment].start;
  for (uint32_t i = m->semaphores[segment].first;
       i < m->semaphores[segment + 1].first; i++)
    if (is_done (x, m->sem_ops[i]))
      count += change_of (m, m->sem_ops[i]);
  return !count;
}

static bool
is_incomplete (const search *x, const omen_stop *stop)
{
  const omen_model *m = x->s->model;
  const omen_round *round = &m->rounds[stop->object];
  uint32_t here = 0;
  for (uint32_t i = round[0].first_arrive; i < round[1].first_arrive; i++)
    here += is_done (x, m->arrives[i]);
  return here < round->size;
}

/* Is thread t blocked at its stop? Sets *core if it waits for more than a lock
   or a thread. */
static bool
is_blocked (search *x, const level *l, omen_tid t, bool *core)
{
  const omen_stop *stop = x->pins[t].stop;
  switch (stop->reason) {
  case OMEN_STOP_LOCK:
    return is_kept (x, l, t);
  case OMEN_STOP_THREAD:
    return l->place[stop->object] == STOPPED;
  case OMEN_STOP_CONDITION:
    if (is_kept (x, l, t))
      return t != x->core; /* otherwise it is found from another core */
    *core = true;
    OMEN_VEC_PUSH (x->asleep, stop->event);
    return !stop->limited && t >= x->core;
  case OMEN_STOP_SEMAPHORE:
    *core = true;
    return is_zero (x, stop);
  default:
    *core = true;
    return is_incomplete (x, stop);
  }
}

static bool
is_standstill (search *x, const level *l)
{
  bool core = false;
  OMEN_VEC_CLEAR (x->asleep);
  for (omen_tid t = 0; t < x->s->model->thread_count; t++)
    if (l->place[t] == STOPPED && !is_blocked (x, l, t, &core))
      return false;
  return core;
}

/* Do two threads hold the same lock in conflicting modes? */
static bool
locks_exclude (const search *x, const level *l)
{
  const omen_standstill *s = x->s;
  for (omen_tid t = 0; t < s->model->thread_count; t++)
    for (omen_tid u = 0; u < t; u++) {
      uint32_t a = omen_standstill_set (s, t, x->pins[t].cut);
      uint32_t b = omen_standstill_set (s, u, x->pins[u].cut);
      if (s->model->sets[a].locks && s->model->sets[b].locks && is_there (l, t)
          && is_there (l, u) && omen_model_sets_exclude (s->model, a, b))
        return true;
    }
  return false;
}

/* Is this how the recorded run ended, so that stuck.c reports it? */
static bool
was_seen (const search *x, const level *l)
{
  for (omen_tid t = 0; t < x->s->model->thread_count; t++)
    if (l->place[t] == STOPPED
        && !(omen_model_event (x->s->model, x->pins[t].stop->event)->mode
             & OMEN_MODE_STUCK))
      return false;
  return true;
}

static bool
may_ask (search *x)
{
  const omen_standstill *s = x->s;
  uint32_t *asks;
  if (s->options->group == OMEN_GROUP_NONE)
    return true;
  asks = omen_map_at (
      &x->asks,
      omen_model_event (s->model, x->pins[x->core].stop->event)->location);
  *asks = *asks == OMEN_NONE ? 1 : *asks + 1;
  x->s->stats->candidates += *asks == 1;
  return *asks <= ASKS_MAX;
}

/* After a question stays open, only a few more are asked about its line, since
   they are likely to stay open, too. */
static void
leave_open (search *x)
{
  const omen_standstill *s = x->s;
  uint32_t *asks;
  x->s->stats->undecided++;
  if (s->options->group == OMEN_GROUP_NONE)
    return;
  asks = omen_map_at (
      &x->asks,
      omen_model_event (s->model, x->pins[x->core].stop->event)->location);
  *asks = (*asks == OMEN_NONE ? 0 : *asks) + ASKS_MAX / 3;
}

static bool
is_given_up (const search *x, const omen_stop *stop)
{
  uint32_t asks = omen_map_get (
      &x->asks, omen_model_event (x->s->model, stop->event)->location);
  return asks != OMEN_NONE && asks >= ASKS_MAX - 2;
}

static void
ask_stop (search *x, const level *l)
{
  omen_standstill *s = x->s;
  uint32_t threads = s->model->thread_count;
  omen_ids sequence = { 0 };
  omen_verdict verdict;
  if (!is_standstill (x, l) || locks_exclude (x, l) || was_seen (x, l)
      || omen_standstill_known (s, x->pins, threads)
      || omen_standstill_must_wake (s, x->pins, &x->asleep) || !may_ask (x))
    return;
  verdict = omen_standstill_ask (s, x->pins, threads, x->asleep.data,
                                 (uint32_t)x->asleep.count, &sequence);
  if (verdict == OMEN_FOUND)
    omen_standstill_report (s, x->pins, threads, &sequence);
  else if (verdict == OMEN_UNKNOWN)
    leave_open (x);
  OMEN_VEC_FINI (sequence);
}

/* ---- the search ---- */

static bool
can_end (const search *x, const level *l, omen_tid t)
{
  return x->s->ends[t]
         && l->rooms[t].high == x->s->model->trace->threads.data[t].count;
}

static bool
can_be_missing (const search *x, const level *l, omen_tid t)
{
  return x->s->fork[t] != OMEN_NONE && !l->rooms[t].low;
}

/* The thread's first stop with at least this cut. */
static size_t
first_stop (const omen_stops *stops, uint32_t cut)
{
  return OMEN_FIRST_NOT (i, 0, stops->count, stops->data[i].cut < cut);
}

/* The undecided thread with the fewest possibilities, or OMEN_NONE. */
static omen_tid
next_thread (const search *x, const level *l)
{
  omen_tid best = OMEN_NONE;
  size_t fewest = 0;
  for (omen_tid t = 0; t < x->s->model->thread_count; t++) {
    const omen_stops *stops = &x->s->stops[t];
    size_t count;
    if (l->place[t] != UNDECIDED)
      continue;
    count = first_stop (stops, l->rooms[t].high + 1)
            - first_stop (stops, l->rooms[t].low);
    count += can_end (x, l, t) + (size_t)can_be_missing (x, l, t);
    if (best == OMEN_NONE || count < fewest) {
      best = t;
      fewest = count;
    }
  }
  return best;
}

static void go_deeper (search *x, uint32_t depth);

/* Put thread t there, and search on with the other threads. */
static void
put_thread (search *x, uint32_t depth, omen_tid t, place where, uint32_t cut,
            const omen_stop *stop)
{
  const level *l = &x->levels[depth];
  level *next = &x->levels[depth + 1];
  uint32_t threads = x->s->model->thread_count;
  if (++x->steps > STEPS_OF_ONE || ++x->all_steps > STEPS_MAX) {
    x->cut_short = true;
    return;
  }
  memcpy (next->rooms, l->rooms, threads * sizeof *next->rooms);
  memcpy (next->place, l->place, threads * sizeof *next->place);
  next->place[t] = (uint8_t)where;
  next->rooms[t] = (room){ cut, cut };
  x->pins[t] = (omen_pin){ t, cut, stop };
  if (narrow_fork (x, next, t, where != NOT_BEGUN) && narrow (x, next, t, cut))
    go_deeper (x, depth + 1);
}

/* Threads before the core may stop for locks and threads only: sets in which
   they stop for more are found with them as the core. */
static bool
belongs (const search *x, omen_tid t, const omen_stop *stop)
{
  return t >= x->core || stop->reason < OMEN_STOP_CONDITION
         || stop->lock != OMEN_NONE;
}

static bool
search_is_over (const search *x)
{
  return !x->s->go_on || x->steps > STEPS_OF_ONE || x->all_steps > STEPS_MAX
         || omen_is_past (&x->s->deadline)
         || omen_standstill_known (x->s, &x->pins[x->core], 1);
}

/* Try all possibilities of the next thread: it has ended; it is at a stop,
   latest first; it has not begun. */
static void
go_deeper (search *x, uint32_t depth)
{
  const level *l = &x->levels[depth];
  omen_tid t = next_thread (x, l);
  const omen_stops *stops;
  size_t first;
  if (t == OMEN_NONE) {
    ask_stop (x, l);
    return;
  }
  stops = &x->s->stops[t];
  if (can_end (x, l, t))
    put_thread (x, depth, t, ENDED, x->s->model->trace->threads.data[t].count,
                NULL);
  first = first_stop (stops, l->rooms[t].low);
  for (size_t i = first_stop (stops, l->rooms[t].high + 1); i-- > first;) {
    if (search_is_over (x))
      return;
    if (belongs (x, t, &stops->data[i]))
      put_thread (x, depth, t, STOPPED, stops->data[i].cut, &stops->data[i]);
  }
  if (can_be_missing (x, l, t) && !search_is_over (x))
    put_thread (x, depth, t, NOT_BEGUN, 0, NULL);
}

static void
start_at (search *x, omen_tid t, const omen_stop *stop)
{
  const omen_trace *trace = x->s->model->trace;
  level *l = &x->levels[0];
  for (omen_tid u = 0; u < x->s->model->thread_count; u++) {
    l->rooms[u] = (room){ 0, trace->threads.data[u].count };
    l->place[u] = UNDECIDED;
  }
  x->core = t;
  x->steps = 0;
  x->cut_short = false;
  x->pins[t] = (omen_pin){ t, stop->cut, stop };
  if (search_is_over (x) || is_given_up (x, stop))
    return;
  put_thread (x, 0, t, STOPPED, stop->cut, stop);
  if (x->cut_short)
    leave_open (x);
}

/* Can every thread have ended, be at a stop or not have begun, with one at a
   stop for a condition, semaphore or barrier? */
static bool
is_worth_it (const omen_standstill *s)
{
  bool core = false;
  if (s->model->trace->flags & (OMEN_TRACE_PARTIAL | OMEN_TRACE_HELPED))
    return false;
  for (omen_tid t = 0; t < s->model->thread_count; t++) {
    if (!s->ends[t] && !s->stops[t].count && s->fork[t] == OMEN_NONE)
      return false;
    for (size_t i = 0; i < s->stops[t].count; i++)
      core |= s->stops[t].data[i].reason >= OMEN_STOP_CONDITION;
  }
  return core;
}

static void
search_all (omen_standstill *s)
{
  uint32_t threads = s->model->thread_count;
  search x = { .s = s };
  if (!is_worth_it (s))
    return;
  s->quick = omen_quick_new (s->model, s->options->model == OMEN_MODEL_RF
                                           ? OMEN_PRESERVE_RF
                                           : OMEN_PRESERVE_VALUE);
  omen_map_init (&x.asks);
  x.pins = omen_zalloc (threads + (size_t)1, sizeof *x.pins);
  x.levels = omen_zalloc (threads + (size_t)2, sizeof *x.levels);
  for (uint32_t i = 0; i <= threads; i++) {
    x.levels[i].rooms = omen_alloc ((threads + 1) * sizeof (room));
    x.levels[i].place = omen_alloc (threads + (size_t)1);
  }
  for (omen_tid t = 0; t < threads; t++)
    for (size_t i = s->stops[t].count; i-- > 0 && s->go_on;)
      if (s->stops[t].data[i].reason >= OMEN_STOP_CONDITION
          && !s->stops[t].data[i].limited)
        start_at (&x, t, &s->stops[t].data[i]);
  for (uint32_t i = 0; i <= threads; i++) {
    omen_free (x.levels[i].rooms);
    omen_free (x.levels[i].place);
  }
  omen_free (x.levels);
  omen_free (x.pins);
  OMEN_VEC_FINI (x.asleep);
  omen_map_fini (&x.asks);
  omen_standstill_woken_end (s);
  omen_quick_free (s->quick);
}

bool
omen_predict_standstill (const omen_model *model,
                         const omen_predict_options *options,
                         const omen_sink *sink, omen_predict_stats *stats,
                         omen_map *seen)
{
  uint32_t threads = model->thread_count;
  omen_standstill s = { .model = model,
                        .options = options,
                        .sink = sink,
                        .stats = stats,
                        .seen = seen,
                        .go_on = true };
  s.deadline = omen_predict_deadline (options, options->timeout);
  s.stops = omen_zalloc (threads + (size_t)1, sizeof *s.stops);
  s.ends = omen_zalloc (threads + (size_t)1, sizeof *s.ends);
  s.fork = omen_alloc ((threads + (size_t)1) * sizeof *s.fork);
  omen_standstill_points (&s);
  omen_standstill_prune (&s);
  s.closed = true;
  omen_standstill_cycles (&s);
  s.closed = false;
  if (s.go_on)
    search_all (&s);
  omen_standstill_ask_end (&s);
  for (omen_tid t = 0; t < threads; t++)
    OMEN_VEC_FINI (s.stops[t]);
  omen_free (s.stops);
  omen_free (s.ends);
  omen_free (s.fork);
  return s.go_on;
}
