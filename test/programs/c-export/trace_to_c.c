/* trace_to_c [--free] TRACE: the trace as a C program (README.md), on standard
   output. Exit status: 2 if the output cannot be written, 3 if TRACE cannot be
   read or said in C. */
#include "c_write.h"
#include "load/load.h"

#include <string.h>

int
main (int argc, char **argv)
{
  char warning[700] = "";
  omen_c_options options = { .warning = warning, .room = sizeof warning };
  omen_err err = { 0 };
  omen_trace *trace;
  bool written;
  options.free = argc == 3 && !strcmp (argv[1], "--free");
  if (argc != 2 + options.free) {
    fputs ("usage: trace_to_c [--free] TRACE\n", stderr);
    return 2;
  }
  trace = omen_load (argv[argc - 1], NULL, &err);
  written = trace && omen_c_write (trace, stdout, &options, &err);
  omen_trace_free (trace);
  if (!written)
    fprintf (stderr, "trace_to_c: %s: %s\n", err.where, err.what);
  else if (warning[0])
    fprintf (stderr, "trace_to_c: warning: %s\n", warning);
  return written ? 0 : err.io ? 2 : 3;
}
