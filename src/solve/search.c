/* The search. Propagate; run; if the run is stuck, try the alternatives it
   names, one after the other, each with propagation:

     ask:  targets -> demands and orders
           loop  propagate            conflict: next alternative, or back up
                 run                  complete: found
                 push its choices     none: next alternative, or back up

   Chronological backtracking: the observed order decides almost everything
   before the first decision, so that little is left to search. */
#include "solve/choice_count.h"
#include "base/now.h"
#include "solve/run.h"

#include <string.h>

typedef struct omen_search_level {
  size_t mark;        /* trail before the alternative was applied */
  size_t first, next; /* in choices */
} omen_search_level;

struct omen_solver {
  omen_state state;
  omen_linear run;
  omen_choices choices;
  omen_ways ways;
  OMEN_VEC (omen_search_level) levels;
  const omen_query *query;
  bool complete; /* no alternative was left out: absent is a proof */
};

omen_solver *
omen_solver_new (const omen_problem *problem)
{
  omen_solver *solver = omen_zalloc (1, sizeof *solver);
  OMEN_REQUIRE (problem->edge_first);
  omen_state_init (&solver->state, problem);
  omen_run_init (&solver->run, &solver->state);
  return solver;
}

void
omen_solver_free (omen_solver *solver)
{
  if (!solver)
    return;
  omen_run_fini (&solver->run);
  omen_state_fini (&solver->state);
  OMEN_VEC_FINI (solver->choices);
  OMEN_VEC_FINI (solver->ways);
  OMEN_VEC_FINI (solver->levels);
  omen_free (solver);
}

const char *
omen_stage_text (omen_stage stage)
{
  static const char *const texts[]
      = { "clocks", "closure", "direct", "search", "states", "z3" };
  OMEN_REQUIRE (stage < OMEN_STAGES);
  return texts[stage];
}

/* ---- the question ---- */

static void
limit_chain (omen_state *s, uint32_t chain, uint32_t length)
{
  if (length < s->limit[chain])
    omen_set (s, &s->limit[chain], length);
}

/* A target is not taken, but what must come before it is, and the read before
   it in its chain has a successor. */
static void
aim_at (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  uint32_t chain = p->chain_of[n], index = p->index_of[n];
  omen_demand (s, chain, index);
  if (index)
    omen_follow (s, omen_problem_node (p, chain, index - 1));
  omen_relevant (s, n);
  for (uint32_t i = p->edge_first[n]; i < p->edge_first[n + 1]; i++) {
    omen_demand_node (s, p->edges.data[i].from);
    if (p->edges.data[i].firm)
      omen_keep (s, p->edges.data[i].from);
  }
}

static void
constrain_read (omen_state *s, const omen_rf_constraint *rf)
{
  const omen_problem *p = s->p;
  uint32_t k, w = OMEN_PAST;
  for (k = p->access_first[rf->read]; p->accesses.data[k].atom != rf->atom; k++)
    OMEN_REQUIRE (k + 1 < p->access_first[rf->read + 1]);
  OMEN_REQUIRE (p->accesses.data[k].reads);
  if (rf->writer != OMEN_PAST) {
    for (w = p->access_first[rf->writer]; p->accesses.data[w].atom != rf->atom;
         w++)
      OMEN_REQUIRE (w + 1 < p->access_first[rf->writer + 1]);
    OMEN_REQUIRE (p->accesses.data[w].writes);
  }
  omen_demand_node (s, rf->read);
  omen_relevant (s, rf->read);
  if (rf->writer != OMEN_PAST)
    omen_relevant (s, rf->writer);
  if (s->writer[k] == OMEN_NONE)
    omen_see (s, k, w);
  else if (s->writer[k] != w)
    s->conflict = true;
  if (s->active[rf->read] && !s->conflict)
    omen_insist (s, k);
}

static void
aim_whole (omen_state *s)
{
  const omen_problem *p = s->p;
  for (uint32_t c = 0; c < p->chains; c++)
    if (omen_problem_length (p, c)) {
      uint32_t length = omen_problem_length (p, c);
      omen_demand (s, c, length);
      omen_keep (s, omen_problem_node (p, c, length - 1));
    }
}

static void
pose (omen_state *s, const omen_query *q)
{
  const omen_problem *p = s->p;
  for (uint32_t c = 0; c < p->chains; c++)
    omen_set (s, &s->limit[c], omen_problem_length (p, c));
  for (uint32_t i = 0; i < q->nexts; i++)
    limit_chain (s, p->chain_of[q->next[i]], p->index_of[q->next[i]]);
  for (uint32_t i = 0; i < q->lasts; i++)
    limit_chain (s, p->chain_of[q->last[i]], p->index_of[q->last[i]] + 1);
  for (uint32_t i = 0; i < q->withouts; i++)
    limit_chain (s, p->chain_of[q->without[i]], p->index_of[q->without[i]]);
  for (uint32_t i = 0; i < q->nexts; i++)
    aim_at (s, q->next[i]);
  for (uint32_t i = 0; i < q->lasts; i++)
    omen_demand_node (s, q->last[i]);
  for (uint32_t i = 0; i < q->takes; i++) {
    omen_demand_node (s, q->take[i]);
    omen_relevant (s, q->take[i]);
  }
  for (uint32_t i = 0; i < q->kepts; i++)
    omen_follow (s, q->kept[i]);
  for (uint32_t i = 0; i < q->orders && !s->conflict; i++)
    omen_order (s, q->order[i].from, q->order[i].to);
  for (uint32_t i = 0; i < q->rf_count && !s->conflict; i++)
    constrain_read (s, &q->rf[i]);
  if (q->whole && !s->conflict)
    aim_whole (s);
}

