/* What work may take, and whom to tell how far it is.

     omen_limits limits = omen_limits_in (60, &flag, (size_t)1 << 30);
     omen_limits_begin (&limits, "merging", 0.5);
     while (…)
       if (omen_limits_over (&limits, done, all))
         break;                  what is done by then is used, limits.hit says
   why

   Work has stages, one after the other; each may take a share of the time and
   memory that are left when it begins. Look every thousand steps or so: a look
   costs a call for the time. One thread begins and looks. NULL for limits:
   there are none. */
#ifndef OMEN_BASE_LIMITS_H
#define OMEN_BASE_LIMITS_H

#include "base/now.h"

#include <stddef.h>
#include <stdint.h>

typedef enum omen_limit {
  OMEN_LIMIT_NONE,
  OMEN_LIMIT_TIME,
  OMEN_LIMIT_MEMORY,
  OMEN_LIMIT_STOP /* somebody set the flag */
} omen_limit;

typedef struct omen_limits {
  omen_deadline deadline;
  size_t memory; /* omen_mem_live at most; 0: any number */
  size_t event;  /* bytes that will be wanted for each event of a trace */
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all); /* or NULL; some ten times a second */
  void *context;
  /* of its own: */
  omen_limit hit; /* the first that was reached */
  double told;
  const char *what; /* the stage, until when and to how much memory */
  double until;
  size_t most;
} omen_limits;

/* Beginning now. 0 seconds, 0 bytes: no limit. What is in use already counts,
   but a twentieth of the memory is free in any case. */
omen_limits omen_limits_in (double seconds, const omen_stop_flag *stop,
                            size_t memory);
void omen_limits_begin (omen_limits *limits, const char *what, double share);
bool omen_limits_over (omen_limits *limits, uint64_t done, uint64_t all);

#endif
