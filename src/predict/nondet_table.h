/* The columns of the nondeterminism paper's Table A1 for a trace: every triple
   of a read, the write it saw and another one is three possible witnesses, one
   for each order, all of them decided.

   "Refuted by the witness order graph" means here: without a decision, by
   clocks or by closure. Choices are those of the paper: pairs of critical
   sections of one lock, unordered in that graph, on a path that would turn an
   order of the witness around. A witness that needed a decision of another kind
   (which write of a value, which notify) counts as one with choices. */
#ifndef OMEN_PREDICT_NONDET_TABLE_H
#define OMEN_PREDICT_NONDET_TABLE_H

#include "predict/predict.h"

typedef struct omen_nondet_table {
  uint64_t possible;      /* witnesses */
  uint64_t refuted;       /* by the witness order graph */
  uint64_t direct;        /* feasible without choices */
  uint64_t chosen;        /* with choices */
  double graphs_possible; /* sum over those of 2^choices */
  uint64_t graphs;        /* sum over those of graphs explored */
  uint64_t feasible, infeasible, undecided;
  double seconds; /* to decide them; counting choices is extra */
} omen_nondet_table;

/* Adds the row of the trace. `choices`: count them, which takes a closure for
   each witness that may have some; otherwise only decisions tell direct from
   chosen. */
void omen_nondet_count (const omen_model *model,
                        const omen_predict_options *options, bool choices,
                        omen_nondet_table *table);

#endif
