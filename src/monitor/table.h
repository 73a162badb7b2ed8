/* The words of a machine of the engine "table", a finite automaton:

     states, events, predicates, parameters, start
     next      states x letters: letter = event + events * predicates
     verdicts  states: bits of categories
     lands     states x lands_words: bit d of a state: from there a category can
               be landed in by events that bind nothing of the set d */
#ifndef OMEN_MONITOR_TABLE_H
#define OMEN_MONITOR_TABLE_H

#include "base/defs.h"

enum {
  OMEN_TABLE_STATES,
  OMEN_TABLE_EVENTS,
  OMEN_TABLE_PREDICATES, /* how many; letters = events << predicates */
  OMEN_TABLE_PARAMETERS,
  OMEN_TABLE_START,
  OMEN_TABLE_NEXT /* the first word of `next` */
};

static inline uint32_t
omen_lands_words (uint32_t parameters)
{
  return parameters > 5 ? 1u << (parameters - 5) : 1;
}

#endif
