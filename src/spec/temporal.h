/* Temporal formulas, of ltl and ptltl alike: nodes in an array, operands before
   their operators, equal ones once.

   After parsing only these operators are left; the others are expressed by
   them:
     <>a = true U a,  []a = not <> not a,  a R b = not (not a U not b),
     [*]a = not <*> not a, and the Boolean ones with not, and, or, xor.

   A past operator needs one bit from the event before; no future operator may
   be inside one. */
#ifndef OMEN_SPEC_TEMPORAL_H
#define OMEN_SPEC_TEMPORAL_H

#include "spec/parser.h"

typedef enum omen_temporal_kind {
  OMEN_T_TRUE,
  OMEN_T_EVENT,     /* a: the event */
  OMEN_T_PREDICATE, /* a: the number of the state predicate */
  OMEN_T_NOT,
  OMEN_T_AND,
  OMEN_T_OR,
  OMEN_T_XOR,
  OMEN_T_NEXT,     /* o a: there is a next event, and a holds there */
  OMEN_T_UNTIL,    /* a U b */
  OMEN_T_PREVIOUS, /* (*) a; false at the first event */
  OMEN_T_ONCE,     /* <*> a */
  OMEN_T_SINCE,    /* a S b */
  OMEN_T_INTERVAL  /* [a,b}: a held once, and b not since then, nor then */
} omen_temporal_kind;

typedef struct omen_temporal_node {
  omen_temporal_kind kind;
  uint32_t a, b;
  uint32_t bit; /* of past operators, in omen_past */
  bool future;  /* has a future operator in it */
} omen_temporal_node;

typedef struct omen_temporal {
  const omen_temporal_node *nodes;
  uint32_t count; /* the last is the whole */
  uint32_t bits;  /* past operators */
} omen_temporal;

#define OMEN_TEMPORAL_MAX 400 /* nodes */
#define OMEN_PAST_MAX 60      /* bits */

/* NULL with err set. */
const omen_temporal *omen_parse_temporal (omen_parser *parser, bool future);

struct omen_writing;
void omen_write_temporal (const void *formula, struct omen_writing *out);

/* The values of all nodes without future operators at an event with this letter
   (event + events * predicates), and the bits for the event after it. `bits` is
   0 before the first event. Of nodes with future operators: anything. */
uint64_t omen_temporal_step (const omen_temporal *formula, uint64_t bits,
                             uint32_t events, uint32_t letter, uint8_t *values);

#endif
