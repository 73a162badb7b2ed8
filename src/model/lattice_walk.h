/* Private to the lattice: a walk from level to level, for lattice.c and
   lattice_path.c. */
#ifndef OMEN_MODEL_LATTICE_WALK_H
#define OMEN_MODEL_LATTICE_WALK_H

#include "model/lattice.h"
#include "model/lattice_level.h"

typedef struct omen_lattice_walker {
  const omen_lattice *plan;
  const omen_lattice_options *options;
  omen_state_sets state_sets;
  uint32_t *observed;   /* by thread: done at this level of the observed run */
  const uint32_t *most; /* by thread: most steps to take; NULL: no limit */
  uint64_t *key;        /* scratch */
  uint32_t level;       /* of `now` */
  uint32_t from;        /* the level of options->from */
  omen_level now;
  bool pruned;
} omen_lattice_walker;

void omen_walker_init (omen_lattice_walker *walker, const omen_lattice *plan,
                       const omen_lattice_options *options,
                       const uint32_t *most);
void omen_walker_fini (omen_lattice_walker *walker);
/* Build the next level from `now`, which is not changed. */
void omen_walker_next (omen_lattice_walker *walker, omen_level *next);

#endif
