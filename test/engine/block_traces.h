/* Random traces in which most threads have blocks, around anything. */
#ifndef OMEN_TEST_ENGINE_BLOCK_TRACES_H
#define OMEN_TEST_ENGINE_BLOCK_TRACES_H

#include "gen.h"

#include <stdlib.h>
#include <string.h>

/* So many wrong answers are enough; with a planted bug, one. */
#ifdef OMEN_SEEDED
#define ENOUGH 1
#else
#define ENOUGH 5
#endif

static inline void
draw_block_knobs (oracle_knobs *knobs, uint64_t seed)
{
  static const char *const settings[][3]
      = { { "block=1030", "wrap=30", "longest=16" },
          { "function=1030", "wrap=60", "longest=18" },
          { "section=1050", "wrap=100", "longest=20" },
          { "block=60", "wrap=100", "ranges=60" },
          { "rwlock=1030", "wrap=100", "block=30" } };
  oracle_knobs_default (knobs, seed);
  if (seed % 6 == 0)
    return;
  for (int i = 0; i < 3; i++) {
    bool known = oracle_knobs_set (knobs, settings[seed % 6 - 1][i]);
    OMEN_REQUIRE (known);
  }
}

/* How many traces, and from which seed. */
static inline uint64_t
campaign_size (int argc, char **argv, uint64_t large, uint64_t *first)
{
  const char *scale = getenv ("OMEN_CAMPAIGN");
  *first = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  if (argc > 1)
    return strtoull (argv[1], NULL, 10);
  return scale && !strcmp (scale, "long") ? large : 2000;
}

#endif
