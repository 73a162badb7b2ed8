#include "predict/decider.h"

#include <string.h>

#define DEPTH_MAX 16u /* rmws in a chain, each tainted by the next */

struct omen_decider {
  const omen_model *model;
  const omen_predict_options *options;
  omen_rf_search *search;
  uint32_t *room; /* storage for the base of plans */
  const omen_window *window;
  omen_engine *engine;
  omen_engine_stats stats;
};

omen_decider *
omen_decider_new (const omen_model *model, const omen_quick *quick,
                  const omen_predict_options *options)
{
  omen_decider *d = omen_zalloc (1, sizeof *d);
  OMEN_REQUIRE (options->model == OMEN_MODEL_RF
                || options->model == OMEN_MODEL_VALUE
                || options->model == OMEN_MODEL_SLICED);
  d->model = model;
  d->options = options;
  d->search
      = omen_rf_search_new (model, quick, options->model != OMEN_MODEL_RF);
  d->room = omen_alloc (model->thread_count * sizeof *d->room);
  return d;
}

void
omen_decider_free (omen_decider *d)
{
  if (!d)
    return;
  omen_decider_aim (d, NULL);
  omen_rf_search_free (d->search);
  omen_free (d->room);
  omen_free (d);
}

void
omen_decider_aim (omen_decider *d, const omen_window *window)
{
  if (d->engine) {
    omen_engine_stats_add (&d->stats, omen_engine_counts (d->engine));
    omen_engine_free (d->engine);
    d->engine = NULL;
  }
  OMEN_REQUIRE (!window || window->model == d->model);
  d->window = window;
  if (window)
    d->engine = omen_engine_new (window, &d->options->engine);
}

void
omen_decider_counts (omen_decider *d, omen_engine_stats *sum)
{
  const omen_window *window = d->window;
  omen_decider_aim (d, NULL);
  omen_engine_stats_add (sum, &d->stats);
  memset (&d->stats, 0, sizeof d->stats);
  omen_decider_aim (d, window);
}

/* ---- the engine ---- */

/* A question: reads-from constraints for the read and, if the rival has to be
   tainted, along the chain of rmws that taint it. */
typedef struct asking {
  omen_decider *d;
  const omen_triple *q;
  omen_rf_order order;
  omen_decided *decided;
  omen_seen rf[DEPTH_MAX];
  omen_eid last[DEPTH_MAX];
  uint32_t depth;
} asking;

static bool
in_past (const asking *a, omen_eid e)
{
  return omen_model_position (a->d->model, e) < a->d->window->from;
}

/* A compare-exchange is a rival only where it succeeds. */
static bool
must_succeed (const omen_decider *d, omen_eid rival)
{
  return rival != OMEN_NONE
         && omen_event_is_cas (omen_model_event (d->model, rival));
}

static omen_question
question_of (const asking *a, omen_eid pair[2])
{
  const omen_triple *q = a->q;
  omen_question question = {
    .rf = a->rf, .rf_count = a->depth, .last = a->last, .lasts = a->depth
  };
  if (must_succeed (a->d, q->rival)) {
    question.kept = &q->rival;
    question.kepts = 1;
    question.take = &q->rival;
    question.takes = 1;
  }
  if (a->order == OMEN_RF_CR) {
    question.without = &q->writer;
    question.withouts = 1;
  } else if (a->order == OMEN_RF_CRW
             || (q->writer != OMEN_NONE && !in_past (a, q->writer))) {
    bool first = a->order == OMEN_RF_WCR;
    pair[0] = first ? q->writer : q->read;
    pair[1] = first ? q->rival : q->writer;
    question.order = pair;
    question.orders = 1;
  }
  return question;
}

static omen_verdict
ask_engine (asking *a)
{
  omen_eid pair[2];
  omen_question question = question_of (a, pair);
  omen_engine_answer answer;
  omen_verdict verdict = omen_engine_ask (a->d->engine, &question, &answer);
  a->decided->asked = true;
  if (a->decided->stage < answer.stage)
    a->decided->stage = answer.stage;
  a->decided->decisions += answer.decisions;
  if (verdict == OMEN_FOUND)
    a->decided->sequence = answer.events;
  else
    OMEN_VEC_FINI (answer.events);
  return verdict;
}

/* These events are the last of their threads in the question. */
static bool
is_thread_asked_about (const asking *a, omen_eid e)
{
  const omen_model *m = a->d->model;
  for (uint32_t i = 0; i < a->depth; i++)
    if (omen_model_thread (m, a->last[i]) == omen_model_thread (m, e))
      return true;
  return false;
}

/* Could the constraints so far hold? If not, adding more is useless. */
static bool
may_go_deeper (asking *a)
{
  bool may = ask_engine (a) != OMEN_ABSENT;
  OMEN_VEC_FINI (a->decided->sequence);
  return may;
}

static omen_verdict ask_tainted (asking *a, omen_eid e);

