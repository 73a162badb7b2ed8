/* Blocks of memory that are allocated, in the order made so far.

   The heap gives freed memory again, as a rule as part of another block: at
   another address, and so with numbers of another shard. What orders the two is
   a lock inside the heap, of which nobody is told. But what was recorded as
   free was still allocated when it was recorded, and what was recorded as
   allocated was so already: a block that lies over another one that somebody
   frees later was allocated after that.

     omen_living_may (living, &item)     may the ALLOC come now?
     omen_living_follow (living, &item)  ALLOC, FREE: it has come
   */
#ifndef OMEN_RECORDING_MERGE_LIVING_H
#define OMEN_RECORDING_MERGE_LIVING_H

#include "base/map.h"
#include "base/vec.h"
#include "recording/log/cursor.h"

typedef struct omen_living_block {
  uint64_t base, size;
  bool mapped; /* by mmap: the heap may lie in it */
} omen_living_block;

/* A block in one of its pages. */
typedef struct omen_living_link {
  uint32_t block, next; /* OMEN_NONE: the last one */
} omen_living_link;

typedef struct omen_living {
  omen_map *frees; /* address -> FREE items of it that are still to come */
  OMEN_VEC (omen_living_block) blocks;
  OMEN_VEC (omen_living_link) links;
  OMEN_VEC (uint32_t) unused_blocks, unused_links;
  OMEN_VEC (uint32_t) large; /* blocks that are in no page */
  omen_map pages;            /* page -> first link, + 1; 0: none */
} omen_living;

/* Borrows `frees`, and counts down there. */
void omen_living_init (omen_living *living, omen_map *frees);
void omen_living_fini (omen_living *living);
bool omen_living_may (const omen_living *living, const omen_item *alloc);
/* True: a block has gone. */
bool omen_living_follow (omen_living *living, const omen_item *item);

#endif
