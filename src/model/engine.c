#include "model/engine.h"
#include "base/now.h"
#include "model/asleep.h"
#include "model/order_race.h"
#include "model/together.h"
#include "solve/space.h"

#include <string.h>

struct omen_engine {
  const omen_model *model;
  omen_engine_options options;
  const omen_window *window;
  omen_solver *solver;
  omen_space *space;           /* made when first needed */
  omen_order_race *order_race; /* made when first needed */
  bool tries;                  /* some failed try orders events */
  unsigned z3_failed;          /* times in a row */
  omen_engine_stats stats;
  /* the current question, in nodes */
  omen_ids next, take, last, without, kept;
  OMEN_VEC (omen_rf_constraint) rf;
  OMEN_VEC (omen_edge) order;
  omen_together together;
  omen_asleep asleep;
};

omen_engine *
omen_engine_new (const omen_window *window, const omen_engine_options *options)
{
  omen_engine *engine = omen_zalloc (1, sizeof *engine);
  OMEN_REQUIRE (window && window->problem.edge_first);
  engine->model = window->model;
  engine->options = *options;
  engine->window = engine->asleep.window = window;
  engine->tries = omen_order_race_tries (window->model);
  engine->solver = omen_solver_new (&engine->window->problem);
  return engine;
}

void
omen_engine_free (omen_engine *engine)
{
  if (!engine)
    return;
  omen_order_race_free (engine->order_race);
  omen_solver_free (engine->solver);
  omen_space_free (engine->space);
  OMEN_VEC_FINI (engine->next);
  OMEN_VEC_FINI (engine->take);
  OMEN_VEC_FINI (engine->last);
  OMEN_VEC_FINI (engine->without);
  OMEN_VEC_FINI (engine->kept);
  OMEN_VEC_FINI (engine->rf);
  OMEN_VEC_FINI (engine->order);
  OMEN_VEC_FINI (engine->together.pairs);
  OMEN_VEC_FINI (engine->asleep.waits);
  omen_free (engine);
}

const omen_engine_stats *
omen_engine_counts (const omen_engine *engine)
{
  return &engine->stats;
}

void
omen_engine_stats_add (omen_engine_stats *sum, const omen_engine_stats *more)
{
  sum->asked += more->asked;
  sum->found += more->found;
  sum->absent += more->absent;
  sum->unknown += more->unknown;
  sum->decisions += more->decisions;
  for (int i = 0; i < OMEN_STAGES; i++) {
    sum->stage[i] += more->stage[i];
    sum->seconds[i] += more->seconds[i];
  }
}

/* ---- refuted by clocks ---- */

/* Two events cannot both be next if one must come before the other. */
static bool
next_refuted (const omen_model *m, const omen_question *q)
{
  for (uint32_t i = 0; i < q->nexts; i++)
    for (uint32_t j = 0; j < q->nexts; j++)
      if (i != j && omen_model_must_before (m, q->next[i], q->next[j]))
        return true;
  return false;
}

/* Threads stopped before their next events hold locks that exclude. */
static bool
locks_refuted (const omen_model *m, const omen_question *q)
{
  for (uint32_t i = 0; i < q->nexts; i++)
    for (uint32_t j = i + 1; j < q->nexts; j++)
      if (omen_model_sets_exclude (m, m->set_of[q->next[i]],
                                   m->set_of[q->next[j]]))
        return true;
  return false;
}

static bool
orders_refuted (const omen_model *m, const omen_question *q)
{
  for (uint32_t i = 0; i < q->orders; i++)
    if (omen_model_must_before (m, q->order[2 * i + 1], q->order[2 * i]))
      return true;
  for (uint32_t i = 0; i < q->nexts; i++)
    for (uint32_t j = 0; j < q->takes; j++)
      if (omen_model_must_before (m, q->next[i], q->take[j]))
        return true;
  return false;
}

/* The event that must come directly before e, or OMEN_NONE. */
static omen_eid
directly_before (const omen_question *q, omen_eid e)
{
  for (uint32_t i = 0; i < q->togethers; i++)
    if (q->together[2 * i + 1] == e)
      return q->together[2 * i];
  return OMEN_NONE;
}

/* Each pair puts one event directly before another, so pairs form chains
   without gaps: if a chain has two events of one thread, the later is the
   successor of the earlier in program order. A chain of more links than there
   are pairs is a cycle, in which every event would come before itself. */
