/* Random property files: a few events and parameters, one formula of some
   logic, handlers, modifiers. The same seed gives the same text. */
#ifndef OMEN_TEST_SPEC_RANDOM_SPEC_H
#define OMEN_TEST_SPEC_RANDOM_SPEC_H

#include "monitor/heap.h" /* leaks are counted */
#include "spec/compile.h"

typedef struct dice {
  uint64_t state;
} dice;

/* 0 … below - 1 */
unsigned roll (dice *d, unsigned below);

/* Where texts are written. */
typedef struct page {
  char text[8192];
  size_t at;
  bool predicates; /* temporal formulas may have state predicates */
} page;

void page_put (page *p, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));

typedef struct random_spec {
  page page;
  unsigned events, parameters, logic;
} random_spec;

#define RANDOM_LOGICS 6
extern const char *const random_logics[RANDOM_LOGICS];

void random_spec_make (random_spec *spec, dice *d, unsigned logic);
/* One whose instances depend on whether objects live: ere or cfg. */
void random_spec_mortal (random_spec *spec, dice *d);

/* What the page says, compiled, and *spec, both to be freed; NULL with the
   reason and the page printed. */
omen_compiled *random_compile (uint64_t seed, const page *p, omen_spec **spec);

#endif
