/* Answers order problems (problem.h): is there a solution in which … ?

     omen_solver *solver = omen_solver_new (problem);
     omen_query query = { .next = targets, .nexts = 2 };
     if (omen_solver_ask (solver, &query, &budget, &answer) == OMEN_FOUND)
       use (answer.sequence);       nodes in an order that keeps every rule

   Complete: OMEN_ABSENT means that there is none. OMEN_UNKNOWN: the budget ran
   out. A solver is a workspace for one thread; problems may be shared. The
   outline of the search is in search.c, the reasons in doc/engine.md. */
#ifndef OMEN_SOLVE_SOLVER_H
#define OMEN_SOLVE_SOLVER_H

#include "base/now.h"
#include "solve/problem.h"

/* The read of `atom` by `read` must see `writer` (a node or OMEN_PAST), whether
   it accepts that write or not. A read with a successor must still accept what
   it sees, so otherwise `read` is the last of its chain. If the writer is an
   rmw, its own read may have seen anything. */
typedef struct omen_rf_constraint {
  omen_node read, writer;
  uint32_t atom;
} omen_rf_constraint;

/* An alternative that a refine function proposes (see omen_query). */
typedef enum omen_way_kind {
  OMEN_WAY_ORDER,  /* a before b, both taken */
  OMEN_WAY_WITH,   /* a taken */
  OMEN_WAY_WITHOUT /* a not taken */
} omen_way_kind;
typedef struct omen_way {
  omen_way_kind kind;
  omen_node a, b;
} omen_way;
typedef OMEN_VEC (omen_way) omen_ways;

typedef struct omen_query {
  const omen_node *next; /* next in their chains after the solution, enabled
                            but for sections */
  uint32_t nexts;
  const omen_node *take; /* in the solution */
  uint32_t takes;
  const omen_edge *order; /* in the solution, in this order */
  uint32_t orders;
  const omen_node *last; /* in the solution, last of their chains */
  uint32_t lasts;
  const omen_node *without; /* not in the solution */
  uint32_t withouts;
  const omen_rf_constraint *rf;
  uint32_t rf_count;
  bool whole; /* every node is taken, every read sees what it accepts */
  const omen_node *kept; /* in `take` too: their reads see what they accept, the
                            last of a chain too */
  uint32_t kepts;
  /* NULL, or checks a sequence that keeps all rules. True: accepted. False:
     `ways` has alternatives, and every acceptable sequence agrees with one of
     them. *complete = false: some may be missing, so a failure is no proof. */
  bool (*refine) (void *context, const omen_node *sequence, uint32_t count,
                  omen_ways *ways, bool *complete);
  void *context;
} omen_query;

/* Stage at which an answer was reached. */
typedef enum omen_stage {
  OMEN_STAGE_CLOCKS,  /* before any closure (used by the layers above) */
  OMEN_STAGE_CLOSURE, /* refuted by what the targets force */
  OMEN_STAGE_DIRECT,  /* found without a decision */
  OMEN_STAGE_SEARCH,  /* after at least one decision */
  OMEN_STAGE_STATES,  /* by enumerating all states (space.h) */
  OMEN_STAGE_Z3,
  OMEN_STAGES
} omen_stage;

typedef struct omen_budget {
  uint64_t steps; /* decisions at most; 0: no limit */
  double seconds; /* of this question, Z3 counts work instead; 0: no limit */
  double until;   /* in terms of omen_now, for all questions; 0: no limit */
  const omen_stop_flag *stop; /* or NULL */
} omen_budget;

/* The deadline of a question that begins now. */
static inline omen_deadline
omen_budget_deadline (const omen_budget *budget)
{
  omen_deadline deadline = omen_deadline_in (budget->seconds, budget->stop);
  if (budget->until > 0 && (deadline.at <= 0 || deadline.at > budget->until))
    deadline.at = budget->until;
  return deadline;
}

typedef struct omen_answer {
  omen_stage stage;
  uint64_t decisions;
  omen_ids sequence; /* of nodes; the caller frees with OMEN_VEC_FINI */
} omen_answer;

typedef struct omen_solver omen_solver;

omen_solver *omen_solver_new (const omen_problem *problem);
void omen_solver_free (omen_solver *solver);
omen_verdict omen_solver_ask (omen_solver *solver, const omen_query *query,
                              const omen_budget *budget, omen_answer *answer);

/* The number of pairs of sections that closure leaves unordered and that could
   reverse an order or reads-from constraint of the query: the choices of the
   nondeterminism paper. OMEN_NONE: closure refutes it. */
uint32_t omen_solver_choices (omen_solver *solver, const omen_query *query);

/* The same question put to Z3 (integer difference logic). */
omen_verdict omen_z3_ask (const omen_problem *problem, const omen_query *query,
                          const omen_budget *budget, omen_answer *answer);

const char *omen_stage_text (omen_stage stage);

#endif
