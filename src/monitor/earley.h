/* The words of a machine of the engine "earley", a context-free grammar in
   which every rule can be finished:

     header    below
     first     nonterminals + 1: index in starts of its first rule
     starts    a rule each: index in symbols of its right side
     nullable  nonterminals: 1 if it has the empty word
     symbols   right sides, one after the other: an event, events + nonterminal,
               or OMEN_EARLEY_DONE | nonterminal at the end of each
     lands     events x omen_lands_words: by the last event, as in table.h

   Nonterminal 0 has one rule, to the grammar's own start. */
#ifndef OMEN_MONITOR_EARLEY_H
#define OMEN_MONITOR_EARLEY_H

#include "base/defs.h"

#define OMEN_EARLEY_DONE 0x80000000u

enum {
  OMEN_EARLEY_EVENTS,
  OMEN_EARLEY_NONTERMINALS,
  OMEN_EARLEY_PARAMETERS,
  OMEN_EARLEY_MATCH, /* bits of categories */
  OMEN_EARLEY_FAIL,
  OMEN_EARLEY_NONFAIL,
  OMEN_EARLEY_STARTS,  /* how many */
  OMEN_EARLEY_SYMBOLS, /* how many */
  OMEN_EARLEY_FIRST    /* the first word of `first` */
};

#endif
