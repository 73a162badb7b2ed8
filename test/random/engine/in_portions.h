/* A share of work (base/share.h) as several processes would do it: portion by
   portion, the last one first, each of which forgets what it found until all
   take it. */
#ifndef OMEN_TEST_ENGINE_IN_PORTIONS_H
#define OMEN_TEST_ENGINE_IN_PORTIONS_H

#include "base/share.h"

#include <stdlib.h>

enum { PORTIONS = 3 };

static inline void
run_in_portions (omen_share *share, const omen_share_work *work)
{
  char *data[PORTIONS] = { NULL };
  size_t sizes[PORTIONS];
  for (unsigned i = PORTIONS; i-- > 0;) {
    uint32_t first = (uint32_t)((uint64_t)work->pieces * i / PORTIONS);
    uint32_t end = (uint32_t)((uint64_t)work->pieces * (i + 1) / PORTIONS);
    if (first == end)
      continue;
    omen_archive archive = { open_memstream (&data[i], &sizes[i]), .ok = true };
    work->some (work->context, first, end, &archive);
    fclose (archive.file);
  }
  for (unsigned i = 0; i < PORTIONS; i++)
    if (data[i]) {
      omen_archive archive
          = { fmemopen (data[i], sizes[i], "r"), true, true, sizes[i] };
      work->take (work->context, &archive);
      fclose (archive.file);
      free (data[i]);
    }
}

#endif
