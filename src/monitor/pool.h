/* Items of one size, identified by dense numbers: half the size of a pointer,
   and without the overhead of an allocator. Items are in chunks; a chunk is
   freed as soon as none of its items is used, so that memory shrinks when
   monitors end.

     uint32_t i = omen_pool_get (&pool);     OMEN_NONE: no memory
     thing *t = omen_pool_at (&pool, i);     stays where it is
     omen_pool_put (&pool, i);

   Items are zeroed. If their size is a multiple of a cache line, they are
   aligned to one. */
#ifndef OMEN_MONITOR_POOL_H
#define OMEN_MONITOR_POOL_H

#include "monitor/memory.h"

#define OMEN_POOL_CHUNK OMEN_HARD_OR (2u, 256u) /* items; a power of two */
#define OMEN_CACHE_LINE 64u

typedef struct omen_pool_chunk {
  uint32_t live, fresh; /* items used; items never used begin here */
  uint32_t free;        /* the first free item, or OMEN_NONE */
  uint32_t next, prev;  /* in the list of chunks with room, or OMEN_NONE */
  void *block;          /* as allocated, unaligned */
} omen_pool_chunk;

typedef struct omen_pool {
  size_t size;  /* of an item, a multiple of 8 */
  size_t first; /* where items begin in a chunk */
  const omen_memory *memory;
  omen_pool_chunk **chunks; /* freed ones are links of the list `gone` */
  uint32_t count, room;     /* of chunks */
  uint32_t with_room, gone; /* lists of chunks: with room; freed */
  uint64_t live;
} omen_pool;

void omen_pool_init (omen_pool *pool, size_t size, const omen_memory *memory);
void omen_pool_fini (omen_pool *pool);
uint32_t omen_pool_get (omen_pool *pool);
/* The pool uses the first four bytes of the item from now on; the others keep
   their values until the item is reused. */
void omen_pool_put (omen_pool *pool, uint32_t item);
/* The first item from `item` on, used or free; OMEN_NONE: no more. This order
   reads memory sequentially. */
uint32_t omen_pool_from (const omen_pool *pool, uint32_t item);

static inline void *
omen_pool_at (const omen_pool *pool, uint32_t item)
{
  omen_pool_chunk *chunk = pool->chunks[item / OMEN_POOL_CHUNK];
  return (char *)chunk + pool->first + item % OMEN_POOL_CHUNK * pool->size;
}

#endif
