/* What a claim `lifetime f a` is, for people: what it was that ended. Read off
   the trace; the claim holds or not, whatever is said here. */
#ifndef OMEN_WITNESS_LIFETIME_H
#define OMEN_WITNESS_LIFETIME_H

#include "witness/witness.h"

typedef enum omen_lifetime {
  OMEN_LIFETIME_FREED, /* a block of the heap, or a mapping */
  OMEN_LIFETIME_FREED_TWICE,
  OMEN_LIFETIME_STACK, /* a local variable of a function that returned */
  OMEN_LIFETIMES
} omen_lifetime;

omen_lifetime omen_lifetime_of (const omen_trace *trace,
                                const omen_claim *claim);
/* "use-after-free", for JSON and files. */
const char *omen_lifetime_text (omen_lifetime what);
/* "use after free of", for a headline. */
const char *omen_lifetime_headline (omen_lifetime what);

#endif
