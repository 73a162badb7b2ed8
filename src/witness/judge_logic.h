/* TRUSTED. Private to the judge: the interface of its logics. */
#ifndef OMEN_WITNESS_JUDGE_LOGIC_H
#define OMEN_WITNESS_JUDGE_LOGIC_H

#include "base/map.h"
#include "base/vec.h"
#include "witness/judge.h"

/* Limit of steps for one question; each logic has its own kind of step. */
#define OMEN_JUDGE_WORK 50000000

typedef struct omen_judging {
  const omen_property *property;
  const omen_formula *formula; /* only the names of categories, and which of
                                  them reset, are used */
  const omen_written_formula *written;
  uint32_t events, predicates;
  uint64_t work;      /* so far */
  const char *beyond; /* why there is no answer; NULL: there is one */
  void *own;          /* the logic's */
} omen_judging;

/* Count these steps. False: beyond the limit, there is no answer. */
bool omen_judging_works (omen_judging *j, uint64_t steps);
bool omen_judging_has_goal (const omen_judging *j, const char *category);

typedef struct omen_judging_logic {
  const char *name;
  void (*begin) (omen_judging *j); /* may set beyond */
  void (*end) (omen_judging *j);
  /* Is the word, which has a letter at least, in the category at its end? */
  bool (*lands) (omen_judging *j, const omen_letter *word, size_t count,
                 const char *category);
  /* The creation events, if none are marked as such and the formula has no
     category fail or nonfail. */
  uint64_t (*creation) (omen_judging *j);
} omen_judging_logic;

extern const omen_judging_logic omen_judging_ere, omen_judging_fsm,
    omen_judging_cfg, omen_judging_ltl, omen_judging_ptltl,
    omen_judging_pattern;

/* An automaton whose states are made when needed. If `step` sets j->beyond, its
   result is invalid. */
typedef struct omen_judging_automaton {
  omen_judging *j;
  uint32_t letters;
  uint32_t (*step) (omen_judging *j, uint32_t state, uint32_t letter);
  uint32_t (*verdict) (omen_judging *j, uint32_t state);
} omen_judging_automaton;

/* Is a state with a verdict reached from here, by any word or none? */
bool omen_judging_reaches (const omen_judging_automaton *a, uint32_t state);
/* Is there a word, not empty, after which the verdicts from the two differ? */
bool omen_judging_differ (const omen_judging_automaton *a, uint32_t one,
                          uint32_t other);

#endif
