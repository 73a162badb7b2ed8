/* omen check: record, predict, verify, confirm, report.

     omen_check_request request = { .folder = "omen.out", … };
     return omen_check_program (&request);

   Prints its own messages. */
#ifndef OMEN_DRIVER_CHECK_CHECK_H
#define OMEN_DRIVER_CHECK_CHECK_H

#include "driver/fail_on.h"
#include "driver/recording.h"
#include "driver/spec_list.h"
#include "report/source_paths.h"

/* omen explore: runs until all behaviours are covered, or a limit is
   reached. */
typedef struct omen_explore_options {
  unsigned runs;        /* 0: no limit */
  double seconds;       /* 0: no limit */
  unsigned jobs;        /* programs running in parallel */
  uint32_t most_states; /* limit of states to examine for one run */
  bool resume;          /* continue the exploration in the folder */
  bool until_failure, no_check, no_shrink, output, spurious, trace_runs;
  const struct omen_ranks *ranks; /* other processes that share the work */
} omen_explore_options;

typedef struct omen_check_request {
  omen_record_request record;      /* `output` is not used */
  const char *folder;              /* output directory */
  const char *suppress, *baseline; /* files, or NULL */
  unsigned runs; /* how often the program is recorded; 0: a few times, with a
                    time limit (runs.c) */
  double confirm_time; /* seconds for all replays together */
  omen_fail_on fail_on;
  bool nondet; /* also look for notes */
  bool model_given, no_confirm, strict, quiet, colour;
  bool all;             /* also analyse settled accesses */
  bool program_exit;    /* if nothing is found, exit as the program did */
  bool by_cause;        /* one finding for each cause */
  omen_spec_list specs; /* loaded */
  omen_source_paths source_paths;
  uint64_t memory; /* limit in bytes; 0: omen_memory_default */
  omen_predict_options options;
  const omen_explore_options *explore; /* NULL: a check */
} omen_check_request;

/* Returns the exit code. */
int omen_check_program (const omen_check_request *request);
/* For a request whose specs are paths and whose folder is a pattern: loads and
   names them, calls `run` (omen_check_program, or omen_explore_program), and
   frees the request's lists. */
int omen_check_request_run (omen_check_request *request,
                            int (*run) (const omen_check_request *request));

#endif
