#include "draw.h"

#include <stdio.h>

void
draw_knobs (oracle_knobs *knobs, uint64_t seed)
{
#define IDIOM_NAME(name) #name,
  static const char *const idioms[] = { ORACLE_IDIOMS (IDIOM_NAME) };
#undef IDIOM_NAME
  oracle_random random = { seed };
  char setting[64];
  oracle_knobs_default (knobs, seed);
  if (seed % 2 == 0)
    return;
  for (int i = 0; i < 2; i++) {
    bool known;
    snprintf (setting, sizeof setting, "%s=%u",
              idioms[oracle_below (&random, OMEN_COUNT (idioms))],
              ORACLE_SURE + 100);
    known = oracle_knobs_set (knobs, setting);
    OMEN_REQUIRE (known);
  }
  knobs->longest = 20;
}
