/* The states that a search has seen: a set of fixed-size words with, for each
   member, from which member it was first reached and by which event.

   Members are numbered as they are added, so that walking 0, 1, 2 … while
   adding successors is a breadth-first search. Members do not move in number
   but in memory: copy what must survive an addition.

   Owner: init/fini. Cost: one hash probe a lookup in the common case. */
#ifndef OMEN_TEST_ORACLE_SPACE_H
#define OMEN_TEST_ORACLE_SPACE_H

#include "base/vec.h"

typedef struct space {
  unsigned words; /* per member */
  uint32_t count, mask;
  uint32_t *slots; /* number + 1; 0 is empty */
  OMEN_VEC (uint64_t) data;
  omen_ids parent, by;
} space;

void space_init (space *sp, unsigned words);
void space_fini (space *sp);
/* The number of the member; *fresh says whether it is new. */
uint32_t space_add (space *sp, const uint64_t *words, uint32_t parent,
                    uint32_t by, bool *fresh);
/* The events that led to member i, first to last. */
void space_path (const space *sp, uint32_t i, omen_ids *path);

static inline const uint64_t *
space_at (const space *sp, uint32_t i)
{
  return &sp->data.data[(size_t)i * sp->words];
}

#endif