static bool
togethers_refuted (const omen_model *m, const omen_question *q)
{
  for (uint32_t i = 0; i < q->togethers; i++) {
    omen_eid end = q->together[2 * i + 1], at = q->together[2 * i];
    for (uint32_t links = 1; at != OMEN_NONE; links++) {
      if (links > q->togethers)
        return true;
      if (omen_model_thread (m, at) == omen_model_thread (m, end)) {
        if (omen_model_next (m, at) != end)
          return true;
        break;
      }
      at = directly_before (q, at);
    }
  }
  return false;
}

/* An order that the rules force is synchronised, unless a failed try forces
   it. */
static bool
avoid_refuted (const omen_engine *engine, const omen_question *q)
{
  return q->has_avoid && !engine->tries
         && omen_model_must_before (engine->model, q->avoid[0], q->avoid[1]);
}

/* ---- to nodes ---- */

static bool
to_nodes (const omen_engine *engine, const omen_eid *events, uint32_t count,
          omen_ids *nodes)
{
  OMEN_VEC_CLEAR (*nodes);
  for (uint32_t i = 0; i < count; i++) {
    omen_node n;
    OMEN_REQUIRE (events[i] < engine->model->event_count);
    n = omen_window_node (engine->window, events[i]);
    if (n == OMEN_NONE)
      return false;
    OMEN_VEC_PUSH (*nodes, n);
  }
  return true;
}

/* Called after order_nodes, which has checked that all these events are
   nodes. */
static bool
together_nodes (omen_engine *engine, const omen_question *q)
{
  OMEN_REQUIRE (!q->togethers || !q->has_avoid);
  OMEN_VEC_CLEAR (engine->together.pairs);
  for (uint32_t i = 0; i < q->togethers; i++) {
    omen_node a = omen_window_node (engine->window, q->together[2 * i]);
    omen_node b = omen_window_node (engine->window, q->together[2 * i + 1]);
    OMEN_REQUIRE (a != OMEN_NONE && b != OMEN_NONE);
    OMEN_VEC_PUSH (engine->together.pairs, ((omen_edge){ a, b, false }));
  }
  return true;
}

static bool
order_nodes (omen_engine *engine, const omen_question *q)
{
  OMEN_VEC_CLEAR (engine->order);
  for (uint32_t i = 0; i < q->orders; i++) {
    omen_node a = omen_window_node (engine->window, q->order[2 * i]);
    omen_node b = omen_window_node (engine->window, q->order[2 * i + 1]);
    if (a == OMEN_NONE || b == OMEN_NONE)
      return false;
    OMEN_VEC_PUSH (engine->order, ((omen_edge){ a, b, false }));
  }
  return true;
}

static bool
rf_nodes (omen_engine *engine, const omen_question *q)
{
  OMEN_VEC_CLEAR (engine->rf);
  for (uint32_t i = 0; i < q->rf_count; i++) {
    omen_rf_constraint rf;
    if (!omen_window_rf (engine->window, q->rf[i].read, q->rf[i].writer,
                         q->rf[i].atom, &rf))
      return false;
    OMEN_VEC_PUSH (engine->rf, rf);
  }
  return true;
}

/* ---- asking ---- */

/* Absent in the window. That is a proof only if it is the whole trace. */
static omen_verdict
absent_in_window (const omen_engine *engine, omen_engine_answer *answer)
{
  OMEN_ASSERT (!answer->events.count);
  answer->beyond = !omen_window_whole (engine->window);
  return answer->beyond ? OMEN_UNKNOWN : OMEN_ABSENT;
}

#define FIRST_SEARCH 256u /* decisions of the first search */

/* Answer by enumerating the states of the window, if they are few and
   sufficient for this query. */
static bool
ask_states (omen_engine *engine, const omen_query *query, omen_answer *answer,
            omen_verdict *verdict)
{
  if (!engine->space) {
    omen_deadline deadline = omen_budget_deadline (&engine->options.budget);
    engine->space = omen_space_new (&engine->window->problem, &deadline);
  }
  if (!omen_space_can (engine->space, query))
    return false;
  *verdict = omen_space_ask (engine->space, query, answer);
  return true;
}

/* The native search with a small budget first; if that decides nothing, the
   enumeration of states; if that is not possible, the search with the full
   budget. */
