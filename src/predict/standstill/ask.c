/* Asks the engine about a set of stops, and reports it. */
#include "predict/standstill.h"
#include "predict/windows.h"

#include <stdlib.h>
#include <string.h>

/* The window of the last question, and buffers for questions. */
struct omen_standstill_view {
  omen_window *window;
  omen_engine *engine;
  uint32_t *cut_of; /* by thread: its cut in the question, or OMEN_NONE */
  omen_ids last, take, without, order;
};

/* ---- windows ---- */

static void
close_view (omen_standstill *s)
{
  struct omen_standstill_view *v = s->view;
  if (v->engine)
    omen_engine_stats_add (&s->stats->engine, omen_engine_counts (v->engine));
  omen_engine_free (v->engine);
  omen_window_free (v->window);
  v->engine = NULL;
  v->window = NULL;
}

/* Decisions cost time proportional to the window, and questions that need many
   are seldom decided: so the budget is a product. */
#define WORK_MAX 1000000u /* nodes times decisions */
#define LEAST_STEPS 48u

static omen_engine *
engine_for (const omen_standstill *s, const omen_window *window)
{
  omen_engine_options options = s->options->engine;
  uint64_t steps = WORK_MAX / (window->problem.nodes + (uint64_t)1);
  if (steps < LEAST_STEPS)
    steps = LEAST_STEPS;
  if (!options.budget.steps || options.budget.steps > steps)
    options.budget.steps = steps;
  return omen_engine_new (window, &options);
}

static void
open_view (omen_standstill *s, uint32_t from, uint32_t to)
{
  /* under sliced, too: it allows all that value does */
  omen_preserve how = s->options->model == OMEN_MODEL_RF ? OMEN_PRESERVE_RF
                                                         : OMEN_PRESERVE_VALUE;
  struct omen_standstill_view *v = s->view;
  if (!v) {
    v = s->view = omen_zalloc (1, sizeof *v);
    v->cut_of = omen_alloc (s->model->thread_count * sizeof *v->cut_of);
  }
  if (v->window && v->window->from == from && v->window->to == to)
    return;
  close_view (s);
  v->window = omen_window_new (s->model, how, from, to);
  v->engine = engine_for (s, v->window);
}

void
omen_standstill_ask_end (omen_standstill *s)
{
  if (!s->view)
    return;
  close_view (s);
  omen_free (s->view->cut_of);
  OMEN_VEC_FINI (s->view->last);
  OMEN_VEC_FINI (s->view->take);
  OMEN_VEC_FINI (s->view->without);
  OMEN_VEC_FINI (s->view->order);
  omen_free (s->view);
}

/* Positions from the first event that must not be executed to the last that
   must. */
static void
extent_of (const omen_standstill *s, const omen_pin *pins, uint32_t count,
           uint32_t *low, uint32_t *high)
{
  const omen_trace *trace = s->model->trace;
  *low = s->model->event_count;
  *high = 0;
  for (uint32_t i = 0; i < count; i++) {
    omen_tid t = pins[i].thread;
    uint32_t cut = pins[i].cut, at;
    if (cut < trace->threads.data[t].count) {
      at = omen_model_position (s->model, omen_trace_nth (trace, t, cut));
      *low = at < *low ? at : *low;
    }
    if (cut) {
      at = omen_model_position (s->model, omen_trace_nth (trace, t, cut - 1));
      *high = at >= *high ? at + 1 : *high;
    }
  }
  *low = *low < *high ? *low : *high;
}

/* ---- the question ---- */

static bool
is_done (const struct omen_standstill_view *v, const omen_model *m, omen_eid e)
{
  uint32_t cut = v->cut_of[omen_model_thread (m, e)];
  return cut == OMEN_NONE || m->trace->index[e] < cut;
}

static omen_eid
node_before (const struct omen_standstill_view *v, omen_tid t, uint32_t cut)
{
  const omen_trace *trace = v->window->model->trace;
  for (uint32_t i = cut; i-- > v->window->thread_start[t];)
    if (omen_window_node (v->window, omen_trace_nth (trace, t, i)) != OMEN_NONE)
      return omen_trace_nth (trace, t, i);
  return OMEN_NONE;
}

static omen_eid
node_after (const struct omen_standstill_view *v, omen_tid t, uint32_t cut)
{
  const omen_trace *trace = v->window->model->trace;
  for (uint32_t i = cut; i < trace->threads.data[t].count; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    if (omen_model_position (v->window->model, e) >= v->window->to)
      break;
    if (omen_window_node (v->window, e) != OMEN_NONE)
      return e;
  }
  return OMEN_NONE;
}