/* ---- the search ---- */

/* Serve the needs of the targets after a complete run, each by a provider of
   its own. */
static bool
targets_served (omen_solver *solver)
{
  const omen_query *q = solver->query;
  const omen_problem *p = solver->state.p;
  for (uint32_t i = 0; i < q->nexts; i++) {
    uint32_t need = p->need_of[q->next[i]];
    if (need == OMEN_NONE || omen_run_serve (&solver->run, need))
      continue;
    omen_choices_need (&solver->state, need, &solver->choices);
    return false;
  }
  return true;
}

static bool
refined (omen_solver *solver)
{
  const omen_query *q = solver->query;
  bool complete = true;
  if (!q->refine)
    return true;
  OMEN_VEC_CLEAR (solver->ways);
  if (q->refine (q->context, solver->run.sequence.data,
                 (uint32_t)solver->run.sequence.count, &solver->ways,
                 &complete))
    return true;
  solver->complete &= complete;
  for (size_t i = 0; i < solver->ways.count; i++) {
    static const omen_choice_kind kinds[]
        = { OMEN_CHOICE_ORDER, OMEN_CHOICE_WITH, OMEN_CHOICE_WITHOUT };
    const omen_way *way = &solver->ways.data[i];
    OMEN_VEC_PUSH (solver->choices,
                   ((omen_choice){ kinds[way->kind], way->a, way->b }));
  }
  return false;
}

/* Try the next alternative of the innermost level that has one. */
static bool
next_alternative (omen_solver *solver)
{
  while (solver->levels.count) {
    omen_search_level *level = &OMEN_VEC_LAST (solver->levels);
    omen_state_undo (&solver->state, level->mark);
    if (level->next < solver->choices.count) {
      const omen_choice *choices = solver->choices.data;
      for (size_t i = level->first; i < level->next; i++)
        omen_choice_exclude (&solver->state, choices[i]);
      omen_choice_apply (&solver->state, choices[level->next++]);
      return true;
    }
    solver->choices.count = level->first;
    solver->levels.count--;
  }
  return false;
}

static bool
exhausted (const omen_budget *budget, uint64_t decisions,
           const omen_deadline *deadline)
{
  return (budget->steps && decisions >= budget->steps)
         || omen_is_past (deadline);
}

static omen_verdict
search (omen_solver *solver, const omen_budget *budget, omen_answer *answer)
{
  omen_deadline deadline = omen_budget_deadline (budget);
  solver->state.deadline = &deadline;
  solver->state.late = false;
  for (;;) {
    size_t first = solver->choices.count;
    if (omen_propagate (&solver->state)
        && omen_run_try (&solver->run, &solver->choices)
        && targets_served (solver) && refined (solver))
      return OMEN_FOUND;
    if (solver->state.late)
      return OMEN_UNKNOWN;
    if (solver->choices.count > first)
      OMEN_VEC_PUSH (solver->levels,
                     ((omen_search_level){ omen_state_mark (&solver->state),
                                           first, first }));
    if (!next_alternative (solver))
      return solver->complete ? OMEN_ABSENT : OMEN_UNKNOWN;
    answer->decisions++;
    if (exhausted (budget, answer->decisions, &deadline))
      return OMEN_UNKNOWN;
  }
}

omen_verdict
omen_solver_ask (omen_solver *solver, const omen_query *query,
                 const omen_budget *budget, omen_answer *answer)
{
  omen_verdict verdict;
  OMEN_ASSERT (!solver->state.trail.count && !solver->levels.count);
  memset (answer, 0, sizeof *answer);
  solver->query = query;
  solver->complete = true;
  pose (&solver->state, query);
  verdict = search (solver, budget, answer);
  solver->state.deadline = NULL;
  answer->stage = answer->decisions       ? OMEN_STAGE_SEARCH
                  : verdict == OMEN_FOUND ? OMEN_STAGE_DIRECT
                                          : OMEN_STAGE_CLOSURE;
  if (verdict == OMEN_FOUND) {
    OMEN_VEC_RESERVE (answer->sequence, solver->run.sequence.count);
    answer->sequence.count = solver->run.sequence.count;
    if (answer->sequence.count)
      memcpy (answer->sequence.data, solver->run.sequence.data,
              answer->sequence.count * sizeof (omen_node));
  }
  OMEN_VEC_CLEAR (solver->levels);
  OMEN_VEC_CLEAR (solver->choices);
  omen_state_undo (&solver->state, 0);
  OMEN_VEC_CLEAR (solver->state.links);
  return verdict;
}

uint32_t
omen_solver_choices (omen_solver *solver, const omen_query *query)
{
  OMEN_VEC (omen_edge) orders = { 0 };
  uint32_t count = OMEN_NONE;
  OMEN_ASSERT (!solver->state.trail.count && !solver->levels.count);
  pose (&solver->state, query);
  for (uint32_t i = 0; i < query->orders; i++)
    OMEN_VEC_PUSH (orders, query->order[i]);
  for (uint32_t i = 0; i < query->rf_count; i++)
    if (query->rf[i].writer != OMEN_PAST)
      OMEN_VEC_PUSH (orders, ((omen_edge){ query->rf[i].writer,
                                           query->rf[i].read, false }));
  if (omen_propagate (&solver->state))
    count = omen_choice_count (&solver->state, orders.data,
                               (uint32_t)orders.count);
  OMEN_VEC_FINI (orders);
  omen_state_undo (&solver->state, 0);
  OMEN_VEC_CLEAR (solver->state.links);
  return count;
}
