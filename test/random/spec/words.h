/* Formulas as trees that are written out for omen and judged here by their
   definition, on words of a few letters. Shared by the files words_*.c, and
   those who need random formulas: test_logics_campaign.c, random_spec.c. */
#ifndef OMEN_TEST_SPEC_WORDS_H
#define OMEN_TEST_SPEC_WORDS_H

#include "random_spec.h"

#define WORD_MAX 12

typedef struct word {
  unsigned length;
  uint8_t event[WORD_MAX], thread[WORD_MAX];
} word;

/* A logic under test. */
typedef struct judge {
  const char *name;
  /* A random formula over events e0 …, written to the page. */
  void (*make) (dice *d, unsigned events, page *p);
  /* Is the word a match; does it satisfy the formula at its end? */
  bool (*holds) (const word *w);
} judge;

extern const judge judge_ere, judge_cfg, judge_ltl, judge_ptltl, judge_pattern;

#endif
