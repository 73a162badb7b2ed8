/* A context-free grammar, and what its words bind.

     omen_grammar g;
     omen_grammar_init (&g, building);           of an omen_cfg
     omen_grammar_bind (&g, property, resets);   any, before, after …
     omen_grammar_fini (&g);

   Rules that derive no word are left out. */
#ifndef OMEN_SPEC_GRAMMAR_H
#define OMEN_SPEC_GRAMMAR_H

#include "spec/logic.h"

/* Symbols of right sides: an event, or this plus a nonterminal. */
#define OMEN_NONTERMINAL OMEN_EVENTS_MAX

typedef struct omen_grammar_rule {
  uint32_t left, first, count; /* [first, first + count) of symbols */
} omen_grammar_rule;

/* As it is written. */
typedef struct omen_cfg {
  const char **names; /* of nonterminals */
  omen_grammar_rule *rules;
  uint32_t *symbols;
  uint32_t nonterminals, rule_count, symbol_count;
} omen_cfg;

/* Prepared for the engine: nonterminal 0 is new, with the rule 0 -> S, or,
   where every event starts another attempt, 0 -> J S and J -> J e | epsilon. */
typedef struct omen_grammar {
  uint32_t events, nonterminals, start; /* start: the grammar's own */
  OMEN_VEC (omen_grammar_rule) rules;
  omen_ids symbols;
  uint8_t *productive, *nullable;
  /* By number of a symbol: */
  omen_family *any,
      *some;           /* what its words bind; its words but the empty one */
  omen_family *before; /* what words before it in a match bind */
  omen_family *after, *after_some; /* … and words after it */
} omen_grammar;

/* Symbols are numbered events first, then nonterminals. */
static inline uint32_t
omen_grammar_number (const omen_grammar *g, uint32_t symbol)
{
  return symbol < OMEN_NONTERMINAL ? symbol
                                   : symbol - OMEN_NONTERMINAL + g->events;
}

void omen_grammar_init (omen_grammar *g, const omen_building *building);
void omen_grammar_fini (omen_grammar *g);
/* Compute the families; false: that would take too long, and any event may come
   before and after any other. `resets`: matches follow each other. */
bool omen_grammar_bind (omen_grammar *g, const omen_spec_property *property,
                        bool resets);
/* The events that begin words of the grammar's own start. */
uint64_t omen_grammar_first (const omen_grammar *g);

#endif
