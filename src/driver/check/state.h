/* Private to omen check: what it knows, and its parts. check.c leads through
   them, runs.c runs the program, confirm.c runs it again for findings. */
#ifndef OMEN_DRIVER_CHECK_STATE_H
#define OMEN_DRIVER_CHECK_STATE_H

#include "driver/check/check.h"
#include "driver/check/checked.h"
#include "driver/progress.h"
#include "report/report.h"

#include <sys/types.h>

/* What came of an exploration. */
typedef struct omen_explore_result {
  uint64_t runs, behaviours, failures, pairs;
  uint64_t last_new, first_failure; /* runs, from 1 */
  unsigned limits;                  /* omen_limit_word */
  bool stopped;                     /* there are plans that were not tried */
  double seconds;
  json_t *shown; /* of that, in findings.json and on the page */
} omen_explore_result;

typedef struct omen_check {
  const omen_check_request *request;
  int folder;  /* locked while it is ours; 0, -1: none */
  int reserve; /* room for the reports on a full disk; 0, -1: none */
  omen_check_job job;
  omen_checked_list traces;
  omen_report_run *runs; /* of traces, and of the one that is looked at */
  omen_report report;
  char *witness_dir;
  omen_progress progress;
  omen_stop_flag *stop;          /* a signal ends the check */
  bool replaying;                /* a replay's recording is looked at */
  const omen_checked *looked_at; /* not yet in traces; or NULL */
  double save_at;                /* of omen_now: not before */
  bool unsaved;                  /* the last time, and that was told */
  size_t found;
  unsigned told;          /* the number of the last story */
  int status;             /* of the last run of the program */
  int first_status;       /* of the first one */
  bool not_whole;         /* … of which not all was recorded */
  double took;            /* the first run, in seconds */
  unsigned made;          /* recordings that have a name */
  unsigned cut, left_out; /* of the further runs, for want of time */
  double confirm_left;    /* seconds for replays */
  double again_left;      /* seconds for looking at what they record */
  size_t untried;         /* findings, for want of time */
  uint64_t confirm_ms;    /* how long a replay may take */
  uint64_t patience_ms;   /* … and a thread in it that only computes */
  omen_explore_result explored;
  off_t input; /* where standard input began, if it is a file; else -1 */
} omen_check;

/* run.omen, run-2.omen, … for 0, 1, …; omen_free it. */
char *omen_check_trace (const omen_check *c, unsigned number);
/* Every run of the program reads the same. */
void omen_check_rewind (const omen_check *c);
bool omen_check_input_is_pipe (void);

/* False: it did not start, or omen is wrong; `code` says what to return. */
bool omen_check_first (omen_check *c, omen_recording *recording, int *code);
/* And look at each. */
bool omen_check_further (omen_check *c, omen_recording *recording, int *code);
bool omen_check_look (omen_check *c, unsigned number, int *code);

void omen_check_fold (omen_check *c);
bool omen_check_confirm (omen_check *c, omen_recording *recording, int *code);

/* Stories in the order of their numbers, as soon as nothing more will become
   known of them; or all. */
void omen_check_tell (omen_check *c, bool all);
/* The files; seldom, unless it is the last time. */
bool omen_check_save (omen_check *c, bool last);

#endif
