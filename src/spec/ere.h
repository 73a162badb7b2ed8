/* Extended regular expressions, hash-consed: equal expressions (up to the order
   and repetition of the parts of | and &) are one node, so that derivatives by
   words are finitely many and states are numbers.

   Sizes are limited: `full` is set when nodes or work run out, and every answer
   is OMEN_ERE_EMPTY from then on. */
#ifndef OMEN_SPEC_ERE_H
#define OMEN_SPEC_ERE_H

#include "base/map.h"
#include "base/vec.h"

typedef enum omen_ere_kind {
  OMEN_ERE_IS_EMPTY,
  OMEN_ERE_IS_EPSILON,
  OMEN_ERE_IS_EVENT, /* a: the event */
  OMEN_ERE_IS_CAT,   /* a b, a is no CAT */
  OMEN_ERE_IS_OR,    /* a | b, a is no OR and a number below those in b */
  OMEN_ERE_IS_AND,   /* the same */
  OMEN_ERE_IS_NOT,
  OMEN_ERE_IS_STAR
} omen_ere_kind;

typedef struct omen_ere_node {
  omen_ere_kind kind;
  uint32_t a, b;
  bool nullable; /* has the empty word */
} omen_ere_node;

/* Numbers of the first nodes. */
enum { OMEN_ERE_EMPTY, OMEN_ERE_EPSILON, OMEN_ERE_ALL };

typedef struct omen_eres {
  OMEN_VEC (omen_ere_node) nodes;
  omen_map index;       /* (kind, a, b) -> node */
  omen_map derivatives; /* (node, event) -> node */
  uint64_t work;
  bool full;
} omen_eres;

void omen_eres_init (omen_eres *eres);
void omen_eres_fini (omen_eres *eres);
uint32_t omen_ere_event (omen_eres *eres, uint32_t event);
uint32_t omen_ere_cat (omen_eres *eres, uint32_t a, uint32_t b);
uint32_t omen_ere_or (omen_eres *eres, uint32_t a, uint32_t b);
uint32_t omen_ere_and (omen_eres *eres, uint32_t a, uint32_t b);
uint32_t omen_ere_not (omen_eres *eres, uint32_t a);
uint32_t omen_ere_star (omen_eres *eres, uint32_t a);
/* The derivative: what may follow the event in a word of the expression. */
uint32_t omen_ere_after (omen_eres *eres, uint32_t node, uint32_t event);

#endif
