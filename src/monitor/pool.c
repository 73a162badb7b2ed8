#include "monitor/pool.h"

#include <string.h>

_Static_assert (sizeof (omen_pool_chunk) % 8 == 0
                    && sizeof (omen_pool_chunk) <= OMEN_CACHE_LINE,
                "items of a chunk are aligned");

/* Alignment of the memory that is given. */
enum { GIVEN = 16 };

void
omen_pool_init (omen_pool *pool, size_t size, const omen_memory *memory)
{
  OMEN_REQUIRE (size && size % 8 == 0);
  *pool = (omen_pool){
    .size = size, .memory = memory, .with_room = OMEN_NONE, .gone = OMEN_NONE
  };
  pool->first = sizeof (omen_pool_chunk);
  if (size % OMEN_CACHE_LINE == 0)
    pool->first = OMEN_CACHE_LINE;
}

static size_t
chunk_bytes (const omen_pool *pool)
{
  size_t shift = pool->first == OMEN_CACHE_LINE ? OMEN_CACHE_LINE - GIVEN : 0;
  return shift + pool->first + OMEN_POOL_CHUNK * pool->size;
}

static omen_pool_chunk *
chunk_in (const omen_pool *pool, void *block)
{
  uintptr_t at = (uintptr_t)block, to = OMEN_CACHE_LINE;
  OMEN_ASSERT (at % GIVEN == 0);
  return pool->first == to ? (void *)((at + to - 1) / to * to) : block;
}

void
omen_pool_fini (omen_pool *pool)
{
  for (uint32_t c = 0; c < pool->count; c++)
    if (!((uintptr_t)pool->chunks[c] & 1))
      omen_memory_put (pool->memory, pool->chunks[c]->block,
                       chunk_bytes (pool));
  omen_memory_put (pool->memory, pool->chunks,
                   pool->room * sizeof *pool->chunks);
}

/* Entries of freed chunks are a list: each has the next one's number, as an odd
   value. */
static uint32_t
next_gone (const omen_pool *pool, uint32_t c)
{
  uintptr_t next = (uintptr_t)pool->chunks[c] >> 1;
  return next == OMEN_NONE >> 1 ? OMEN_NONE : (uint32_t)next;
}

static bool
more_places (omen_pool *pool)
{
  uint32_t room = pool->room ? 2 * pool->room : 8;
  omen_pool_chunk **chunks;
  if (pool->count < pool->room)
    return true;
  chunks = omen_memory_get (pool->memory, room * sizeof *chunks);
  if (!chunks)
    return false;
  if (pool->count)
    memcpy (chunks, pool->chunks, pool->count * sizeof *chunks);
  omen_memory_put (pool->memory, pool->chunks, pool->room * sizeof *chunks);
  pool->chunks = chunks;
  pool->room = room;
  return true;
}

static bool
add_chunk (omen_pool *pool)
{
  uint32_t c = pool->gone;
  omen_pool_chunk *chunk;
  void *block;
  if (c == OMEN_NONE && !more_places (pool))
    return false;
  block = omen_memory_get (pool->memory, chunk_bytes (pool));
  if (!block)
    return false;
  chunk = chunk_in (pool, block);
  *chunk = (omen_pool_chunk){ 0, 0, OMEN_NONE, OMEN_NONE, OMEN_NONE, block };
  if (c == OMEN_NONE)
    c = pool->count++;
  else
    pool->gone = next_gone (pool, c);
  pool->chunks[c] = chunk;
  OMEN_ASSERT (pool->with_room == OMEN_NONE);
  pool->with_room = c;
  return true;
}

static void
unlist (omen_pool *pool, uint32_t c)
{
  omen_pool_chunk *chunk = pool->chunks[c];
  if (chunk->next != OMEN_NONE)
    pool->chunks[chunk->next]->prev = chunk->prev;
  if (chunk->prev != OMEN_NONE)
    pool->chunks[chunk->prev]->next = chunk->next;
  else
    pool->with_room = chunk->next;
  chunk->next = chunk->prev = OMEN_NONE;
}

static void
list (omen_pool *pool, uint32_t c)
{
  omen_pool_chunk *chunk = pool->chunks[c];
  chunk->prev = OMEN_NONE;
  chunk->next = pool->with_room;
  if (chunk->next != OMEN_NONE)
    pool->chunks[chunk->next]->prev = c;
  pool->with_room = c;
}

uint32_t
omen_pool_get (omen_pool *pool)
{
  uint32_t c, item;
  omen_pool_chunk *chunk;
  void *at;
  if (pool->with_room == OMEN_NONE && !add_chunk (pool))
    return OMEN_NONE;
  c = pool->with_room;
  chunk = pool->chunks[c];
  item = chunk->free;
  if (item == OMEN_NONE)
    item = c * OMEN_POOL_CHUNK + chunk->fresh++;
  at = omen_pool_at (pool, item);
  if (item == chunk->free)
    memcpy (&chunk->free, at, sizeof chunk->free);
  if (++chunk->live == OMEN_POOL_CHUNK)
    unlist (pool, c);
  memset (at, 0, pool->size);
  pool->live++;
  return item;
}

void
omen_pool_put (omen_pool *pool, uint32_t item)
{
  uint32_t c = item / OMEN_POOL_CHUNK;
  omen_pool_chunk *chunk = pool->chunks[c];
  OMEN_ASSERT (chunk->live > 0);
  pool->live--;
  if (chunk->live-- == OMEN_POOL_CHUNK)
    list (pool, c);
  memcpy (omen_pool_at (pool, item), &chunk->free, sizeof chunk->free);
  chunk->free = item;
  if (chunk->live)
    return;
  unlist (pool, c);
  omen_memory_put (pool->memory, chunk->block, chunk_bytes (pool));
  pool->chunks[c] = (void *)((uintptr_t)(pool->gone & OMEN_NONE >> 1) << 1 | 1);
  pool->gone = c;
}

uint32_t
omen_pool_from (const omen_pool *pool, uint32_t item)
{
  uint32_t c = item / OMEN_POOL_CHUNK;
  if (c < pool->count && !((uintptr_t)pool->chunks[c] & 1)
      && item % OMEN_POOL_CHUNK < pool->chunks[c]->fresh)
    return item;
  if (item % OMEN_POOL_CHUNK)
    c++;
  while (c < pool->count && (uintptr_t)pool->chunks[c] & 1)
    c++;
  return c < pool->count ? c * OMEN_POOL_CHUNK : OMEN_NONE;
}
