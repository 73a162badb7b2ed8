/* Decides one witness of the nondeterminism paper: can this read see that
   write, with the write it saw in a given place? Quick answers first, then, if
   a window is there, the engine.

     omen_decider *d = omen_decider_new (model, quick, options);
     omen_decider_aim (d, window);
     if (omen_decide (d, &rival, OMEN_RF_WCR, &decided) == OMEN_FOUND)
       decided.plan or decided.sequence is the reordering

   For one thread. */
#ifndef OMEN_PREDICT_DECIDER_H
#define OMEN_PREDICT_DECIDER_H

#include "predict/predict.h"
#include "predict/rivals.h"

typedef struct omen_decider omen_decider;

typedef struct omen_decided {
  omen_verdict quick; /* what the quick answer was; FOUND: */
  omen_rf_plan plan;  /* base is the decider's, until the next question */
  omen_ids sequence;  /* found by the engine: the caller's */
  bool asked;         /* the engine was asked: */
  omen_stage stage;
  uint64_t decisions;
} omen_decided;

omen_decider *omen_decider_new (const omen_model *model,
                                const omen_quick *quick,
                                const omen_predict_options *options);
void omen_decider_free (omen_decider *decider);
/* Where the engine works from now on; NULL: quick answers only. The window must
   outlive the decider or the next call. */
void omen_decider_aim (omen_decider *decider, const omen_window *window);
/* UNKNOWN: there is no window, the events are not all in it, or the budget ran
   out. */
omen_verdict omen_decide (omen_decider *decider, const omen_rival *rival,
                          omen_rf_order order, omen_decided *decided);
/* The same without quick answers; there must be a window. */
omen_verdict omen_decide_searched (omen_decider *decider,
                                   const omen_rival *rival, omen_rf_order order,
                                   omen_decided *decided);
/* After FOUND or a decided search: the choices that the paper would count for
   this witness (solver.h). OMEN_NONE: closure refutes it. */
uint32_t omen_decider_choices (omen_decider *decider, const omen_rival *rival,
                               omen_rf_order order);
/* Adds what its engines did since the last call. */
void omen_decider_counts (omen_decider *decider, omen_engine_stats *sum);

#endif
