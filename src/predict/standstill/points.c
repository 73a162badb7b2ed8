/* Find where threads can stop. */
#include "predict/standstill.h"

#include <string.h>

/* ---- one event ---- */

static void
add_point (omen_standstill *s, omen_eid e, bool after, omen_stop stop)
{
  omen_tid t = omen_model_thread (s->model, e);
  stop.cut = s->model->trace->index[e] + after;
  stop.event = e;
  OMEN_VEC_PUSH (s->stops[t], stop);
}

static void
add_lock (omen_standstill *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  bool asks = event->kind == OMEN_REQUEST;
  if (asks ? omen_model_next (s->model, e) != OMEN_NONE
                 || s->model->irregular[event->object]
           : event->mode & OMEN_MODE_TRY || s->model->at[e] == OMEN_NONE)
    return;
  add_point (s, e, asks,
             (omen_stop){ .reason = OMEN_STOP_LOCK,
                          .shared = event->kind != OMEN_ACQUIRE,
                          .lock = event->object,
                          .object = OMEN_NONE });
}

static void
add_wait (omen_standstill *s, omen_eid e)
{
  const omen_model *m = s->model;
  const omen_event *event = omen_model_event (m, e);
  omen_eid back = omen_model_next (m, e);
  omen_lid lock = (omen_lid)event->value;
  bool limited = event->mode & OMEN_MODE_TIMEOUT;
  if (back != OMEN_NONE && omen_model_event (m, back)->kind == OMEN_WAKE)
    limited |= (omen_model_event (m, back)->mode & OMEN_MODE_TIMEOUT) != 0;
  if (lock != OMEN_NONE && m->irregular[lock])
    lock = OMEN_NONE;
  add_point (s, e, true,
             (omen_stop){ .reason = OMEN_STOP_CONDITION,
                          .limited = limited,
                          .lock = lock,
                          .object = event->object });
}

/* An arrival blocks only if a departure follows, or it was seen stuck. */
static void
add_arrive (omen_standstill *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  omen_eid next = omen_model_next (s->model, e);
  if (next == OMEN_NONE
          ? !(event->mode & OMEN_MODE_STUCK)
          : omen_model_event (s->model, next)->kind != OMEN_DEPART
                || omen_model_event (s->model, next)->object != event->object)
    return;
  add_point (s, e, true,
             (omen_stop){ .reason = OMEN_STOP_BARRIER,
                          .lock = OMEN_NONE,
                          .object = s->model->at[e] });
}

static void
add_other (omen_standstill *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  bool joins = omen_kind_operand (event->kind) == OMEN_OPERAND_THREAD;
  bool announced = omen_kind_waits (event->kind);
  if (event->mode & OMEN_MODE_TRY
      || (announced && omen_model_next (s->model, e) != OMEN_NONE))
    return;
  add_point (
      s, e, announced,
      (omen_stop){ .reason = joins ? OMEN_STOP_THREAD : OMEN_STOP_SEMAPHORE,
                   .lock = OMEN_NONE,
                   .object = event->object });
}

static void
collect_stop (omen_standstill *s, omen_eid e)
{
  const omen_event *event = omen_model_event (s->model, e);
  switch (event->kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
  case OMEN_REQUEST:
    add_lock (s, e);
    break;
  case OMEN_WAIT:
    add_wait (s, e);
    break;
  case OMEN_ARRIVE:
    add_arrive (s, e);
    break;
  case OMEN_JOIN:
    s->ends[event->object] = true;
    add_other (s, e);
    break;
  case OMEN_SEM_DOWN:
  case OMEN_SEM_REQUEST:
  case OMEN_JOIN_REQUEST:
    add_other (s, e);
    break;
  case OMEN_FORK:
    s->fork[event->object] = e;
    break;
  default:
    break;
  }
}

