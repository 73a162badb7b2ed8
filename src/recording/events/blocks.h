/* Which variable an address belongs to: memory blocks as they come and go.

     b = omen_blocks_add (&blocks, 0x5000, 24, OMEN_BLOCK_HEAP, variable);
     omen_blocks_find (&blocks, 0x5010)      b
     omen_blocks_find (&blocks, 0x5018)      OMEN_NONE

   A later block hides what it overlaps; a freed one stays until then (uses
   after free are its uses). Pages of 4 KiB, 4 bytes for each 8 bytes of memory;
   a page that one block covers, and all of a large block, cost next to
   nothing. */
#ifndef OMEN_RECORDING_EVENTS_BLOCKS_H
#define OMEN_RECORDING_EVENTS_BLOCKS_H

#include "base/map.h"
#include "base/vec.h"

typedef enum omen_block_kind {
  OMEN_BLOCK_GLOBAL,
  OMEN_BLOCK_HEAP,
  OMEN_BLOCK_STACK,
  OMEN_BLOCK_REGION /* memory about which nothing is known */
} omen_block_kind;

typedef struct omen_block {
  uint64_t base, size;
  omen_vid variable;
  omen_tid maker; /* of heap and stack blocks, else OMEN_NONE */
  uint8_t kind;   /* omen_block_kind */
  bool freed;
  uint32_t stack; /* of the allocation of a heap block, or OMEN_NONE */
} omen_block;

typedef struct omen_blocks {
  OMEN_VEC (omen_block) blocks;
  omen_map pages; /* page number -> index in `entries` */
  OMEN_VEC (uint32_t)
  entries; /* block + 1 for the whole page, or page | PAGED */
  OMEN_VEC (uint32_t *) paged; /* 512 entries: block + 1, or split | PAGED */
  OMEN_VEC (uint32_t) splits;  /* eight entries each: block + 1 */
  OMEN_VEC (uint32_t) large;   /* blocks that are in no page */
} omen_blocks;

void omen_blocks_init (omen_blocks *blocks);
void omen_blocks_fini (omen_blocks *blocks);
uint32_t omen_blocks_add (omen_blocks *blocks, uint64_t base, uint64_t size,
                          omen_block_kind kind, omen_vid variable);
/* Its addresses belong to no block any more. */
void omen_blocks_remove (omen_blocks *blocks, uint32_t block);
uint32_t omen_blocks_find (const omen_blocks *blocks, uint64_t address);

#endif
