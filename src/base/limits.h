/* Limits of time and memory for a piece of work, and progress reports.

     omen_limits limits = omen_limits_in (60, &flag, (size_t)1 << 30);
     omen_limits_begin (&limits, "merging", 0.5);
     while (…)
       if (omen_limits_over (&limits, done, all))
         break;                  what is done by then is used, limits.hit says
   why

   Work has consecutive stages; each may take a share of the time and memory
   that are left when it begins. Check about every thousand steps, since a check
   reads the clock. Not thread-safe. A NULL pointer means no limits. */
#ifndef OMEN_BASE_LIMITS_H
#define OMEN_BASE_LIMITS_H

#include "base/now.h"

#include <stddef.h>
#include <stdint.h>

typedef enum omen_limit {
  OMEN_LIMIT_NONE,
  OMEN_LIMIT_TIME,
  OMEN_LIMIT_MEMORY,
  OMEN_LIMIT_STOP /* the flag was set */
} omen_limit;

typedef struct omen_limits {
  omen_deadline deadline;
  size_t memory; /* limit of omen_mem_live; 0: none */
  size_t event;  /* bytes that later stages need for each event of a trace */
  /* called about ten times a second; or NULL */
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all);
  void *context;
  /* private: */
  omen_limit hit;   /* the first limit that was reached */
  double reported;  /* last call of `progress` */
  const char *what; /* the current stage, its end time and memory limit */
  double until;
  size_t most;
} omen_limits;

/* Starts now. 0 seconds, 0 bytes: no limit. Memory in use counts, but at least
   a twentieth of the limit is made available on top of it. */
omen_limits omen_limits_in (double seconds, const omen_stop_flag *stop,
                            size_t memory);
void omen_limits_begin (omen_limits *limits, const char *what, double share);
bool omen_limits_over (omen_limits *limits, uint64_t done, uint64_t all);

#endif
