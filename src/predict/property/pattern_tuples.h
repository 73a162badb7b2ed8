/* The events that may be the steps of a shape, together: every combination that
   locks and what must come before do not rule out at a glance, most likely ones
   first.

   Of events that stand for one another one is enough: where all steps before
   are of the same thread, the first event of the thread that fits (a run with a
   later one has the first too, and earlier); where all steps after are, up to
   the end of a region, the last one. */
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
  uint64_t *work; /* events that may still be looked at; 0: no more are */
} omen_tuples;

/* Calls `each` with the events of the shape's steps, until it says stop. */
void omen_tuples_each (const omen_tuples *tuples, const omen_theta *theta,
                       const omen_shape *shape, omen_asker_each each,
                       void *context);

#endif