static omen_verdict
ask_native (omen_engine *engine, const omen_query *query, omen_answer *answer)
{
  const omen_budget *all = &engine->options.budget;
  omen_budget some = *all;
  omen_verdict verdict;
  if (engine->options.states_first
      && ask_states (engine, query, answer, &verdict))
    return verdict;
  if (!some.steps || some.steps > FIRST_SEARCH)
    some.steps = FIRST_SEARCH;
  if (engine->space && omen_space_can (engine->space, query))
    some.steps = 1;
  verdict = omen_solver_ask (engine->solver, query, &some, answer);
  if (verdict != OMEN_UNKNOWN || answer->decisions < some.steps
      || ask_states (engine, query, answer, &verdict)
      || some.steps == all->steps)
    return verdict;
  return omen_solver_ask (engine->solver, query, all, answer);
}

static bool
is_late (const omen_engine_options *options)
{
  omen_deadline deadline = { options->budget.until, options->budget.stop };
  return omen_is_past (&deadline);
}

/* Where Z3 has given up several times in a row it gets less time, then none. */
enum { Z3_TRIES = 3, Z3_SHARE = 10, Z3_SHORT_TRIES = 10 };

static omen_verdict
ask_z3 (omen_engine *engine, const omen_query *query, omen_answer *answer)
{
  const omen_engine_options *options = &engine->options;
  bool tired = engine->z3_failed >= Z3_TRIES && !options->z3_only;
  if (tired && engine->z3_failed >= Z3_TRIES + Z3_SHORT_TRIES)
    return OMEN_UNKNOWN;
  omen_budget z3 = { .seconds = options->z3_seconds / (tired ? Z3_SHARE : 1),
                     .until = options->budget.until };
  omen_verdict verdict
      = omen_z3_ask (&engine->window->problem, query, &z3, answer);
  engine->z3_failed = verdict == OMEN_UNKNOWN ? engine->z3_failed + 1 : 0;
  return verdict;
}

/* Questions that the native search leaves open go to Z3, except those with a
   refine function or a sliced window, which only the search supports. */
static omen_verdict
ask_solvers (omen_engine *engine, const omen_query *query, omen_answer *answer)
{
  const omen_engine_options *options = &engine->options;
  omen_verdict verdict = OMEN_UNKNOWN;
  uint64_t decisions = 0;
  bool native_only = query->refine || engine->window->sliced;
  bool z3_only = options->z3_only && !native_only;
  *answer = (omen_answer){ 0 };
  if (!z3_only) {
    verdict = ask_native (engine, query, answer);
    decisions = answer->decisions;
  }
  if (verdict != OMEN_UNKNOWN || native_only
      || (!z3_only && options->z3_seconds <= 0) || is_late (options))
    return verdict;
  verdict = ask_z3 (engine, query, answer);
  answer->decisions += decisions;
  return verdict;
}

static omen_query
query_of (omen_engine *engine, const omen_question *q)
{
  omen_query query = { .next = engine->next.data,
                       .nexts = q->nexts,
                       .take = engine->take.data,
                       .takes = q->takes,
                       .last = engine->last.data,
                       .lasts = q->lasts,
                       .without = engine->without.data,
                       .withouts = q->withouts,
                       .rf = engine->rf.data,
                       .rf_count = q->rf_count,
                       .whole = q->whole,
                       .kept = engine->kept.data,
                       .kepts = q->kepts,
                       .order = engine->order.data,
                       .orders = q->orders };
  if (q->has_avoid) {
    if (!engine->order_race)
      engine->order_race = omen_order_race_new (engine->window);
    omen_order_race_aim (engine->order_race, q->avoid[0], q->avoid[1]);
    query.refine = omen_order_race_refine;
    query.context = engine->order_race;
  }
  if (q->togethers) {
    query.refine = omen_together_refine;
    query.context = &engine->together;
  }
  if (q->asleeps) {
    OMEN_REQUIRE (!query.refine);
    OMEN_VEC_CLEAR (engine->asleep.waits);
    for (uint32_t i = 0; i < q->asleeps; i++)
      OMEN_VEC_PUSH (engine->asleep.waits, q->asleep[i]);
    query.refine = omen_asleep_refine;
    query.context = &engine->asleep;
  }
  return query;
}

