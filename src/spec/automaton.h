/* A deterministic automaton under construction: most logics give one, and the
   table of the engine "table" is made from it.

     a->next[state * a->letters + letter]     always a state
     a->verdicts[state]                       bits of categories

   letter = event + events * (bits of the state predicates).

   Owner: the caller, omen_automaton_free. */
#ifndef OMEN_SPEC_AUTOMATON_H
#define OMEN_SPEC_AUTOMATON_H

#include "base/vec.h"

/* More states than this are refused, with a message. */
#define OMEN_STATES_MAX 4096
#define OMEN_NEXT_MAX (1u << 20) /* states times letters */

typedef struct omen_automaton {
  uint32_t letters, start;
  omen_ids next;
  omen_ids verdicts;
  OMEN_VEC (const char *) names; /* of states, borrowed; or empty */
} omen_automaton;

omen_automaton *omen_automaton_new (uint32_t letters);
void omen_automaton_free (omen_automaton *automaton);
/* A new state whose transitions lead to itself until set; its number. */
uint32_t omen_automaton_add (omen_automaton *automaton, uint32_t verdict);

static inline uint32_t
omen_automaton_states (const omen_automaton *automaton)
{
  return (uint32_t)automaton->verdicts.count;
}

static inline bool
omen_automaton_too_large (const omen_automaton *automaton)
{
  return automaton->verdicts.count > OMEN_STATES_MAX
         || automaton->next.count > OMEN_NEXT_MAX;
}

static inline uint32_t *
omen_automaton_next (omen_automaton *automaton, uint32_t state, uint32_t letter)
{
  return &automaton->next.data[(size_t)state * automaton->letters + letter];
}

/* The minimal automaton with the same verdicts after every word: only states
   that can be reached, no two equivalent, numbered in the order of a walk from
   the start. `initial` set: the verdict of the empty word does not matter, so
   that the start may be merged with a state that differs only in that. Names of
   states are lost if any state is removed. */
void omen_automaton_minimise (omen_automaton *automaton, bool initial);

/* Every letter starts another attempt: verdicts are those of any attempt. NULL:
   more than OMEN_STATES_MAX states. */
omen_automaton *omen_automaton_suffix (const omen_automaton *automaton);

/* Which states have a verdict other than 0, or can reach one that has? */
void omen_automaton_hopeful (const omen_automaton *automaton, uint8_t *hopeful);

#endif
