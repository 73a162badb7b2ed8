/* Items of one size, named by dense numbers: half of a pointer, and no overhead
   of an allocator. Items are in chunks; a chunk goes back as soon as nothing in
   it is used, so that memory shrinks when monitors go.

     uint32_t i = omen_pool_get (&pool);     OMEN_NONE: no memory
     thing *t = omen_pool_at (&pool, i);     stays where it is
     omen_pool_put (&pool, i);

   Items come zeroed. Those whose size is that of lines of the cache begin with
   one. */
#ifndef OMEN_MONITOR_POOL_H
#define OMEN_MONITOR_POOL_H

#include "monitor/memory.h"

#define OMEN_POOL_CHUNK OMEN_HARD_OR (2u, 256u) /* items; a power of two */
#define OMEN_CACHE_LINE 64u

typedef struct omen_pool_chunk {
  uint32_t live, fresh; /* items used; items never used begin here */
  uint32_t free;        /* first of those given back, or OMEN_NONE */
  uint32_t next, prev;  /* in the list of chunks with room, or OMEN_NONE */
  void *block;          /* what the memory gave */
} omen_pool_chunk;

typedef struct omen_pool {
  size_t size;  /* of an item, a multiple of 8 */
  size_t first; /* where items begin in a chunk */
  const omen_memory *memory;
  omen_pool_chunk **chunks; /* NULL: given back */
  uint32_t count, room;     /* of chunks */
  uint32_t with_room, gone; /* lists of chunks: with room; given back */
  uint64_t live;
} omen_pool;

void omen_pool_init (omen_pool *pool, size_t size, const omen_memory *memory);
void omen_pool_fini (omen_pool *pool);
uint32_t omen_pool_get (omen_pool *pool);
/* The first four bytes of the item are the pool's from now on; the others stay
   as they are until it is given again. */
void omen_pool_put (omen_pool *pool, uint32_t item);
/* The first item from `item` on, in use or given back; OMEN_NONE: no more. In
   this order memory is read from one end to the other. */
uint32_t omen_pool_from (const omen_pool *pool, uint32_t item);

static inline void *
omen_pool_at (const omen_pool *pool, uint32_t item)
{
  omen_pool_chunk *chunk = pool->chunks[item / OMEN_POOL_CHUNK];
  return (char *)chunk + pool->first + item % OMEN_POOL_CHUNK * pool->size;
}

#endif
