/* Where threads can stop. */
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

/* Who arrives need not wait for the others: it does if it departs, or was seen
   to. */
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
look_at (omen_standstill *s, omen_eid e)
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

/* Events in the order of ids: those of a thread ascend. */
void
omen_standstill_points (omen_standstill *s)
{
  for (omen_tid t = 0; t < s->model->thread_count; t++)
    s->fork[t] = OMEN_NONE;
  for (omen_eid e = 0; e < s->model->event_count; e++)
    look_at (s, e);
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

/* By lock: a thread that may keep it, and whether there is another one. */
typedef struct keeper {
  omen_tid one;
  bool more;
} keeper;

static void
note_keepers (const omen_standstill *s, omen_tid t, uint32_t cut,
              keeper *keepers)
{
  const omen_model *m = s->model;
  uint32_t set = omen_standstill_set (s, t, cut);
  for (uint32_t h = m->sets[set].first; h < m->sets[set + 1].first; h++) {
    keeper *k = &keepers[m->held[h].lock];
    k->more |= k->one != OMEN_NONE && k->one != t;
    k->one = t;
  }
}

static bool
may_be_kept (const omen_stop *stop, omen_tid t, const keeper *keepers)
{
  const keeper *k = stop->lock == OMEN_NONE ? NULL : &keepers[stop->lock];
  return k && k->one != OMEN_NONE && (k->more || k->one != t);
}

static bool
may_stop (const omen_standstill *s, const omen_stop *stop, omen_tid t,
          const keeper *keepers)
{
  switch (stop->reason) {
  case OMEN_STOP_LOCK:
    return may_be_kept (stop, t, keepers)
           || omen_model_event (s->model, stop->event)->kind == OMEN_REQUEST;
  case OMEN_STOP_CONDITION:
    return !stop->limited || may_be_kept (stop, t, keepers);
  case OMEN_STOP_THREAD:
    return s->stops[stop->object].count > 0;
  default:
    return true;
  }
}

static bool
prune_once (omen_standstill *s, keeper *keepers)
{
  const omen_model *m = s->model;
  bool changed = false;
  for (omen_lid l = 0; l < m->lock_count; l++)
    keepers[l] = (keeper){ OMEN_NONE, false };
  for (omen_tid t = 0; t < m->thread_count; t++) {
    for (size_t i = 0; i < s->stops[t].count; i++)
      note_keepers (s, t, s->stops[t].data[i].cut, keepers);
    if (s->ends[t])
      note_keepers (s, t, m->trace->threads.data[t].count, keepers);
  }
  for (omen_tid t = 0; t < m->thread_count; t++) {
    omen_stops *stops = &s->stops[t];
    size_t kept = 0;
    for (size_t i = 0; i < stops->count; i++)
      if (may_stop (s, &stops->data[i], t, keepers))
        stops->data[kept++] = stops->data[i];
    changed |= kept < stops->count;
    stops->count = kept;
  }
  return changed;
}

void
omen_standstill_prune (omen_standstill *s)
{
  keeper *keepers
      = omen_alloc ((s->model->lock_count + (size_t)1) * sizeof *keepers);
  while (prune_once (s, keepers))
    ;
  omen_free (keepers);
}
