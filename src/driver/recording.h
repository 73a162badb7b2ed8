/* One recording, as omen record and omen check make it.

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

/* What to record of which program, and how. */
typedef struct omen_record_request {
  bool stream, global_log, sync_only, ring, no_values, sampled, end_stuck;
  bool exact_loops;
  const char *output;
  const char *max_size, *schedule, *exit_grace; /* as typed; NULL: not given */
  uint64_t limit_ms; /* the program gets SIGTERM after this; 0: never */
  char **program;    /* argv of it, NULL at the end */
} omen_record_request;

typedef struct omen_recording {
  omen_program program;
  char *preload; /* the runtime, for a program that is not woven; or NULL */
  bool silent, with_us;               /* as in run.h */
  const char *reports;                /* as in run.h */
  omen_stop_flag *stop;               /* as in run.h */
  unsigned (*beside) (void *context); /* as in run.h */
  void *context;
  const struct omen_spec_list *specs; /* accesses to what they speak of are
                                  kept; or NULL */
  omen_run run;                       /* how it ended */
} omen_recording;

/* Find the program and see what it is. */
bool omen_recording_prepare (omen_recording *recording, const char *name,
                             bool quiet, int *code);
/* Run it once; what an earlier recording left there is removed first. */
bool omen_recording_run (omen_recording *recording,
                         const omen_record_request *request, int *code);
/* The files that it left tell names without the program from now on. */
void omen_recording_add_names (const char *output,
                               const struct omen_spec_list *specs);
void omen_recording_fini (omen_recording *recording);

#endif
