/* The recorded run ended stuck: every thread that had not ended waits forever.
   The trace itself is the witness.

     T1|wait(c,l,stuck)   T0|joinreq(T1,stuck)


   Nothing is reported if the trace does not agree (doc/semantics.md, section
   4), for example because a notify got its sequence number before its waiter
   slept. */
#ifndef OMEN_PREDICT_STUCK_H
#define OMEN_PREDICT_STUCK_H

#include "base/map.h"
#include "predict/predict.h"

/* Adds its keys to `seen` (standstill.h). False: the sink said stop. */
bool omen_predict_stuck (const omen_model *model,
                         const omen_predict_options *options,
                         const omen_sink *sink, omen_predict_stats *stats,
                         omen_map *seen);

/* Do all of these events have the flag `stuck`? */
bool omen_stuck_all (const omen_model *model, const omen_eid *events,
                     uint32_t count);

#endif
