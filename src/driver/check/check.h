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

/* omen explore: as many runs as there are behaviours, or as these allow. */
typedef struct omen_explore_options {
  unsigned runs;        /* 0: no limit */
  double seconds;       /* 0: no limit */
  unsigned jobs;        /* programs that run at once */
  uint32_t most_states; /* to look at for one run */
  bool resume;          /* go on with what is in the folder */
  bool until_failure, no_check, no_shrink, output, spurious, trace_runs;
  const struct omen_ranks *ranks; /* other processes that run it, too */
} omen_explore_options;

typedef struct omen_check_request {
  omen_record_request record;      /* `output` is not used */
  const char *folder;              /* where everything goes */
  const char *suppress, *baseline; /* files, or NULL */
  unsigned runs;       /* how often the program is recorded; 0: a few times,
                          within a time limit (runs.c) */
  double confirm_time; /* seconds for all replays together */
  omen_fail_on fail_on;
  bool nondet; /* look for notes, too */
  bool model_given, no_confirm, strict, quiet, colour;
  bool all;             /* also what is settled */
  bool program_exit;    /* if nothing is found, end as the program did */
  bool by_cause;        /* one finding for each cause */
  omen_spec_list specs; /* loaded */
  omen_source_paths source_paths;
  uint64_t memory; /* bytes at most; 0: omen_memory_default */
  omen_predict_options options;
  const omen_explore_options *explore; /* NULL: a check */
} omen_check_request;

/* The exit code. */
int omen_check_program (const omen_check_request *request);

#endif
