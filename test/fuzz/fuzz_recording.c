/* Any bytes as a recorder's file: refused with a place and a reason, or a trace
   that a run can have left, whatever the notes say.

   Checksums would keep a fuzzer out: inputs are made right after they are
   changed, three times out of four. */
#include "fuzz.h"

#include "mend.h"
#include "trace/binary.h"
#include "trace/rebuild.h"
#include "trace/wellformed.h"

#include <stdio.h>

static void
load (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_binary_parse ("fuzz", data, size, &err);
  OMEN_ASSERT (trace ? !err.set : err.set && err.where[0] && err.what[0]);
  if (trace && trace->rebuilt.items && !omen_wellformed (trace, NULL, &err)) {
    fprintf (stderr, "%s\n", err.what);
    OMEN_ASSERT (!"a rebuilt trace makes sense");
  }
  omen_trace_free (trace);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_rebuild_all = true;
  load (data, size);
  omen_rebuild_all = false;
  load (data, size);
  return 0;
}
