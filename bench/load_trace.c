/* load_trace FILE [REPEATS [mistakes]]: how long it takes to load a trace, and
   how much memory it then has. One line a repeat: seconds of processor time,
   events, bytes an event; with `mistakes` also "clean" where the scan of a
   recording found that there are none. Processor time, because machines are
   shared. */
#include "load/load.h"
#include "base/now.h"

#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int repeats = argc > 2 ? atoi (argv[2]) : 1;
  omen_load_options options = { .rebuild = { .mistakes = argc > 3 } };
  if (argc < 2)
    return fprintf (stderr, "usage: load_trace FILE [REPEATS [mistakes]]\n"), 2;
  for (int i = 0; i < repeats; i++) {
    omen_err err = { 0 };
    double start = omen_used (), seconds;
    omen_trace *trace = omen_load (argv[1], &options, &err);
    seconds = omen_used () - start;
    if (!trace)
      return fprintf (stderr, "%s: %s\n", err.where, err.what), 3;
    printf ("%.4f %zu %.1f%s\n", seconds, trace->events.count,
            trace->events.count
                ? (double)omen_mem_live () / (double)trace->events.count
                : 0.0,
            trace->rebuilt.clean ? " clean" : "");
    omen_trace_free (trace);
  }
  return 0;
}
