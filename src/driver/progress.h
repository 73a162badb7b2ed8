/* Progress: on a terminal, one line that is rewritten; otherwise a line for
   each phase, as in a log.

     omen_progress_phase (p, "recording %s", "./bank");
     omen_progress_count (p, "races", 7, 120);
     omen_progress_clear (p);                       before other output */
#ifndef OMEN_DRIVER_PROGRESS_H
#define OMEN_DRIVER_PROGRESS_H

#include "trace/part.h"

#include <stdio.h>

typedef struct omen_progress {
  double start; /* by omen_now */
  bool quiet, terminal;
  bool large; /* large trace: each kind of question is a phase of its own */
  const char *last; /* the name of the last count */
} omen_progress;

void omen_progress_start (omen_progress *p, bool quiet);
/* Seconds since the start. */
double omen_progress_elapsed (const omen_progress *p);
void omen_progress_phase (omen_progress *p, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
/* Called when a trace was loaded, before it is analysed. */
void omen_progress_trace (omen_progress *p, const char *path,
                          const omen_trace *trace);
void omen_progress_count (omen_progress *p, const char *what, uint64_t done,
                          uint64_t all);
void omen_progress_clear (const omen_progress *p);
/* ", only the first 12 % … analysed", for a summary; nothing if all was. */
void omen_progress_print_part (const omen_trace *trace, FILE *out);

/* Limits for loading a trace that is to be analysed: half of the seconds, and
   `memory` bytes (0: none). Progress is shown after a second. */
/* What remains of the seconds for a kind of question (0: no limit) when some
   are used up; at least a tenth. */
static inline double
omen_progress_left (double seconds, double gone)
{
  return seconds - gone > 0.1 * seconds ? seconds - gone : 0.1 * seconds;
}
omen_limits omen_progress_limits (omen_progress *p, double seconds,
                                  uint64_t memory, const omen_stop_flag *stop);

#endif