static void
find_ends (omen_standstill *s)
{
  const omen_trace *trace = s->model->trace;
  bool stuck = false;
  for (unsigned round = 0; round < 2; round++)
    for (omen_tid t = 0; t < trace->threads.count; t++) {
      uint32_t count = trace->threads.data[t].count;
      const omen_event *last
          = count
                ? omen_trace_event (trace, omen_trace_nth (trace, t, count - 1))
                : NULL;
      bool says = last && last->mode & OMEN_MODE_STUCK;
      stuck |= says;
      if (round)
        s->ends[t] |= (stuck && !says) || (last && last->kind == OMEN_ENDED);
    }
}

/* Walks in the order of ids, in which each thread's events ascend. */
void
omen_standstill_points (omen_standstill *s)
{
  for (omen_tid t = 0; t < s->model->thread_count; t++)
    s->fork[t] = OMEN_NONE;
  for (omen_eid e = 0; e < s->model->event_count; e++)
    collect_stop (s, e);
  find_ends (s);
}

/* ---- locks ---- */

uint32_t
omen_standstill_set (const omen_standstill *s, omen_tid t, uint32_t cut)
{
  const omen_trace *trace = s->model->trace;
  return cut < trace->threads.data[t].count
             ? s->model->set_of[omen_trace_nth (trace, t, cut)]
             : s->model->end_set[t];
}

bool
omen_standstill_keeps (const omen_standstill *s, uint32_t set,
                       const omen_stop *stop)
{
  const omen_model *m = s->model;
  for (uint32_t h = m->sets[set].first; h < m->sets[set + 1].first; h++)
    if (m->held[h].lock == stop->lock
        && (!stop->shared || m->held[h].mode == OMEN_LOCK_WRITE))
      return true;
  return false;
}

/* ---- what cannot be ---- */

typedef struct pruning {
  omen_standstill *s;
  uint32_t *keepers; /* by lock: number of threads that may hold it */
  omen_map keeps;    /* (lock, thread) -> number of its stops with the lock */
  uint32_t *first;   /* by thread: number of its first stop */
  uint32_t *left;    /* by thread: stops not removed */
  uint8_t *gone;     /* by number: removed */
  uint32_t *wanted;  /* by lock: the last stop that requests it, + 1; and */
  uint32_t *others;  /* by number: the one before that */
  omen_ids fewer;    /* locks that fewer threads may hold than before */
} pruning;

static void
add_keeps (pruning *p, omen_tid t, uint32_t cut)
{
  const omen_model *m = p->s->model;
  uint32_t set = omen_standstill_set (p->s, t, cut);
  for (uint32_t h = m->sets[set].first; h < m->sets[set + 1].first; h++) {
    omen_lid lock = m->held[h].lock;
    uint32_t *keeps = omen_map_at (&p->keeps, OMEN_PAIR (lock, t));
    *keeps = *keeps == OMEN_NONE ? 1 : *keeps + 1;
    p->keepers[lock] += *keeps == 1;
  }
}

static void
take_keeps (pruning *p, omen_tid t, uint32_t cut)
{
  const omen_model *m = p->s->model;
  uint32_t set = omen_standstill_set (p->s, t, cut);
  for (uint32_t h = m->sets[set].first; h < m->sets[set + 1].first; h++) {
    omen_lid lock = m->held[h].lock;
    if (--*omen_map_at (&p->keeps, OMEN_PAIR (lock, t)))
      continue;
    p->keepers[lock]--;
    OMEN_VEC_PUSH (p->fewer, lock);
  }
}

static bool
may_be_kept (const pruning *p, const omen_stop *stop, omen_tid t)
{
  uint32_t mine;
  if (stop->lock == OMEN_NONE)
    return false;
  mine = omen_map_get (&p->keeps, OMEN_PAIR (stop->lock, t));
  return p->keepers[stop->lock] > (mine != OMEN_NONE && mine > 0);
}

static bool
may_stop (const pruning *p, const omen_stop *stop, omen_tid t)
{
  switch (stop->reason) {
  case OMEN_STOP_LOCK:
    return may_be_kept (p, stop, t)
           || omen_model_event (p->s->model, stop->event)->kind == OMEN_REQUEST;
  case OMEN_STOP_CONDITION:
    return !stop->limited || may_be_kept (p, stop, t);
  case OMEN_STOP_THREAD:
    return p->left[stop->object] > 0;
  default:
    return true;
  }
}

