/* Private to the lattice: the cuts of one level, found by their keys.

   A cut is plan->words words; beside it the number of a machine's set and, if
   runs are counted, a number of `way_words` words: how many paths lead there.
   With 4 threads and 16 variables that is 28 bytes a cut without runs, and 4 to
   8 for the table. Cuts with the same events that differ in who was notified
   are neighbours in the table, which is addressed by the events alone. */
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

/* Empty, with a table for about so many. */
void omen_level_init (omen_level *level, const omen_lattice *plan,
                      uint32_t count, uint32_t way_words);
void omen_level_fini (omen_level *level);
/* Another one like it, without ways and with no room to spare. */
void omen_level_copy (const omen_level *level, const omen_lattice *plan,
                      omen_level *copy);
size_t omen_level_bytes (const omen_level *level, const omen_lattice *plan);

static inline uint64_t *
omen_level_cut (const omen_level *level, const omen_lattice *plan, uint32_t i)
{
  return level->cuts + (size_t)i * plan->words;
}

/* The number of the cut with this key; *fresh: it was added, with room for the
   rest of its words, no set and no ways. */
uint32_t omen_level_add (omen_level *level, const omen_lattice *plan,
                         const uint64_t *key, bool *fresh);
/* Add `words` words of ways to those of cut i. */
void omen_level_add_ways (omen_level *level, uint32_t i, const uint64_t *ways,
                          uint32_t words);

/* The first cut, at or after *probe of the table's chain, whose events are
   those of `key`, OMEN_NONE at the end. Start with *probe = 0. */
uint32_t omen_level_find (const omen_level *level, const omen_lattice *plan,
                          const uint64_t *key, uint32_t *probe);

/* How many different sets of events there are. */
uint32_t omen_level_width (const omen_level *level, const omen_lattice *plan);
/* Keep the `most` cuts that are nearest to `observed`, how much each thread has
   done at this level of the run that was seen. True: some went. */
bool omen_level_prune (omen_level *level, const omen_lattice *plan,
                       uint32_t most, const uint32_t *observed);

#endif