/* The same with the rmw e seeing this write. */
static omen_verdict
taint_by (asking *a, omen_eid e, omen_eid write, uint32_t atom)
{
  const omen_model *m = a->d->model;
  bool same = omen_model_same_value (m, e, write, atom);
  omen_verdict verdict;
  if (write == e
      || (same
          && (write == OMEN_NONE || is_thread_asked_about (a, write)
              || omen_model_event (m, write)->kind != OMEN_ATOMIC_RMW)))
    return OMEN_ABSENT;
  OMEN_ASSERT (a->depth > 0 && a->depth < DEPTH_MAX);
  a->rf[a->depth] = (omen_seen){ e, write, atom };
  a->last[a->depth++] = e;
  if (!same)
    verdict = ask_engine (a);
  else
    verdict = may_go_deeper (a) ? ask_tainted (a, write) : OMEN_ABSENT;
  a->depth--;
  return verdict;
}

/* Can the rmw e, as the last of its thread, see in some atom another value
   than in the trace? */
static omen_verdict
ask_tainted (asking *a, omen_eid e)
{
  const omen_model *m = a->d->model;
  omen_span span = omen_model_atoms (m, e);
  omen_verdict best = OMEN_ABSENT;
  if (a->depth == DEPTH_MAX)
    return OMEN_UNKNOWN;
  for (uint32_t x = span.first; x < span.first + span.count; x++)
    for (uint32_t i = m->atoms[x].first; i <= m->atoms[x + 1].first; i++) {
      omen_eid write = i < m->atoms[x + 1].first ? m->accesses[i] : OMEN_NONE;
      omen_verdict verdict;
      if (write != OMEN_NONE
          && !omen_kind_writes (omen_model_event (m, write)->kind))
        continue;
      verdict = taint_by (a, e, write, x);
      if (verdict == OMEN_FOUND)
        return verdict;
      if (verdict == OMEN_UNKNOWN)
        best = OMEN_UNKNOWN;
    }
  return best;
}

/* Is the question within the window: read and rival inside, the writer inside,
   too, or, if it only has to come first, before it? */
static bool
in_window (const asking *a)
{
  const omen_window *w = a->d->window;
  const omen_model *m = a->d->model;
  const omen_triple *q = a->q;
  uint32_t at;
  OMEN_ASSERT (w->from <= w->to);
  if (omen_model_position (m, q->read) - w->from >= w->to - w->from)
    return false;
  if (q->rival == OMEN_NONE
          ? w->from > 0
          : omen_model_position (m, q->rival) - w->from >= w->to - w->from)
    return false;
  if (q->writer == OMEN_NONE)
    return true;
  at = omen_model_position (m, q->writer);
  return at < w->to && (at >= w->from || a->order == OMEN_RF_WCR);
}

/* The question that the read sees the rival. */
static asking
ask_about (omen_decider *d, const omen_triple *q, omen_rf_order order,
           omen_decided *decided)
{
  asking a = { .d = d, .q = q, .order = order, .decided = decided };
  a.rf[0] = (omen_seen){ q->read, q->rival, q->atom };
  a.last[0] = q->read;
  a.depth = 1;
  return a;
}

uint32_t
omen_decider_choices (omen_decider *d, const omen_rival *rival,
                      omen_rf_order order)
{
  asking a = ask_about (d, &rival->triple, order, NULL);
  omen_eid pair[2];
  omen_question question = question_of (&a, pair);
  OMEN_REQUIRE (d->engine);
  if (!omen_rf_goes_on (d->search, &rival->triple, order))
    return 0;
  return omen_engine_choices (d->engine, &question);
}

omen_verdict
omen_decide_searched (omen_decider *d, const omen_rival *rival,
                      omen_rf_order order, omen_decided *decided)
{
  const omen_triple *q = &rival->triple;
  asking a = ask_about (d, q, order, decided);
  OMEN_REQUIRE (d->engine);
  memset (decided, 0, sizeof *decided);
  decided->quick = OMEN_UNKNOWN;
  if (order == OMEN_RF_WCR ? q->rival == OMEN_NONE : q->writer == OMEN_NONE)
    return OMEN_ABSENT;
  if (!in_window (&a))
    return OMEN_UNKNOWN;
  return rival->only_tainted ? ask_tainted (&a, q->rival) : ask_engine (&a);
}

omen_verdict
omen_decide (omen_decider *d, const omen_rival *rival, omen_rf_order order,
             omen_decided *decided)
{
  omen_verdict verdict;
  memset (decided, 0, sizeof *decided);
  decided->plan.base = d->room;
  verdict = omen_rf_ask (d->search, &rival->triple, order, &decided->plan);
  if (verdict == OMEN_FOUND
      && (rival->only_tainted || must_succeed (d, rival->triple.rival)))
    verdict = OMEN_UNKNOWN;
  if (d->options->engine.z3_only)
    verdict = OMEN_UNKNOWN;
  decided->quick = verdict;
  OMEN_ASSERT (!decided->asked && !decided->sequence.count);
  if (verdict == OMEN_UNKNOWN && d->engine)
    verdict = omen_decide_searched (d, rival, order, decided);
  return verdict;
}
