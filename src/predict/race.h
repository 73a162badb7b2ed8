/* Inside the race detector: the part that walks the lattice. */
#ifndef OMEN_PREDICT_RACE_H
#define OMEN_PREDICT_RACE_H

#include "predict/predict.h"

/* One of the two frees, and omen_predict_lifetime tells of it. */
static inline bool
omen_race_is_told_apart (const omen_model *model,
                         const omen_predict_options *options,
                         const omen_eid *events)
{
  return options->lifetimes_apart
         && (omen_model_event (model, events[0])->kind == OMEN_FREE
             || omen_model_event (model, events[1])->kind == OMEN_FREE);
}

bool omen_predict_race_lattice (const omen_model *model,
                                const omen_predict_options *options,
                                const omen_sink *sink,
                                omen_predict_stats *stats);

#endif