static void
prune_at (pruning *p, omen_tid t, uint32_t number)
{
  const omen_stop *stop = &p->s->stops[t].data[number - p->first[t]];
  if (p->gone[number] || may_stop (p, stop, t))
    return;
  p->gone[number] = 1;
  p->left[t]--;
  take_keeps (p, t, stop->cut);
}

static omen_tid
thread_of (const pruning *p, uint32_t number)
{
  omen_tid low = 0, high = p->s->model->thread_count;
  while (high - low > 1) {
    omen_tid middle = low + (high - low) / 2;
    if (p->first[middle] <= number)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Does a remaining stop wait for a thread without stops? */
static bool
waits_for_none (const pruning *p)
{
  for (omen_tid t = 0; t < p->s->model->thread_count; t++)
    for (uint32_t i = 0; i < p->s->stops[t].count; i++) {
      const omen_stop *stop = &p->s->stops[t].data[i];
      if (!p->gone[p->first[t] + i] && stop->reason == OMEN_STOP_THREAD
          && !p->left[stop->object])
        return true;
    }
  return false;
}

static void
begin_pruning (pruning *p)
{
  omen_tid threads = p->s->model->thread_count;
  uint32_t count = 0;
  p->first = omen_zalloc (threads + (size_t)1, sizeof *p->first);
  p->left = omen_zalloc (threads + (size_t)1, sizeof *p->left);
  for (omen_tid t = 0; t < threads; t++) {
    p->first[t] = count;
    p->left[t] = (uint32_t)p->s->stops[t].count;
    count += p->left[t];
  }
  p->gone = omen_zalloc (count + (size_t)1, 1);
  p->others = omen_zalloc (count + (size_t)1, sizeof *p->others);
  for (omen_tid t = 0; t < threads; t++) {
    for (uint32_t i = 0; i < p->s->stops[t].count; i++) {
      const omen_stop *stop = &p->s->stops[t].data[i];
      add_keeps (p, t, stop->cut);
      if (stop->lock == OMEN_NONE)
        continue;
      p->others[p->first[t] + i] = p->wanted[stop->lock];
      p->wanted[stop->lock] = p->first[t] + i + 1;
    }
    if (p->s->ends[t])
      add_keeps (p, t, p->s->model->trace->threads.data[t].count);
  }
}

static void
end_pruning (pruning *p)
{
  for (omen_tid t = 0; t < p->s->model->thread_count; t++) {
    omen_stops *stops = &p->s->stops[t];
    size_t kept = 0;
    for (size_t i = 0; i < stops->count; i++)
      if (!p->gone[p->first[t] + i])
        stops->data[kept++] = stops->data[i];
    stops->count = kept;
  }
  omen_map_fini (&p->keeps);
  OMEN_VEC_FINI (p->fewer);
  omen_free (p->keepers);
  omen_free (p->wanted);
  omen_free (p->first);
  omen_free (p->left);
  omen_free (p->gone);
  omen_free (p->others);
}

/* Removing a stop may make others impossible: stops for a lock that no other
   thread holds now. All are checked again if some wait for threads without
   stops. */
void
omen_standstill_prune (omen_standstill *s)
{
  size_t locks = s->model->lock_count + (size_t)1;
  pruning p = { .s = s,
                .keepers = omen_zalloc (locks, sizeof (uint32_t)),
                .wanted = omen_zalloc (locks, sizeof (uint32_t)) };
  omen_map_init (&p.keeps);
  begin_pruning (&p);
  do {
    for (omen_tid t = 0; t < p.s->model->thread_count; t++)
      for (size_t i = 0; i < p.s->stops[t].count; i++)
        prune_at (&p, t, p.first[t] + (uint32_t)i);
    while (p.fewer.count)
      for (uint32_t n = p.wanted[OMEN_VEC_POP (p.fewer)]; n;
           n = p.others[n - 1])
        prune_at (&p, thread_of (&p, n - 1), n - 1);
  } while (waits_for_none (&p));
  end_pruning (&p);
}
