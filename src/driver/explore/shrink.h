/* Failing runs with few switches between threads.

   A run that fails in a new way is run again under other plans: with only the
   beginning of its order forced, then with one stretch of a thread moved next
   to another one of the same thread. A run that fails in the same way with
   fewer switches takes its place, until none does or the time is over. So the
   result is a recorded run; no claim is derived from another. */
#ifndef OMEN_DRIVER_EXPLORE_SHRINK_H
#define OMEN_DRIVER_EXPLORE_SHRINK_H

#include "driver/check/checked.h"
#include "driver/explore/failing.h"
#include "driver/explore/runner.h"

/* The same for runs that fail in the same way: by this signal, exit code or
   report, or stuck, at the same places. */
uint64_t omen_failure_sort (const omen_trace *trace, int status,
                            const omen_ending *ending);
/* Until the thread that died did, or to the end. */
size_t omen_failure_switches (const omen_trace *trace);

typedef struct omen_shrink {
  omen_runner *runner; /* idle; it is again in the end */
  omen_failing *failing;
  const omen_stop_flag *stop;
  char path[PATH_MAX]; /* the recording of the best run, … */
  int status;          /* … how it ended, */
  omen_ending ending;
  size_t switches; /* … and how many it has */
  bool better;     /* than the one that was given */
} omen_shrink;

/* The run of `trace` failed. The same as shrink->better: there is another one,
   in shrink->path etc.; its ending is the caller's. */
bool omen_shrink_run (omen_shrink *shrink, const omen_trace *trace, int status,
                      const omen_ending *ending);

#endif