static omen_verdict
ask_window (omen_engine *engine, const omen_question *q,
            omen_engine_answer *answer)
{
  omen_answer found = { 0 };
  omen_query query = query_of (engine, q);
  omen_verdict verdict = ask_solvers (engine, &query, &found);
  OMEN_ASSERT (found.stage < OMEN_STAGES);
  OMEN_ASSERT (verdict == OMEN_FOUND || !found.sequence.count);
  answer->stage = found.stage;
  answer->decisions = found.decisions;
  engine->stats.decisions += found.decisions;
  if (verdict == OMEN_FOUND)
    omen_window_expand (engine->window, found.sequence.data,
                        (uint32_t)found.sequence.count, q->next, q->nexts,
                        &answer->events);
  if (verdict == OMEN_FOUND)
    omen_together_close (q->together, q->togethers, &answer->events);
  if (verdict == OMEN_FOUND && q->whole)
    omen_window_finish (engine->window, &answer->events);
  OMEN_VEC_FINI (found.sequence);
  return verdict == OMEN_ABSENT ? absent_in_window (engine, answer) : verdict;
}

/* Convert the question to nodes; false if some event is not in the window. */
static bool
question_nodes (omen_engine *engine, const omen_question *q)
{
  return to_nodes (engine, q->next, q->nexts, &engine->next)
         && to_nodes (engine, q->take, q->takes, &engine->take)
         && to_nodes (engine, q->last, q->lasts, &engine->last)
         && to_nodes (engine, q->without, q->withouts, &engine->without)
         && to_nodes (engine, q->kept, q->kepts, &engine->kept)
         && order_nodes (engine, q) && together_nodes (engine, q);
}

static omen_verdict
ask_question (omen_engine *engine, const omen_question *q,
              omen_engine_answer *answer)
{
  const omen_model *m = engine->model;
  answer->stage = OMEN_STAGE_CLOCKS;
  if (next_refuted (m, q) || locks_refuted (m, q) || orders_refuted (m, q)
      || avoid_refuted (engine, q) || togethers_refuted (m, q))
    return OMEN_ABSENT;
  if (!rf_nodes (engine, q))
    return absent_in_window (engine, answer);
  if (!question_nodes (engine, q)) {
    answer->beyond = true;
    return OMEN_UNKNOWN;
  }
  return ask_window (engine, q, answer);
}

omen_verdict
omen_engine_ask (omen_engine *engine, const omen_question *q,
                 omen_engine_answer *answer)
{
  omen_engine_stats *stats = &engine->stats;
  double start = omen_now ();
  omen_verdict verdict;
  memset (answer, 0, sizeof *answer);
  verdict = ask_question (engine, q, answer);
  OMEN_ASSERT (!answer->beyond || verdict == OMEN_UNKNOWN);
  OMEN_ASSERT (verdict == OMEN_FOUND || !answer->events.count);
  stats->asked++;
  stats->found += verdict == OMEN_FOUND;
  stats->absent += verdict == OMEN_ABSENT;
  stats->unknown += verdict == OMEN_UNKNOWN;
  stats->stage[answer->stage]++;
  stats->seconds[answer->stage] += omen_now () - start;
  return verdict;
}

uint32_t
omen_engine_choices (omen_engine *engine, const omen_question *q)
{
  omen_query query;
  if (!rf_nodes (engine, q) || !question_nodes (engine, q))
    return OMEN_NONE;
  query = query_of (engine, q);
  return omen_solver_choices (engine->solver, &query);
}

omen_eid
omen_question_race (const omen_model *model, const omen_eid events[2],
                    omen_eid room[2], omen_question *q)
{
  omen_eid swap = omen_model_swap (model, events[0], events[1]);
  if (swap == OMEN_NONE) {
    *q = (omen_question){ .next = events, .nexts = 2 };
    return OMEN_NONE;
  }
  room[0] = events[swap == events[0]];
  room[1] = swap;
  *q = (omen_question){ .take = room,
                        .takes = 2,
                        .order = room,
                        .orders = 1,
                        .together = room,
                        .togethers = 1,
                        .kept = room + 1,
                        .kepts = 1 };
  return room[0];
}

void
omen_sequence_cut (omen_ids *sequence, omen_eid e)
{
  size_t i = 0;
  while (i < sequence->count && sequence->data[i] != e)
    i++;
  OMEN_ASSERT (i < sequence->count);
  sequence->count = i;
}
