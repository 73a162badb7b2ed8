/* Random property files: a few events and parameters, one formula of some logic,
   handlers, modifiers. The same seed gives the same text. */
#ifndef OMEN_TEST_SPEC_RANDOM_SPEC_H
#define OMEN_TEST_SPEC_RANDOM_SPEC_H

#include "base/defs.h"

typedef struct dice {
  uint64_t state;
} dice;

/* 0 … below - 1 */
unsigned roll (dice *d, unsigned below);

typedef struct random_spec {
  char text[8192];
  unsigned events, parameters, logic;
} random_spec;

#define RANDOM_LOGICS 6
extern const char *const random_logics[RANDOM_LOGICS];

void random_spec_make (random_spec *spec, dice *d, unsigned logic);
/* One whose instances depend on whether objects live: ere or cfg. */
void random_spec_mortal (random_spec *spec, dice *d);

#endif
