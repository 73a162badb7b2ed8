/* model_trace FILE [REPEATS]: how long it takes to check a trace and to build
   its model, and how much memory the model has. One line a repeat: seconds of
   the check, seconds of the model (check included), events, bytes an event
   beyond the trace. */
#include "model/model.h"
#include "base/now.h"
#include "load/load.h"

#include <stdio.h>
#include <stdlib.h>

static bool
measure (const omen_trace *trace, omen_err *err)
{
  size_t before = omen_mem_live (), count = trace->events.count;
  double start = omen_used (), checked, built;
  omen_model *model;
  if (!omen_wellformed (trace, NULL, err))
    return false;
  checked = omen_used ();
  model = omen_model_new (trace, err);
  built = omen_used ();
  if (!model)
    return false;
  printf ("%.4f %.4f %zu %.1f\n", checked - start, built - checked, count,
          count ? (double)(omen_mem_live () - before) / (double)count : 0.0);
  omen_model_free (model);
  return true;
}

int
main (int argc, char **argv)
{
  int repeats = argc > 2 ? atoi (argv[2]) : 1;
  omen_err err = { 0 };
  omen_trace *trace;
  if (argc < 2)
    return fprintf (stderr, "usage: model_trace FILE [REPEATS]\n"), 2;
  trace = omen_load (argv[1], NULL, &err);
  while (trace && repeats-- && measure (trace, &err))
    continue;
  omen_trace_free (trace);
  return err.set ? fprintf (stderr, "%s: %s\n", err.where, err.what), 3 : 0;
}
