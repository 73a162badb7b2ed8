#include "draw.h"
#include "spin.h"

#include <stdio.h>

/* Compare-exchanges beside plain reads. */
static void
mix (oracle_knobs *knobs)
{
  bool known = oracle_knobs_set (knobs, "mixed=70")
               && oracle_knobs_set (knobs, "rmw=1200")
               && oracle_knobs_set (knobs, "atomic=1100");
  OMEN_REQUIRE (known);
}

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
  if (seed % 16 == 7)
    mix (knobs);
}

omen_trace *
draw_trace (uint64_t seed)
{
  oracle_knobs knobs;
  omen_trace *trace, *spinning;
  draw_knobs (&knobs, seed);
  if (seed % 8 == 3) {
    bool known = oracle_knobs_set (&knobs, "section=1100")
                 && oracle_knobs_set (&knobs, "longest=16");
    OMEN_REQUIRE (known);
  }
  trace = oracle_generate (&knobs);
  if (seed % 8 != 3)
    return trace;
  spinning = spinning_trace (trace, seed);
  omen_trace_free (trace);
  return spinning;
}
