/* Random traces in which most threads have blocks, around anything. */
#ifndef OMEN_TEST_ENGINE_BLOCK_TRACES_H
#define OMEN_TEST_ENGINE_BLOCK_TRACES_H

#include "gen.h"

static inline void
draw_block_knobs (oracle_knobs *knobs, uint64_t seed)
{
  static const char *const settings[][3]
      = { { "pieces=1030", "variables=2", "longest=20" },
          { "block=1030", "wrap=30", "longest=16" },
          { "function=1030", "wrap=60", "longest=18" },
          { "section=1050", "wrap=100", "longest=20" },
          { "block=60", "wrap=100", "ranges=60" },
          { "rwlock=1030", "wrap=100", "block=30" } };
  oracle_knobs_default (knobs, seed);
  if (seed % 4 == 1) {
    bool known = oracle_knobs_set (knobs, "dependence=100");
    OMEN_REQUIRE (known);
  }
  if (seed % 12 == 0)
    return;
  for (int i = 0; i < 3; i++) {
    bool known = oracle_knobs_set (knobs, settings[seed % 12 % 6][i]);
    OMEN_REQUIRE (known);
  }
}

#endif
