/* Finds failing runs with few switches between threads.

   A run that fails in a new way is run again with other plans: first forcing
   only a prefix of its order, then with one stretch of a thread moved next to
   another one of the same thread. A run that fails in the same way with fewer
   switches replaces it, until none is found or the time is over. So the result
   is always a recorded run; no claim is derived from another. */
#ifndef OMEN_DRIVER_EXPLORE_SHRINK_H
#define OMEN_DRIVER_EXPLORE_SHRINK_H

#include "driver/check/checked.h"
#include "driver/explore/failing.h"
#include "driver/explore/runner.h"

/* A hash that is equal for runs that fail in the same way: by this signal, exit
   code, report or hang, at the same locations. */
uint64_t omen_failure_sort (const omen_trace *trace, int status,
                            const omen_ending *ending);
/* Number of switches up to the death of a thread, or to the end. */
size_t omen_failure_switches (const omen_trace *trace);

typedef struct omen_shrink {
  omen_runner *runner; /* idle, before and after */
  omen_failing *failing;
  const omen_stop_flag *stop;
  char path[PATH_MAX]; /* recording of the best run */
  int status;          /* its exit status */
  omen_ending ending;
  size_t switches; /* in it */
  bool better;     /* it has fewer than the given run */
} omen_shrink;

/* Shrinks the failing run `trace`. Returns shrink->better: a better run was
   found, and is in shrink->path etc.; the caller owns its ending. */
bool omen_shrink_run (omen_shrink *shrink, const omen_trace *trace, int status,
                      const omen_ending *ending);

#endif