/* Fix the thread at its cut; false if the window does not contain it. */
static bool
pin (struct omen_standstill_view *v, const omen_pin *pin)
{
  const omen_model *m = v->window->model;
  omen_tid t = pin->thread;
  omen_eid e;
  v->cut_of[t] = pin->cut;
  if (v->window->thread_start[t] > pin->cut
      || (pin->cut
          && omen_model_position (m, omen_trace_nth (m->trace, t, pin->cut - 1))
                 >= v->window->to))
    return false;
  e = node_before (v, t, pin->cut);
  if (e != OMEN_NONE)
    OMEN_VEC_PUSH (v->last, e);
  else if ((e = node_after (v, t, pin->cut)) != OMEN_NONE)
    OMEN_VEC_PUSH (v->without, e);
  return true;
}

/* Is there another wait on the condition that may take a notify? */
static bool
has_others (const struct omen_standstill_view *v, uint32_t condition,
            const omen_eid *asleep, uint32_t asleeps)
{
  const omen_model *m = v->window->model;
  for (uint32_t i = m->condition_waits[condition];
       i < m->condition_waits[condition + 1]; i++) {
    bool stays = false;
    for (uint32_t k = 0; k < asleeps; k++)
      stays |= asleep[k] == m->waits[i].wait;
    if (!stays && is_done (v, m, m->waits[i].wait))
      return true;
  }
  return false;
}

/* If no other wait can take them, notifies come before this wait; notifyalls
   always do. False: not possible in this window. */
static bool
order_notifies (struct omen_standstill_view *v, omen_eid wait, bool others)
{
  const omen_window *w = v->window;
  const omen_model *m = w->model;
  uint32_t condition = omen_model_event (m, wait)->object;
  for (uint32_t i = m->condition_notifies[condition];
       i < m->condition_notifies[condition + 1]; i++) {
    omen_eid n = m->notifies[i];
    bool past = omen_model_position (m, n) < w->from;
    bool wait_past = omen_model_position (m, wait) < w->from;
    if (!is_done (v, m, n)
        || (others && omen_model_event (m, n)->kind == OMEN_NOTIFY))
      continue;
    if (omen_model_thread (m, n) == omen_model_thread (m, wait)) {
      OMEN_ASSERT (m->trace->index[n] < m->trace->index[wait]);
      continue;
    }
    if (wait_past
        && (!past
            || omen_model_position (m, wait) < omen_model_position (m, n)))
      return false;
    if (past)
      continue;
    OMEN_VEC_PUSH (v->order, n);
    OMEN_VEC_PUSH (v->order, wait);
  }
  return true;
}

/* A thread that has begun was forked, even if none of its events is a node. */
static bool
take_fork (struct omen_standstill_view *v, omen_eid fork)
{
  uint32_t at = omen_model_position (v->window->model, fork);
  if (at >= v->window->to)
    return false;
  if (at >= v->window->from)
    OMEN_VEC_PUSH (v->take, fork);
  return true;
}

static bool
pose (const omen_standstill *s, const omen_pin *pins, uint32_t count,
      const omen_eid *asleep, uint32_t asleeps, omen_question *q)
{
  struct omen_standstill_view *v = s->view;
  const omen_model *m = v->window->model;
  OMEN_VEC_CLEAR (v->last);
  OMEN_VEC_CLEAR (v->take);
  OMEN_VEC_CLEAR (v->without);
  OMEN_VEC_CLEAR (v->order);
  memset (v->cut_of, 0xff, m->thread_count * sizeof *v->cut_of);
  for (uint32_t i = 0; i < count; i++)
    if (!pin (v, &pins[i])
        || ((pins[i].stop || pins[i].cut)
            && s->fork[pins[i].thread] != OMEN_NONE
            && !take_fork (v, s->fork[pins[i].thread])))
      return false;
  for (size_t i = 0; i < v->last.count; i++)
    OMEN_VEC_PUSH (v->take, v->last.data[i]);
  for (uint32_t i = 0; i < asleeps; i++)
    if (!order_notifies (v, asleep[i],
                         has_others (v, omen_model_event (m, asleep[i])->object,
                                     asleep, asleeps)))
      return false;
  *q = (omen_question){ .take = v->take.data,
                        .takes = (uint32_t)v->take.count,
                        .kept = v->take.data,
                        .kepts = (uint32_t)v->take.count,
                        .last = v->last.data,
                        .lasts = (uint32_t)v->last.count,
                        .without = v->without.data,
                        .withouts = (uint32_t)v->without.count,
                        .order = v->order.data,
                        .orders = (uint32_t)v->order.count / 2,
                        .asleep = asleep,
                        .asleeps = asleeps };
  return true;
}

