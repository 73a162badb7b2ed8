/* Boolean functions of some variables in canonical form: ordered decision
   diagrams. Two functions are equal if their numbers are.

   `full` is set when nodes or work run out; results are invalid from then
   on. */
#ifndef OMEN_SPEC_BDD_H
#define OMEN_SPEC_BDD_H

#include "base/map.h"
#include "base/vec.h"

enum { OMEN_BDD_FALSE, OMEN_BDD_TRUE };

typedef struct omen_bdd_node {
  uint32_t variable, low, high; /* where it is false, where it is true */
} omen_bdd_node;

typedef struct omen_bdds {
  OMEN_VEC (omen_bdd_node) nodes;
  omen_map index;  /* (variable, low, high) -> node */
  omen_map choose; /* (a, b, c) -> node */
  uint64_t work;
  bool full;
} omen_bdds;

void omen_bdds_init (omen_bdds *bdds);
void omen_bdds_fini (omen_bdds *bdds);
uint32_t omen_bdd_variable (omen_bdds *bdds, uint32_t variable);
/* a ? b : c */
uint32_t omen_bdd_choose (omen_bdds *bdds, uint32_t a, uint32_t b, uint32_t c);
/* The function with values[v] in the place of every variable v. */
uint32_t omen_bdd_substitute (omen_bdds *bdds, uint32_t f,
                              const uint32_t *values);
/* Its value where all variables are false. */
bool omen_bdd_at_zero (const omen_bdds *bdds, uint32_t f);

#endif
