/* Makes one recording, for omen record and omen check.

     omen_recording recording;
     if (!omen_recording_prepare (&recording, "./bank", quiet, &code)) …
     if (!omen_recording_run (&recording, &request, &code)) …
     omen_recording_fini (&recording);


   Prints its own messages; `code` is then the exit code. */
#ifndef OMEN_DRIVER_RECORDING_H
#define OMEN_DRIVER_RECORDING_H

#include "driver/program.h"
#include "driver/run.h"

struct omen_spec_list;

/* What to record, and how. */
typedef struct omen_record_request {
  bool stream, global_log, sync_only, ring, no_values, sampled, end_stuck;
  bool exact_loops;
  const char *output;
  const char *max_size, *schedule, *exit_grace; /* as given, or NULL */
  uint64_t limit_ms; /* send SIGTERM after this time; 0: never */
  char **program;    /* its argv, NULL-terminated */
} omen_record_request;

typedef struct omen_recording {
  omen_program program;
  char *preload;        /* the runtime, for uninstrumented programs; or NULL */
  bool silent, with_us; /* as in run.h */
  const char *reports;  /* as in run.h */
  omen_stop_flag *stop; /* as in run.h */
  unsigned (*beside) (void *context); /* as in run.h */
  void *context;
  const struct omen_spec_list *specs; /* keep what they mention; or NULL */
  omen_run run;                       /* how the program ended */
} omen_recording;

/* Finds and classifies the program. */
bool omen_recording_prepare (omen_recording *recording, const char *name,
                             bool quiet, int *code);
/* Runs it once, after removing the files of an earlier recording. */
bool omen_recording_run (omen_recording *recording,
                         const omen_record_request *request, int *code);
/* Adds symbols to the recordings, so that they do not need the program any
   more. */
void omen_recording_add_names (const char *output,
                               const struct omen_spec_list *specs);
void omen_recording_fini (omen_recording *recording);

#endif
