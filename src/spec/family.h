/* A family: a set of sets of parameters. There are at most 8 parameters, so it
   is 256 bits. Enable sets are families: what the events of a word before some
   event may have bound, together. */
#ifndef OMEN_SPEC_FAMILY_H
#define OMEN_SPEC_FAMILY_H

#include "monitor/property.h"

typedef struct omen_family {
  uint64_t bits[(1 << OMEN_PARAMETERS_MAX) / 64];
} omen_family;

static inline bool
omen_family_has (const omen_family *family, uint32_t set)
{
  return family->bits[set / 64] >> set % 64 & 1;
}

/* False if it was there. */
static inline bool
omen_family_add (omen_family *family, uint32_t set)
{
  bool added = !omen_family_has (family, set);
  family->bits[set / 64] |= (uint64_t)1 << set % 64;
  return added;
}

/* True if that changed a. */
static inline bool
omen_family_join (omen_family *a, const omen_family *b)
{
  bool changed = false;
  for (size_t i = 0; i < OMEN_COUNT (a->bits); i++) {
    changed |= (b->bits[i] & ~a->bits[i]) != 0;
    a->bits[i] |= b->bits[i];
  }
  return changed;
}

/* The unions of one of a and one of b. */
static inline omen_family
omen_family_cross (const omen_family *a, const omen_family *b)
{
  omen_family all = { { 0 } };
  for (uint32_t x = 0; x < 1u << OMEN_PARAMETERS_MAX; x++)
    for (uint32_t y = 0;
         omen_family_has (a, x) && y < 1u << OMEN_PARAMETERS_MAX; y++)
      if (omen_family_has (b, y))
        omen_family_add (&all, x | y);
  return all;
}

#endif
