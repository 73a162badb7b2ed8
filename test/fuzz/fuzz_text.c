/* Any bytes as text: refused with a place and a reason, or a trace that is
   written in a form that is read as the same trace and written the same; also
   once it is repaired. */
#include "fuzz.h"
#include "repaired.h"

#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *
written (const omen_trace *trace, size_t *size)
{
  omen_err err = { 0 };
  char *text = NULL;
  FILE *out = open_memstream (&text, size);
  OMEN_ASSERT (out && omen_text_write (trace, out, &err));
  fclose (out);
  return text;
}

/* What messages use: never longer than the buffer, whatever the event. */
static void
single_events (const omen_trace *trace)
{
  omen_line line = { 0 };
  char buffer[20];
  for (omen_eid e = 0; e < trace->events.count; e++) {
    OMEN_ASSERT (omen_text_operation (trace, e, buffer, sizeof buffer)
                 == strlen (buffer));
    omen_text_event (trace, e, &line);
    OMEN_ASSERT (!memchr (line.data, '\n', line.count));
  }
  OMEN_VEC_FINI (line);
}

static void
comes_back (const omen_trace *trace)
{
  omen_err err = { 0 };
  size_t first_size, second_size;
  char *first = written (trace, &first_size), *second;
  omen_trace *again = omen_text_parse ("again", first, first_size, &err);
  OMEN_ASSERT (again);
  OMEN_ASSERT (omen_trace_identity (again) == omen_trace_identity (trace));
  second = written (again, &second_size);
  OMEN_ASSERT (first_size == second_size
               && !memcmp (first, second, first_size));
  omen_trace_free (again);
  free (first);
  free (second);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("fuzz", (const char *)data, size, &err);
  OMEN_ASSERT (trace ? !err.set : err.set && err.where[0] && err.what[0]);
  if (trace) {
    comes_back (trace);
    single_events (trace);
    trace = repaired (trace);
    if (trace)
      comes_back (trace);
  }
  omen_trace_free (trace);
  return 0;
}
