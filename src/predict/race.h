/* Private to the race detector: its search on the lattice. */
#ifndef OMEN_PREDICT_RACE_H
#define OMEN_PREDICT_RACE_H

#include "predict/predict.h"

/* Does f free what a accesses, or destroy it? */
static inline bool
omen_race_ends (const omen_event *f, const omen_event *a)
{
  return f->kind == OMEN_FREE
         || (f->kind == OMEN_WRITE && f->mode & OMEN_MODE_GONE
             && a->kind == OMEN_ATOMIC_READ);
}

/* Is the race one with a free or destroy, which omen_predict_lifetime
   reports? */
static inline bool
omen_race_is_of_lifetime (const omen_model *model,
                          const omen_predict_options *options,
                          const omen_eid *events)
{
  const omen_event *x = omen_model_event (model, events[0]);
  const omen_event *y = omen_model_event (model, events[1]);
  return options->lifetimes_apart
         && (omen_race_ends (x, y) || omen_race_ends (y, x));
}

bool omen_predict_race_lattice (const omen_model *model,
                                const omen_predict_options *options,
                                const omen_sink *sink,
                                omen_predict_stats *stats);

#endif
