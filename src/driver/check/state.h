/* Private to omen check: its state and parts. check.c controls the steps,
   runs.c records runs, confirm.c replays findings. */
#ifndef OMEN_DRIVER_CHECK_STATE_H
#define OMEN_DRIVER_CHECK_STATE_H

#include "driver/check/check.h"
#include "driver/check/checked.h"
#include "driver/progress.h"
#include "report/report.h"

#include <sys/types.h>

/* The result of an exploration. */
typedef struct omen_explore_result {
  uint64_t runs, behaviours, failures, pairs;
  uint64_t last_new, first_failure; /* numbers of runs, from 1 */
  unsigned limits;                  /* omen_limit_word */
  bool stopped;                     /* some plans were not tried */
  double seconds;
  json_t *shown; /* of that, in findings.json and on the page */
} omen_explore_result;

typedef struct omen_check {
  const omen_check_request *request;
  int folder;  /* locked directory; 0, -1: none */
  int reserve; /* reserved disk space for the reports; 0, -1: none */
  omen_check_job job;
  omen_checked_list traces;
  omen_report_run *runs; /* for the report: all traces, and the current one */
  omen_report report;
  char *witness_dir;
  omen_progress progress;
  omen_stop_flag *stop;         /* set by a signal that ends the check */
  bool replaying;               /* analysing the recording of a replay */
  const omen_checked *analysed; /* being analysed; or NULL */
  double save_at;               /* not before this time (omen_now) */
  bool unsaved; /* the last save failed, and that was reported */
  size_t found;
  unsigned printed;       /* number of the last finding printed */
  int status;             /* of the last run of the program */
  int first_status;       /* of the first one */
  bool not_whole;         /* … whose recording is incomplete */
  double took;            /* seconds, for the first run */
  unsigned made;          /* number of recordings */
  unsigned cut, left_out; /* further runs, for lack of time */
  double confirm_left;    /* seconds for replays */
  double again_left;      /* seconds for analysing their recordings */
  size_t untried;         /* findings, for lack of time */
  uint64_t confirm_ms;    /* time limit of a replay */
  uint64_t spin_limit_ms; /* … and of a thread in it that only computes */
  omen_explore_result explored;
  off_t input; /* initial offset of standard input if it is a file; else -1 */
} omen_check;

/* The path of recording 0, 1, … (run.omen, run-2.omen, …). Caller frees. */
char *omen_check_trace (const omen_check *c, unsigned number);
/* Every run of the program reads the same input. */
void omen_check_rewind (const omen_check *c);
bool omen_check_input_is_pipe (void);

/* False: the program did not start, or there was an internal error; `code` is
   the exit code. */
bool omen_check_first (omen_check *c, omen_recording *recording, int *code);
/* Records and analyses the further runs. */
bool omen_check_further (omen_check *c, omen_recording *recording, int *code);
bool omen_check_look (omen_check *c, unsigned number, int *code);

void omen_check_fold (omen_check *c);
bool omen_check_confirm (omen_check *c, omen_recording *recording, int *code);

/* Prints findings in the order of their numbers, each when its status is final;
   or all that are left. */
void omen_check_print (omen_check *c, bool all);
/* Writes the output files; at intervals, unless it is the last time. */
bool omen_check_save (omen_check *c, bool last);

#endif
