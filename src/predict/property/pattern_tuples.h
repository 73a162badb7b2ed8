/* The combinations of events that may be the steps of a shape, most promising
   first, without those that locks or must-happen-before rule out quickly.

   Representatives suffice: if all previous steps are by the same thread, the
   first event of that thread that fits (a run with a later one has the first
   one, earlier); if all following steps are, up to the end of a region, the
   last one. */
#ifndef OMEN_PREDICT_PROPERTY_PATTERN_TUPLES_H
#define OMEN_PREDICT_PROPERTY_PATTERN_TUPLES_H

#include "predict/asker.h"
#include "predict/covers.h"
#include "predict/property/pattern_index.h"
#include "predict/property/pattern_shape.h"

typedef struct omen_tuples {
  const omen_model *model;
  const omen_tracks *tracks;
  const omen_shapes *shapes;
  const omen_candidate_index *index;
  omen_covers *covers;
  uint64_t *work; /* number of events that may still be considered */
} omen_tuples;

/* Calls `each` with the events of the shape's steps, until it returns false. */
void omen_tuples_each (const omen_tuples *tuples, const omen_theta *theta,
                       const omen_shape *shape, omen_asker_each each,
                       void *context);

#endif
