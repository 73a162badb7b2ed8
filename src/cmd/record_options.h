/* What the command line of omen record says; omen check takes the same options
   for its recording.

   The program's options go to it in OMEN_OPTIONS, spelt as they are here: see
   src/runtime/options.c. */
#ifndef OMEN_CMD_RECORD_OPTIONS_H
#define OMEN_CMD_RECORD_OPTIONS_H

#include "cmd/cmd.h"

typedef struct omen_record_request {
  bool stream, global_log, sync_only, ring, no_values, sampled, end_stuck;
  bool quiet;
  const char *output;                     /* "run.omen" unless given */
  const char *max_size, *schedule, *time; /* as typed; NULL: not given */
  OMEN_VEC (const char *) specs;          /* of --spec */
  uint64_t limit_ms;                      /* of --for */
  char **program;                         /* argv of it, NULL at the end */
} omen_record_request;

extern const struct argp omen_record_argp;

/* Are the values fit? Ends the command line if not; reads --for. */
void omen_record_check (omen_record_request *request,
                        struct argp_state *state);

/* The text for OMEN_OPTIONS; omen_free it. */
char *omen_record_environment (const omen_record_request *request);

#endif
