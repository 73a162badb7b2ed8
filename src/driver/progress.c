#include "driver/progress.h"
#include "base/print.h"
#include "base/now.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Analysing a larger trace may take minutes. */
#define LARGE 100000u

void
omen_progress_start (omen_progress *p, bool quiet)
{
  *p = (omen_progress){ .quiet = quiet, .terminal = isatty (STDERR_FILENO) };
  p->start = omen_now ();
}

double
omen_progress_elapsed (const omen_progress *p)
{
  return omen_now () - p->start;
}

/* Not printed on a terminal, where the counts that follow suffice. */
void
omen_progress_phase (omen_progress *p, const char *format, ...)
{
  va_list args;
  if (p->quiet || p->terminal)
    return;
  fputs ("omen: ", stderr);
  va_start (args, format);
  omen_vprint (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
}

void
omen_progress_trace (omen_progress *p, const char *path,
                     const omen_trace *trace)
{
  size_t events = trace->events.count, threads = trace->threads.count;
  p->large = events >= LARGE;
  p->last = NULL;
  if (trace->rebuilt.clean)
    omen_progress_phase (p, "predicting: %s, all in one order or under a lock",
                         path);
  else
    omen_progress_phase (p, "predicting: %s, %zu event%s of %zu thread%s", path,
                         events, omen_s (events), threads, omen_s (threads));
}

void
omen_progress_count (omen_progress *p, const char *what, uint64_t done,
                     uint64_t all)
{
  if (p->terminal && !p->quiet)
    omen_print (stderr, "\r\033[Komen: %s: %" PRIu64 " of %" PRIu64 ", %.1f s",
                what, done, all, omen_progress_elapsed (p));
  if (p->large && (!p->last || strcmp (p->last, what)))
    omen_progress_phase (p, "predicting %s: %" PRIu64 " candidate%s, %.1f s",
                         what, all, omen_s (all), omen_progress_elapsed (p));
  p->last = what;
}

void
omen_progress_print_part (const omen_trace *trace, FILE *out)
{
  if (trace->rebuilt.cut)
    omen_print (out, ", only the first %.3g %% of the trace analysed",
                100 * omen_trace_part (trace));
}

/* Loading is shown only if it takes longer. */
#define SHOW_AFTER 1.0 /* seconds */

static void
show_loading (void *context, const char *what, uint64_t done, uint64_t all)
{
  const omen_progress *p = context;
  if (p->terminal && !p->quiet && omen_progress_elapsed (p) > SHOW_AFTER)
    omen_print (stderr, "\r\033[Komen: %s: %.0f %%, %.1f s", what,
                all ? 100.0 * (double)done / (double)all : 0,
                omen_progress_elapsed (p));
}

/* Memory that the model, verifier and detectors need for each event. */
#define EVENT_BYTES 256u

omen_limits
omen_progress_limits (omen_progress *p, double seconds, uint64_t memory,
                      const omen_stop_flag *stop)
{
  omen_limits limits = omen_limits_in (seconds / 2, stop, memory);
  limits.event = EVENT_BYTES;
  limits.progress = show_loading;
  limits.context = p;
  return limits;
}

void
omen_progress_clear (const omen_progress *p)
{
  if (p->terminal)
    fputs ("\r\033[K", stderr);
}
