/* Memory: counted allocation that never returns NULL, and arenas.

   Out of memory ends the tool with exit code 4 (the guest runtime does not use
   this file). omen_mem_live counts the bytes not yet freed; every unit test
   ends by asserting that it is zero.

   Arena: bump allocation, freed as a whole. Pointers stay valid until then. */
#ifndef OMEN_BASE_MEM_H
#define OMEN_BASE_MEM_H

#include "base/defs.h"

void *omen_alloc (size_t bytes); /* uninitialised */
void *omen_zalloc (size_t count, size_t size);
void *omen_realloc (void *p, size_t bytes); /* p may be NULL */
void omen_free (void *p);                   /* NULL is fine */
char *omen_strdup (const char *s);
size_t omen_mem_live (void);

typedef struct omen_arena_block omen_arena_block;
typedef struct omen_arena {
  omen_arena_block *top;
} omen_arena;

void omen_arena_init (omen_arena *arena);
void omen_arena_fini (omen_arena *arena);
void *omen_arena_alloc (omen_arena *arena, size_t bytes); /* 16-aligned */
void *omen_arena_zalloc (omen_arena *arena, size_t count, size_t size);
char *omen_arena_strndup (omen_arena *arena, const char *s, size_t length);

#define OMEN_ARENA_NEW(arena, type, count)                                     \
  ((type *)omen_arena_zalloc ((arena), (count), sizeof (type)))

#endif
