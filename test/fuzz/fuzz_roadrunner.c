/* Any bytes as a RoadRunner log: refused with a place and a reason, or a
   trace that its text form gives back, also once it is repaired. */
#include "fuzz.h"
#include "repaired.h"

#include "io/roadrunner.h"
#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>

static void
comes_back (const omen_trace *trace)
{
  omen_err err = { 0 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  omen_trace *again;
  OMEN_ASSERT (out && omen_text_write (trace, out, &err));
  fclose (out);
  again = omen_text_parse ("again", text, size, &err);
  OMEN_ASSERT (again);
  OMEN_ASSERT (omen_trace_identity (again) == omen_trace_identity (trace));
  omen_trace_free (again);
  free (text);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace
      = omen_roadrunner_parse ("fuzz", (const char *)data, size, &err);
  OMEN_ASSERT (trace ? !err.set : err.set && err.where[0] && err.what[0]);
  if (trace)
    comes_back (trace);
  trace = trace ? repaired (trace) : NULL;
  if (trace)
    comes_back (trace);
  omen_trace_free (trace);
  return 0;
}
