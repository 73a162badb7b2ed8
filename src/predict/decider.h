/* Decides one potential witness of the nondeterminism paper: can this read see
   that write (the rival), in a given order with the write that it saw? By
   quick answers, then, if there is a window, by the engine.

     omen_decider *d = omen_decider_new (model, quick, options);
     omen_decider_aim (d, window);
     if (omen_decide (d, &rival, OMEN_RF_WCR, &decided) == OMEN_FOUND)
       decided.plan or decided.sequence is the reordering

   Not thread-safe. */
#ifndef OMEN_PREDICT_DECIDER_H
#define OMEN_PREDICT_DECIDER_H

#include "predict/predict.h"
#include "predict/rivals.h"

typedef struct omen_decider omen_decider;

typedef struct omen_decided {
  omen_verdict quick; /* the quick answer; if FOUND, plan is set */
  omen_rf_plan plan;  /* base: the decider's, until the next question */
  omen_ids sequence;  /* found by the engine; owned by the caller */
  bool asked;         /* the engine was asked; if so: */
  omen_stage stage;
  uint64_t decisions;
} omen_decided;

omen_decider *omen_decider_new (const omen_model *model,
                                const omen_quick *quick,
                                const omen_predict_options *options);
void omen_decider_free (omen_decider *decider);
/* Set the window for the engine; NULL: quick answers only. The window must
   live until the next call, or as long as the decider. */
void omen_decider_aim (omen_decider *decider, const omen_window *window);
/* UNKNOWN: there is no window, it lacks some of the events, or the budget ran
   out. */
omen_verdict omen_decide (omen_decider *decider, const omen_rival *rival,
                          omen_rf_order order, omen_decided *decided);
/* The same without quick answers; needs a window. */
omen_verdict omen_decide_searched (omen_decider *decider,
                                   const omen_rival *rival, omen_rf_order order,
                                   omen_decided *decided);
/* The number of choices that the paper counts for this witness (solver.h);
   OMEN_NONE if closure refutes it. To be called after FOUND, or after the
   engine decided. */
uint32_t omen_decider_choices (omen_decider *decider, const omen_rival *rival,
                               omen_rf_order order);
/* Adds the engines' statistics since the last call. */
void omen_decider_counts (omen_decider *decider, omen_engine_stats *sum);

#endif
