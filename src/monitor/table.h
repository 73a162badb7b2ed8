/* The words of a machine of the engine "table", a finite automaton:

     states, events, predicates, parameters, start, resets
     next      states x letters: letter = event + events * predicates
     verdicts  states: bits of categories
     lands     states x lands_words: bit d of a state: from there a category can
               be landed in by events that bind nothing of the set d

   A state of the engine is one of the automaton; or, once the machine has read
   a letter of which a predicate is unknown, the set of those that it may be in:
   OMEN_TABLE_SET and a bit for each. Such a state has the verdicts that all
   members have. The empty set never has one: it is used for automata with more
   states than bits, and where it is not known whether the machine was reset. */
#ifndef OMEN_MONITOR_TABLE_H
#define OMEN_MONITOR_TABLE_H

#include "base/defs.h"

enum {
  OMEN_TABLE_STATES,
  OMEN_TABLE_EVENTS,
  OMEN_TABLE_PREDICATES, /* how many; letters = events << predicates */
  OMEN_TABLE_PARAMETERS,
  OMEN_TABLE_START,
  OMEN_TABLE_RESETS, /* categories that start the machine anew */
  OMEN_TABLE_NEXT    /* the first word of `next` */
};

#define OMEN_TABLE_SET ((uint64_t)1 << 63)
#define OMEN_TABLE_SET_STATES 63

static inline uint32_t
omen_table_letters (const uint32_t *words)
{
  return words[OMEN_TABLE_EVENTS] << words[OMEN_TABLE_PREDICATES];
}

static inline uint32_t
omen_table_next (const uint32_t *words, uint64_t state, uint32_t event,
                 uint32_t predicates)
{
  uint32_t letter = event + words[OMEN_TABLE_EVENTS] * predicates;
  uint32_t letters = omen_table_letters (words);
  OMEN_ASSERT (letter < letters && state < words[OMEN_TABLE_STATES]);
  return words[OMEN_TABLE_NEXT + state * letters + letter];
}

static inline uint32_t
omen_table_verdict (const uint32_t *words, uint64_t state)
{
  return words[OMEN_TABLE_NEXT
               + (size_t)words[OMEN_TABLE_STATES] * omen_table_letters (words)
               + state];
}

static inline uint32_t
omen_lands_words (uint32_t parameters)
{
  return parameters > 5 ? 1u << (parameters - 5) : 1;
}

#endif
