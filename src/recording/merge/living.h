/* Blocks that are allocated after the items merged so far.

   The allocator reuses freed memory, usually as part of another block: at
   another address, and so with sequence numbers of another shard. The two are
   ordered by a lock inside the allocator, which is not recorded. But a free is
   recorded before the block is released, and an allocation after the block was
   obtained: a block that overlaps one with a later free was allocated after
   that free.

     omen_living_may (living, &item)     may the ALLOC be merged now?
     omen_living_follow (living, &item)  the ALLOC or FREE was merged
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