/* Append the events that the window leaves out, up to the threads' cuts. */
static void
append_left_out (const struct omen_standstill_view *v, omen_ids *events)
{
  const omen_model *m = v->window->model;
  uint32_t *reached = omen_zalloc (m->thread_count + 1, sizeof *reached);
  for (size_t i = 0; i < events->count; i++)
    reached[omen_model_thread (m, events->data[i])]++;
  for (omen_tid t = 0; t < m->thread_count; t++)
    while (v->cut_of[t] != OMEN_NONE && reached[t] < v->cut_of[t])
      OMEN_VEC_PUSH (*events, omen_trace_nth (m->trace, t, reached[t]++));
  omen_free (reached);
}

static omen_verdict
ask_in (omen_standstill *s, const omen_range *range, const omen_pin *pins,
        uint32_t count, const omen_eid *asleep, uint32_t asleeps,
        omen_ids *sequence)
{
  omen_engine_answer answer;
  omen_question q;
  omen_verdict verdict;
  open_view (s, range->from, range->to);
  if (!pose (s, pins, count, asleep, asleeps, &q))
    return OMEN_UNKNOWN;
  verdict = omen_engine_ask (s->view->engine, &q, &answer);
  *sequence = answer.events;
  if (verdict == OMEN_FOUND)
    append_left_out (s->view, sequence);
  return verdict;
}

/* In a window as small as seems sufficient first. */
omen_verdict
omen_standstill_ask (omen_standstill *s, const omen_pin *pins, uint32_t count,
                     const omen_eid *asleep, uint32_t asleeps,
                     omen_ids *sequence)
{
  uint32_t all = s->model->event_count, least = OMEN_HARD_OR (8u, 1024u);
  uint32_t most = omen_predict_window (s->options), low, high, small;
  omen_range range;
  omen_verdict verdict;
  extent_of (s, pins, count, &low, &high);
  small = (high - low) * 4 > least ? (high - low) * 4 : least;
  if (small < all && small < most) {
    range = (omen_range){ high > small ? high - small : 0,
                          high > small ? high : small };
    verdict = ask_in (s, &range, pins, count, asleep, asleeps, sequence);
    if (verdict != OMEN_UNKNOWN)
      return verdict;
    OMEN_VEC_FINI (*sequence);
  }
  range = (omen_range){ 0, all };
  if (all > most)
    range = (omen_range){ high > most ? high - most : 0,
                          high > most ? high : most };
  return ask_in (s, &range, pins, count, asleep, asleeps, sequence);
}

/* ---- reports ---- */

static bool
is_core (const omen_model *m, omen_eid e)
{
  unsigned kind = omen_model_event (m, e)->kind;
  return kind == OMEN_WAIT || kind == OMEN_ARRIVE || kind == OMEN_SEM_DOWN
         || kind == OMEN_SEM_REQUEST;
}

uint64_t
omen_standstill_key (const omen_model *m, const omen_eid *events,
                     uint32_t count, bool core_only)
{
  uint64_t key = 0;
  for (uint32_t i = 0; i < count; i++) {
    uint64_t part = omen_model_event (m, events[i])->location + (uint64_t)1;
    if (core_only && !is_core (m, events[i]))
      continue;
    part *= 0x9e3779b97f4a7c15u;
    key += (part ^ part >> 29) + 1;
  }
  return key >> 1;
}

/* Where threads wait that wait only for locks and threads does not matter,
   unless the set is closed. */
static uint64_t
key_of_pins (const omen_standstill *s, const omen_pin *pins, uint32_t count)
{
  omen_ids events = { 0 };
  uint64_t key;
  for (uint32_t i = 0; i < count; i++)
    if (pins[i].stop)
      OMEN_VEC_PUSH (events, pins[i].stop->event);
  key = omen_standstill_key (s->model, events.data, (uint32_t)events.count,
                             !s->closed);
  OMEN_VEC_FINI (events);
  return key;
}

bool
omen_standstill_known (omen_standstill *s, const omen_pin *pins, uint32_t count)
{
  return s->options->group != OMEN_GROUP_NONE
         && omen_map_get (s->seen, key_of_pins (s, pins, count)) != OMEN_NONE;
}

static int
by_event (const void *left, const void *right)
{
  const omen_eid *a = left, *b = right;
  return *a < *b ? -1 : *a > *b;
}

void
omen_standstill_report (omen_standstill *s, const omen_pin *pins,
                        uint32_t count, omen_ids *sequence)
{
  omen_ids events = { 0 };
  omen_finding finding;
  *omen_map_at (s->seen, key_of_pins (s, pins, count)) = 1;
  for (uint32_t i = 0; i < count; i++)
    if (pins[i].stop)
      OMEN_VEC_PUSH (events, pins[i].stop->event);
  qsort (events.data, events.count, sizeof *events.data, by_event);
  omen_predict_finding (s->model, s->options, OMEN_FINDING_DEADLOCK,
                        OMEN_CLAIM_STUCK, events.data, (uint32_t)events.count,
                        sequence, &finding);
  s->go_on = s->sink->found (s->sink->context, &finding);
  OMEN_VEC_FINI (events);
}
