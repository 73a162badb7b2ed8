/* load_trace FILE [REPEATS]: how long it takes to load a trace, and how much
   memory it then has. One line a repeat: seconds of processor time, events,
   bytes an event. Processor time, because machines are shared. */
#include "load/load.h"
#include "base/now.h"

#include <stdio.h>
#include <stdlib.h>

int
main (int argc, char **argv)
{
  int repeats = argc > 2 ? atoi (argv[2]) : 1;
  if (argc < 2)
    return fprintf (stderr, "usage: load_trace FILE [REPEATS]\n"), 2;
  for (int i = 0; i < repeats; i++) {
    omen_err err = { 0 };
    double start = omen_used (), seconds;
    omen_trace *trace = omen_load (argv[1], NULL, &err);
    seconds = omen_used () - start;
    if (!trace)
      return fprintf (stderr, "%s: %s\n", err.where, err.what), 3;
    printf ("%.4f %zu %.1f\n", seconds, trace->events.count,
            trace->events.count
                ? (double)omen_mem_live () / (double)trace->events.count
                : 0.0);
    omen_trace_free (trace);
  }
  return 0;
}
