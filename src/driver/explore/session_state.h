/* Private to the exploration's session: what it knows. session.c leads through
   the runs, saved.c keeps what is known in a file, so that it can go on. */
#ifndef OMEN_DRIVER_EXPLORE_SESSION_STATE_H
#define OMEN_DRIVER_EXPLORE_SESSION_STATE_H

#include "driver/check/state.h"
#include "driver/explore/explore.h"
#include "driver/explore/failing.h"
#include "driver/explore/shrink.h"

/* A run whose recording is kept, and what that does not tell. */
typedef struct omen_kept_run {
  int status;
  omen_ending ending;
} omen_kept_run;

/* Runs that failed in one way (omen_failure_sort). */
typedef struct omen_failed {
  uint64_t sort, first, count; /* the first of them, from 1; how many */
  uint32_t kept;               /* the recording that shows it */
  char *how;
} omen_failed;

/* So much was known after so many runs. */
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
  omen_explore_plan *plans; /* of the runners */
  struct pollfd *fds;
  unsigned jobs, busy; /* runners: ours, then those of other ranks */
  omen_failing failing;
  OMEN_VEC (omen_kept_run) kept; /* run.omen, run-2.omen, … */
  OMEN_VEC (omen_failed) failures;
  OMEN_VEC (omen_curve_point) curve;
  uint64_t stride; /* every so many runs; 0: 1 */
  uint64_t first;  /* the behaviour of the first run */
  uint64_t before; /* runs that an earlier session made */
  double save_at;  /* not before */
  double start;
  bool enough; /* no more runs are to be begun */
  bool again;  /* the first run was done again */
} omen_session;

/* Looks at a kept run: what is found there is reported. */
bool omen_session_look (omen_session *s, unsigned number, int *code);
/* Seldom, unless it is the last time. */
void omen_session_save (omen_session *s, bool last);
/* With what an earlier session saved in the folder. */
bool omen_session_go_on (omen_session *s, int *code);

#endif
