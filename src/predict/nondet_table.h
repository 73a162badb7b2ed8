/* A row of Table A1 of the nondeterminism paper for a trace. Each triple of a
   read, the write that it saw and another write gives three potential
   witnesses, one for each order; all of them are decided.

   "Refuted by the witness order graph" means here: without a decision, by
   clocks or by closure. Choices are those of the paper: pairs of critical
   sections of one lock, unordered in that graph, on a path that would reverse
   an order of the witness. A witness that needed a decision of another kind
   (which write of a value, which notify) counts as one with choices. */
#ifndef OMEN_PREDICT_NONDET_TABLE_H
#define OMEN_PREDICT_NONDET_TABLE_H

#include "predict/predict.h"

typedef struct omen_nondet_table {
  uint64_t possible;      /* potential witnesses */
  uint64_t refuted;       /* by the witness order graph */
  uint64_t direct;        /* feasible without choices */
  uint64_t chosen;        /* feasible or not, after choices */
  double graphs_possible; /* sum of 2^choices over those */
  uint64_t graphs;        /* graphs explored for those */
  uint64_t feasible, infeasible, undecided;
  double seconds; /* without the time for counting choices */
} omen_nondet_table;

/* Adds a trace to the row. `choices`: count them, which takes a closure for
   each witness that may have some; otherwise a witness counts as chosen only if
   the engine made decisions. */
void omen_nondet_count (const omen_model *model,
                        const omen_predict_options *options, bool choices,
                        omen_nondet_table *table);

#endif
