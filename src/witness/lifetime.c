#include "witness/lifetime.h"

#include <string.h>

static const struct {
  const char *text, *headline;
} lifetimes[] = {
  { "use-after-free", "use after free of" },
  { "double-free", "double free of" },
  { "use-after-return", "use after its function returned of" },
};

_Static_assert (OMEN_COUNT (lifetimes) == OMEN_LIFETIMES, "texts a lifetime");

/* By the names that recordings give them (doc/recording.md). */
static bool
is_local (const omen_trace *trace, omen_eid freed)
{
  omen_pid place = omen_trace_event (trace, freed)->object;
  const char *name
      = omen_trace_variable_name (trace, trace->places.data[place].variable);
  return strncmp (name, "malloc", 6) && strncmp (name, "mmap", 4)
         && strchr (name, '@');
}

omen_lifetime
omen_lifetime_of (const omen_trace *trace, const omen_claim *claim)
{
  omen_eid end = claim->events.data[0], use = claim->events.data[1];
  OMEN_REQUIRE (claim->kind == OMEN_CLAIM_LIFETIME);
  if (omen_trace_event (trace, use)->kind == OMEN_FREE)
    return OMEN_LIFETIME_FREED_TWICE;
  return is_local (trace, end) ? OMEN_LIFETIME_STACK : OMEN_LIFETIME_FREED;
}

const char *
omen_lifetime_text (omen_lifetime what)
{
  OMEN_REQUIRE (what < OMEN_LIFETIMES);
  return lifetimes[what].text;
}

const char *
omen_lifetime_headline (omen_lifetime what)
{
  OMEN_REQUIRE (what < OMEN_LIFETIMES);
  return lifetimes[what].headline;
}
