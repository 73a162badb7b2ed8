/* TRUSTED. Inside the judge: one logic each. */
#ifndef OMEN_WITNESS_JUDGE_LOGIC_H
#define OMEN_WITNESS_JUDGE_LOGIC_H

#include "base/map.h"
#include "base/vec.h"
#include "witness/judge.h"

/* Steps that one question may take, of whatever the logic counts. */
#define OMEN_JUDGE_WORK 50000000

typedef struct omen_judging {
  const omen_property *property;
  const omen_formula *formula; /* names of categories and what they reset: no
                                  more of it is looked at */
  const omen_written_formula *written;
  uint32_t events, predicates;
  uint64_t work;      /* so far */
  const char *beyond; /* why it cannot say; NULL: it can */
  void *own;          /* the logic's */
} omen_judging;

/* False, and there is no answer: it takes too long. */
bool omen_judging_works (omen_judging *j, uint64_t steps);
bool omen_judging_has_goal (const omen_judging *j, const char *category);

typedef struct omen_judging_logic {
  const char *name;
  void (*begin) (omen_judging *j); /* may set beyond */
  void (*end) (omen_judging *j);
  /* Is the word, which has a letter at least, in the category at its end? */
  bool (*lands) (omen_judging *j, const omen_letter *word, size_t count,
                 const char *category);
  /* The events that make instances, where neither marks nor fail and nonfail
     decide. */
  uint64_t (*creation) (omen_judging *j);
} omen_judging_logic;

extern const omen_judging_logic omen_judging_ere, omen_judging_fsm,
    omen_judging_cfg, omen_judging_ltl, omen_judging_ptltl,
    omen_judging_pattern;

/* An automaton whose states are found as they are asked for. `step` may set
   j->beyond, and then its answer means nothing. */
typedef struct omen_judging_automaton {
  omen_judging *j;
  uint32_t letters;
  uint32_t (*step) (omen_judging *j, uint32_t state, uint32_t letter);
  uint32_t (*verdict) (omen_judging *j, uint32_t state);
} omen_judging_automaton;

/* Is a state with a verdict reached from here, by any word or none? */
bool omen_judging_reaches (const omen_judging_automaton *a, uint32_t state);
/* Is there a word that has other verdicts from one than from the other? The
   verdicts of the two themselves do not count. */
bool omen_judging_differ (const omen_judging_automaton *a, uint32_t one,
                          uint32_t other);

#endif
