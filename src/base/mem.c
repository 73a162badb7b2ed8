#include "base/mem.h"

#include <malloc.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static atomic_size_t live;

static void *
counted (void *p, size_t bytes)
{
  if (!p) {
    fprintf (stderr, "omen: out of memory (%zu bytes asked for)\n", bytes);
    _Exit (4);
  }
  atomic_fetch_add_explicit (&live, malloc_usable_size (p),
                             memory_order_relaxed);
  return p;
}

static void
uncount (void *p)
{
  if (p)
    atomic_fetch_sub_explicit (&live, malloc_usable_size (p),
                               memory_order_relaxed);
}

void *
omen_alloc (size_t bytes)
{
  return counted (malloc (bytes ? bytes : 1), bytes);
}

void *
omen_zalloc (size_t count, size_t size)
{
  return counted (calloc (count ? count : 1, size ? size : 1), count * size);
}

void *
omen_realloc (void *p, size_t bytes)
{
  uncount (p);
  return counted (realloc (p, bytes ? bytes : 1), bytes);
}

void
omen_free (void *p)
{
  uncount (p);
  free (p);
}

char *
omen_strdup (const char *s)
{
  size_t bytes = strlen (s) + 1;
  return memcpy (omen_alloc (bytes), s, bytes);
}

size_t
omen_mem_live (void)
{
  return atomic_load_explicit (&live, memory_order_relaxed);
}

struct omen_arena_block {
  omen_arena_block *below;
  size_t size, used;
  _Alignas (16) char data[];
};

#define ALIGN(n) (((n) + 15) & ~(size_t)15)
#define FIRST_BLOCK OMEN_HARD_OR (64, 4096)
#define LARGEST_BLOCK ((size_t)1 << 20)

void
omen_arena_init (omen_arena *arena)
{
  arena->top = NULL;
}

void
omen_arena_fini (omen_arena *arena)
{
  while (arena->top) {
    omen_arena_block *top = arena->top;
    arena->top = top->below;
    omen_free (top);
  }
}

void *
omen_arena_alloc (omen_arena *arena, size_t bytes)
{
  void *p;
  bytes = ALIGN (bytes);
  if (!arena->top || arena->top->size - arena->top->used < bytes) {
    size_t size = arena->top ? 2 * arena->top->size : FIRST_BLOCK;
    omen_arena_block *block;
    if (size > LARGEST_BLOCK)
      size = LARGEST_BLOCK;
    if (size < bytes)
      size = bytes;
    block = omen_alloc (sizeof *block + size);
    block->below = arena->top;
    block->size = size;
    block->used = 0;
    arena->top = block;
  }
  p = arena->top->data + arena->top->used;
  arena->top->used += bytes;
  return p;
}

void *
omen_arena_zalloc (omen_arena *arena, size_t count, size_t size)
{
  OMEN_REQUIRE (!size || count <= SIZE_MAX / 2 / size);
  return memset (omen_arena_alloc (arena, count * size), 0, count * size);
}

char *
omen_arena_strndup (omen_arena *arena, const char *s, size_t length)
{
  char *copy = omen_arena_alloc (arena, length + 1);
  memcpy (copy, s, length);
  copy[length] = 0;
  return copy;
}
