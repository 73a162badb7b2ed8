/* SideTrack's rules over a finished trace, with what belongs to them: omen
   predict atomicity --engine sidetrack, and the end of omen watch. */
#ifndef OMEN_DRIVER_PREDICT_SIDETRACK_RUN_H
#define OMEN_DRIVER_PREDICT_SIDETRACK_RUN_H

#include "predict/predict.h"

#include <stdio.h>

typedef struct omen_sidetrack_run {
  bool deadlocks; /* in: they are looked for anyway */
  omen_sidetrack_table table;
  uint64_t races; /* in the trace */
} omen_sidetrack_run;

/* Reports with their status to the sink; deadlocks, too, if something was
   refuted: that is often what happens instead. False: the sink said stop. */
bool omen_sidetrack_run_on (omen_sidetrack_run *run, const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);
/* The rules rely on race freedom: what to say if there are races; nothing if
   there are none. */
void omen_sidetrack_run_races (const omen_sidetrack_run *run,
                               const char *before, FILE *out);

#endif
