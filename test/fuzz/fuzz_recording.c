/* Any bytes as a recorder's file: refused with a place and a reason, or a trace
   that a run can have left, whatever the notes say; if something of the file is
   missing or makes no sense, which is said, one that can be repaired.

   Checksums would keep a fuzzer out: inputs are made right after they are
   changed, three times out of four. */
#include "fuzz.h"

#include "mend.h"
#include "load/load.h"
#include "repaired.h"

#include <stdio.h>

static void
load (const uint8_t *data, size_t size, bool all)
{
  omen_load_options options = { .rebuild.all = all, .without_names = true };
  omen_err err = { 0 };
  omen_trace *trace = omen_load_memory ("fuzz", data, size, &options, &err);
  OMEN_ASSERT (trace ? !err.set : err.set && err.where[0] && err.what[0]);
  if (trace && trace->rebuilt.items && !omen_wellformed (trace, NULL, &err)) {
    fprintf (stderr, "%s\n", err.what);
    OMEN_ASSERT (trace->warnings.count);
    trace = repaired (trace);
  }
  omen_trace_free (trace);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  load (data, size, true);
  load (data, size, false);
  return 0;
}
