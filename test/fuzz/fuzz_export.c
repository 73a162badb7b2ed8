/* Any text that is a trace, exported to STD and as a C program: written or
   refused, no crash, and the same bytes the second time. */
#include "fuzz.h"

#include "c_write.h"
#include "io/std_write.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *
exported (const omen_trace *trace, unsigned how)
{
  omen_err err = { 0 };
  omen_std_report report;
  omen_std_options std = { how == 1, &report };
  omen_c_options c = { how == 3, NULL, 0 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  bool ok;
  OMEN_ASSERT (out);
  ok = how < 2 ? omen_std_write (trace, out, &std, &err)
               : omen_c_write (trace, out, &c, &err);
  OMEN_ASSERT (!fclose (out) && ok != err.set && (ok || !size));
  return text;
}

static bool
small (const omen_trace *trace)
{
  return trace->events.count < 1000 && trace->threads.count < 1000;
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("fuzz", (const char *)data, size, &err);
  for (unsigned how = 0; trace && small (trace) && how < 4; how++) {
    char *first = exported (trace, how), *second = exported (trace, how);
    OMEN_ASSERT (!strcmp (first, second));
    free (first);
    free (second);
  }
  omen_trace_free (trace);
  return 0;
}
