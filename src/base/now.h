/* Seconds on a clock that only goes forward: of the wall, for budgets; of the
   processor, for measuring.

     double start = omen_now ();
     …
     spent = omen_now () - start; */
#ifndef OMEN_BASE_NOW_H
#define OMEN_BASE_NOW_H

#include <stdbool.h>
#include <time.h>

static inline double
omen_seconds_of (clockid_t clock)
{
  struct timespec t;
  clock_gettime (clock, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline double
omen_now (void)
{
  return omen_seconds_of (CLOCK_MONOTONIC);
}

/* The moment that is so many seconds away; 0 stands for never in both. */
static inline double
omen_deadline_in (double seconds)
{
  return seconds > 0 ? omen_now () + seconds : 0;
}

static inline bool
omen_is_past (double deadline)
{
  return deadline > 0 && omen_now () > deadline;
}

/* What this process has used so far, all threads together. */
static inline double
omen_used (void)
{
  return omen_seconds_of (CLOCK_PROCESS_CPUTIME_ID);
}

#endif
