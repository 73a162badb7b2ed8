/* Private to src/model: sets of held locks, each made from another one by an
   acquire or a release. */
#ifndef OMEN_MODEL_MODEL_SETS_H
#define OMEN_MODEL_MODEL_SETS_H

#include "base/map.h"
#include "model/model.h"

/* How a set came about: `below` plus `section`. */
typedef struct omen_set_origin {
  uint32_t below, section; /* OMEN_NONE: made by removing a section */
} omen_set_origin;

typedef struct omen_sets {
  OMEN_VEC (omen_set) sets;
  OMEN_VEC (omen_held) held;
  OMEN_VEC (omen_set_origin) origins; /* by set */
  omen_map by_locks;                  /* hash of (lock, mode)… -> id */
  omen_ids first_of;                  /* by that id: a set that has it */
} omen_sets;

void omen_sets_init (omen_sets *sets); /* set 0 is empty */
void omen_sets_fini (omen_sets *sets);
uint32_t omen_sets_add (omen_sets *sets, uint32_t set, omen_held held);
/* Returns the set below if the section was the last added, else makes a set. */
uint32_t omen_sets_remove (omen_sets *sets, uint32_t set, uint32_t section);

#endif
