/* Where omen is: one line that is written again and again on a terminal;
   elsewhere a plain line for each phase, so that a log shows them.

     omen_progress_phase (p, "recording %s", "./bank");
     omen_progress_count (p, "races", 7, 120);
     omen_progress_clear (p);                       before other words       */
#ifndef OMEN_DRIVER_PROGRESS_H
#define OMEN_DRIVER_PROGRESS_H

#include "trace/part.h"

#include <stdio.h>

typedef struct omen_progress {
  double start; /* by omen_now */
  bool quiet, terminal;
  bool large;       /* the trace takes long: each kind of question is a phase */
  const char *last; /* what was counted last */
} omen_progress;

void omen_progress_start (omen_progress *p, bool quiet);
/* Seconds since then. */
double omen_progress_elapsed (const omen_progress *p);
void omen_progress_phase (omen_progress *p, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* A trace is loaded: its questions come next. */
void omen_progress_trace (omen_progress *p, const char *path,
                          const omen_trace *trace);
void omen_progress_count (omen_progress *p, const char *what, uint64_t done,
                          uint64_t all);
void omen_progress_clear (const omen_progress *p);
/* ", the first 12 % analysed", for a summary; nothing if all of it was. */
void omen_progress_print_part (const omen_trace *trace, FILE *out);

/* For loading a trace that is to be analysed: half of the seconds, so many
   bytes (0: no limit), and where it is, shown if it takes longer than a second.
 */
/* Of the seconds for a kind of question (0: no limit), what is left when so
   many are gone. */
static inline double
omen_progress_left (double seconds, double gone)
{
  return seconds - gone > 0.1 * seconds ? seconds - gone : 0.1 * seconds;
}
omen_limits omen_progress_limits (omen_progress *p, double seconds,
                                  uint64_t memory, const omen_stop_flag *stop);

#endif
