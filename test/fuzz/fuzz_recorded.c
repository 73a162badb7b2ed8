/* Any bytes as a file that a recording left, which omen looks at before it
   loads it: what is in it, and which names are to be added. Inputs are those of
   fuzz_recording. */
#include "fuzz.h"

#include "base/mem.h"
#include "driver/recorded.h"
#include "file.h"
#include "mend.h"
#include "symbols/symbols.h"

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_file file = fuzz_file_of (data, size);
  omen_recorded recorded = { 0 };
  omen_err err = { 0 };
  omen_recorded_count (&recorded, file.path);
  OMEN_ASSERT (recorded.bytes <= size);
  omen_recorded_fini (&recorded);
  bool added = omen_symbols_add (file.path, 1 << 20, NULL, &err);
  OMEN_ASSERT (added || !err.set || err.what[0]);
  close (file.fd);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
