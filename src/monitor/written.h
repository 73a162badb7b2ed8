/* A formula as it is written: what the parser has read, before compilation. For
   the verifier, which judges monitors by the definitions of the logics
   (witness/judge.h) and so must not use automata, creation events and enable
   sets. Plain data; lives as long as the result of spec/compile.h.

     ere: create next* update     EVENT 0, EVENT 1, STAR 1, CAT 0 2, EVENT 2,
                                  CAT 3 4

   Operands are nodes that come before; the last node is the whole. An fsm and a
   cfg are lists: transitions and members of aliases, rules and their
   symbols. */
#ifndef OMEN_MONITOR_WRITTEN_H
#define OMEN_MONITOR_WRITTEN_H

#include "base/defs.h"

typedef enum omen_written_kind {
  /* all but fsm and pattern */
  OMEN_W_EVENT, /* a: the event */
  /* ere, pattern: a, b are operands */
  OMEN_W_CAT,
  OMEN_W_OR,
  OMEN_W_AND,
  OMEN_W_NOT,
  OMEN_W_STAR,
  OMEN_W_PLUS,
  OMEN_W_OPTION,
  /* ere alone */
  OMEN_W_EPSILON,
  OMEN_W_EMPTY,
  OMEN_W_POWER, /* a, b times */
  /* pattern alone */
  OMEN_W_STEP, /* event a of thread b, region c; OMEN_NONE: any, none. A region
                  is its number * 2, and 1 where it ends */
  OMEN_W_PARALLEL, /* the steps a and b */
  OMEN_W_DISORDER, /* !( … ): the steps of a, CATs to the left */
  /* ltl and ptltl, with NOT, AND and OR */
  OMEN_W_TRUE,
  OMEN_W_PREDICATE, /* a: the number of the state predicate */
  OMEN_W_XOR,
  OMEN_W_NEXT,
  OMEN_W_UNTIL,
  OMEN_W_PREVIOUS,
  OMEN_W_ONCE,
  OMEN_W_SINCE,
  OMEN_W_INTERVAL,
  /* fsm: names are the states, the first the start, and then the aliases */
  OMEN_W_MOVE,   /* from state a by event b to c; b OMEN_NONE: default, c
                    OMEN_NONE: fail */
  OMEN_W_MEMBER, /* of alias a, by number of the name: state b */
  /* cfg: the left side of the first rule is the start */
  OMEN_W_RULE, /* of nonterminal a, with what follows up to the next one */
  OMEN_W_NONTERMINAL /* a; events are EVENT */
} omen_written_kind;

typedef struct omen_written_node {
  omen_written_kind kind;
  uint32_t a, b, c;
} omen_written_node;

typedef struct omen_written_formula {
  const omen_written_node *nodes;
  uint32_t count; /* 0, and no names: C code, which can only be judged by
                     running it */
  const char *const *names;
  uint32_t name_count;
  uint32_t may_reset; /* categories whose handler says __RESET where C control
                         flow decides whether it is reached */
} omen_written_formula;

/* Of one property: by formula, and the events that are marked `creation`. */
typedef struct omen_written {
  const omen_written_formula *formulas;
  uint64_t marked;
} omen_written;

#endif
