/* Private to the exploration's session: its state. session.c controls the runs;
   session_result.c says what they came to; saved.c saves the state to a file,
   so that an exploration can be continued. */
#ifndef OMEN_DRIVER_EXPLORE_SESSION_STATE_H
#define OMEN_DRIVER_EXPLORE_SESSION_STATE_H

#include "driver/check/state.h"
#include "driver/explore/explore.h"
#include "driver/explore/failing.h"
#include "driver/explore/shrink.h"

/* A run whose recording is kept, with what the recording does not show. */
typedef struct omen_kept_run {
  int status;
  omen_ending ending;
} omen_kept_run;

/* Runs with the same failure (omen_failure_sort). */
typedef struct omen_failed {
  uint64_t sort, first, count; /* number of the first one, from 1; how many */
  uint32_t kept;               /* the recording that shows it */
  char *how;
} omen_failed;

/* What was covered after this number of runs. */
typedef struct omen_curve_point {
  uint64_t run, behaviours, pairs, failures;
} omen_curve_point;

typedef struct omen_session {
  omen_check *check;
  const omen_explore_options *options;
  omen_explore_result *result;
  omen_recording *recording;
  omen_explore *x;
  omen_runner *runners;
  omen_explore_plan *plans; /* by runner: its current plan */
  struct pollfd *fds;
  unsigned jobs, busy; /* runners: local ones, then those of other ranks */
  omen_failing failing;
  OMEN_VEC (omen_kept_run) kept; /* run.omen, run-2.omen, … */
  OMEN_VEC (omen_failed) failures;
  OMEN_VEC (omen_curve_point) curve;
  omen_map failed; /* behaviours, and these with verdicts of properties */
  uint64_t stride; /* number of runs between points of the curve; 0: 1 */
  uint64_t first;  /* behaviour of the first run */
  uint64_t before; /* number of runs in earlier sessions */
  double save_at;  /* not before this time */
  double start;
  bool enough; /* begin no more runs */
  bool again;  /* the first run was repeated */
} omen_session;

/* The curve and the failures, for findings.json and the HTML report. */
json_t *omen_session_shown (const omen_session *s);
/* Analyses a kept run and reports its findings. */
bool omen_session_look (omen_session *s, unsigned number, int *code);
/* At intervals, unless it is the last time. */
void omen_session_save (omen_session *s, bool last);
/* Continues from the state saved in the folder. */
bool omen_session_go_on (omen_session *s, int *code);

#endif
