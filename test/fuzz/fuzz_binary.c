/* The binary reader on any bytes. What it accepts must survive being written
   as binary and as text, as the same trace.

   Checksums would keep a fuzzer out: inputs are made right after they are
   changed, three times out of four. */
#include "fuzz.h"

#include "mend.h"
#include "io/binary.h"
#include "trace/text.h"
#include "io/text_read.h"

#include <stdio.h>
#include <stdlib.h>

static omen_trace *
reparse (const omen_trace *trace, bool text, unsigned how)
{
  char *data;
  size_t size;
  omen_err err = { 0 };
  FILE *out = open_memstream (&data, &size);
  omen_trace *again;
  OMEN_ASSERT (text ? omen_text_write (trace, out, &err)
                    : omen_binary_write_as (trace, how, out, &err));
  fclose (out);
  again = text ? omen_text_parse ("again", data, size, &err)
               : omen_binary_parse ("again", data, size, &err);
  if (!again)
    fprintf (stderr, "%s: %s\n%.*s\n", err.where, err.what,
             text ? (int)size : 0, data);
  free (data);
  OMEN_ASSERT (again);
  return again;
}

static void
same (const omen_trace *trace, bool text, unsigned how)
{
  omen_trace *again = reparse (trace, text, how);
  OMEN_ASSERT (trace->events.count == again->events.count);
  OMEN_ASSERT (omen_trace_identity (trace) == omen_trace_identity (again));
  omen_trace_free (again);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_binary_parse ("fuzz", data, size, &err);
  OMEN_ASSERT (trace || err.set);
  if (trace) {
    same (trace, false, (unsigned)size % 4);
    same (trace, true, 0);
  }
  omen_trace_free (trace);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
