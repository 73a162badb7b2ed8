/* A run that ended stuck, as observed: every thread that had not ended waits
   for good. The trace itself is the witness.

     T1|wait(c,l,stuck)   T0|joinreq(T1,stuck)

   Nothing is said if the trace does not agree (doc/semantics.md, section 4): a
   notify that was numbered before its waiter slept, for example. */
#ifndef OMEN_PREDICT_STUCK_H
#define OMEN_PREDICT_STUCK_H

#include "base/map.h"
#include "predict/predict.h"

/* Its keys go to `seen` (standstill.h). False: the sink said stop. */
bool omen_predict_stuck (const omen_model *model,
                         const omen_predict_options *options,
                         const omen_sink *sink, omen_predict_stats *stats,
                         omen_map *seen);

/* Do all of these say so? */
bool omen_stuck_all (const omen_model *model, const omen_eid *events,
                     uint32_t count);

#endif
