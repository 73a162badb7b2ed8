/* A hash table from 64-bit keys to 32-bit values that only grows:

     *omen_map_at (map, OMEN_PAIR (thread, lock)) = 7;   new keys: OMEN_NONE
     omen_map_get (map, OMEN_PAIR (1, 2))                OMEN_NONE if absent

   Every key but OMEN_MAP_NO_KEY may be used. Pointers into the table are valid
   until the next omen_map_at. One probe in the common case. */
#ifndef OMEN_BASE_MAP_H
#define OMEN_BASE_MAP_H

#include "base/mem.h"

#define OMEN_MAP_NO_KEY UINT64_MAX
#define OMEN_PAIR(high, low) ((uint64_t)(high) << 32 | (uint32_t)(low))

typedef struct omen_map_entry {
  uint64_t key;
  uint32_t value;
} omen_map_entry;

typedef struct omen_map {
  omen_map_entry *entries;
  uint32_t count, mask;
} omen_map;

void omen_map_init (omen_map *map);
void omen_map_fini (omen_map *map);
/* The value of the key; a new key is added with OMEN_NONE. */
uint32_t *omen_map_at (omen_map *map, uint64_t key);
uint32_t omen_map_get (const omen_map *map, uint64_t key);

#endif
