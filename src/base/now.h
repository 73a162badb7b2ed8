/* Monotonic wall-clock time for budgets, CPU time for measuring, in seconds;
   and deadlines, at a time or when a flag is set.

     double start = omen_now ();
     omen_deadline deadline = omen_deadline_in (2.5, &interrupted);
     while (!omen_is_past (&deadline)) …
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

/* Set to non-0 to stop; may be set by a signal handler. */
typedef _Atomic int omen_stop_flag;

typedef struct omen_deadline {
  double at;                  /* in terms of omen_now; 0: never */
  const omen_stop_flag *stop; /* or NULL */
} omen_deadline;

/* In `seconds` from now; 0: never. */
static inline omen_deadline
omen_deadline_in (double seconds, const omen_stop_flag *stop)
{
  return (omen_deadline){ seconds > 0 ? omen_now () + seconds : 0, stop };
}

static inline bool
omen_is_past (const omen_deadline *deadline)
{
  return (deadline->stop && *deadline->stop)
         || (deadline->at > 0 && omen_now () > deadline->at);
}

/* CPU time of this process, all threads. */
static inline double
omen_used (void)
{
  return omen_seconds_of (CLOCK_PROCESS_CPUTIME_ID);
}

#endif
