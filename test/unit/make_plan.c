/* make_plan TRACE: the order of a recorded trace as a plan for replay, on
   standard output. */
#include "base/mem.h"
#include "load/load.h"

#include <inttypes.h>
#include <stdio.h>

/* A line for the events of one thread that end with `e`. */
static void
print_run (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = &trace->events.data[e];
  omen_sid path = trace->threads.data[event->thread].path;
  printf ("run %s %" PRIu64 "\n", omen_names_text (&trace->strings, path),
          trace->items.data[e] + (event->kind != OMEN_REQUEST));
}

static void
print_interrupt (const omen_trace *trace, const omen_interrupt *interrupt)
{
  omen_sid path = trace->threads.data[interrupt->thread].path;
  printf ("signal %s %" PRIu64 " %u\n", omen_names_text (&trace->strings, path),
          interrupt->item, interrupt->signal);
}

static void
print_expiry (const omen_trace *trace, omen_eid e)
{
  const omen_event *event = &trace->events.data[e];
  omen_sid path = trace->threads.data[event->thread].path;
  if (event->kind == OMEN_WAKE && event->mode & OMEN_MODE_TIMEOUT)
    printf ("expire %s %" PRIu64 "\n", omen_names_text (&trace->strings, path),
            trace->items.data[e]);
}

int
main (int argc, char **argv)
{
  omen_err err = { 0 };
  omen_trace *trace = argc == 2 ? omen_load (argv[1], NULL, &err) : NULL;
  if (!trace || trace->items.count != trace->events.count) {
    fprintf (stderr, "make_plan: %s\n", err.what);
    return 1;
  }
  puts ("omen-plan 1");
  for (size_t i = 0; i < trace->interrupts.count; i++)
    print_interrupt (trace, &trace->interrupts.data[i]);
  for (size_t e = 0; e < trace->events.count; e++)
    print_expiry (trace, (omen_eid)e);
  for (size_t e = 0; e < trace->events.count; e++)
    if (e + 1 == trace->events.count
        || trace->events.data[e].thread != trace->events.data[e + 1].thread)
      print_run (trace, (omen_eid)e);
  puts ("end free");
  omen_trace_free (trace);
  return 0;
}
