/* Private to the lattice: the cuts of one level, found by their keys.

   A cut is plan->words words; beside it are the id of a set of monitor states
   and, if runs are counted, the number of paths that lead to it, of `way_words`
   words. With 4 threads and 16 variables that is 28 bytes a cut without runs,
   and 4 to 8 for the table. The table hashes only the events, so cuts that
   differ only in which waiter was notified are in one probe chain. */
#ifndef OMEN_MODEL_LATTICE_LEVEL_H
#define OMEN_MODEL_LATTICE_LEVEL_H

#include "model/lattice_plan.h"

typedef struct omen_level {
  uint32_t count, room;
  uint64_t *cuts; /* plan->words each */
  uint32_t *sets;
  uint64_t *ways; /* way_words each */
  uint32_t way_words;
  uint32_t *table; /* number + 1; 0 is empty */
  uint32_t mask;
} omen_level;

/* Initialise an empty level with a table for about `count` cuts. */
void omen_level_init (omen_level *level, const omen_lattice *plan,
                      uint32_t count, uint32_t way_words);
void omen_level_fini (omen_level *level);
/* Copy the level, without path counts and without spare room. */
void omen_level_copy (const omen_level *level, const omen_lattice *plan,
                      omen_level *copy);
size_t omen_level_bytes (const omen_level *level, const omen_lattice *plan);

static inline uint64_t *
omen_level_cut (const omen_level *level, const omen_lattice *plan, uint32_t i)
{
  return level->cuts + (size_t)i * plan->words;
}

/* The index of the cut with this key. *fresh: it was added; the rest of its
   words is not filled in, and it has no set and no paths. */
uint32_t omen_level_add (omen_level *level, const omen_lattice *plan,
                         const uint64_t *key, bool *fresh);
/* Add a number of `words` words to the path count of cut i. */
void omen_level_add_ways (omen_level *level, uint32_t i, const uint64_t *ways,
                          uint32_t words);

/* The next cut in the probe chain that has the events of `key`, OMEN_NONE at
   the end. Start with *probe = 0. */
uint32_t omen_level_find (const omen_level *level, const omen_lattice *plan,
                          const uint64_t *key, uint32_t *probe);

/* The number of different sets of events in the level. */
uint32_t omen_level_width (const omen_level *level, const omen_lattice *plan);
/* Keep the `most` cuts nearest to `observed`, the progress of each thread at
   this level of the observed run. True: some were dropped. */
bool omen_level_prune (omen_level *level, const omen_lattice *plan,
                       uint32_t most, const uint32_t *observed);

#endif
