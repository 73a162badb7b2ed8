/* Applies SideTrack's rules to a finished trace, and the checks that belong to
   them: for omen predict atomicity --engine sidetrack, and the end of omen
   watch. */
#ifndef OMEN_DRIVER_PREDICT_SIDETRACK_RUN_H
#define OMEN_DRIVER_PREDICT_SIDETRACK_RUN_H

#include "predict/predict.h"

#include <stdio.h>

typedef struct omen_sidetrack_run {
  bool deadlocks; /* in: the caller predicts them anyway */
  omen_sidetrack_table table;
  uint64_t races; /* in the trace */
} omen_sidetrack_run;

/* Reports go to the sink with their status. If some are refuted, deadlocks are
   reported as well, since that is often what happens instead. False: the sink
   stopped it. */
bool omen_sidetrack_run_on (omen_sidetrack_run *run, const omen_model *model,
                            const omen_predict_options *options,
                            const omen_sink *sink, omen_predict_stats *stats);
/* Prints a warning if the trace has races, since the rules assume that it has
   none. */
void omen_sidetrack_run_races (const omen_sidetrack_run *run,
                               const char *before, FILE *out);

#endif
