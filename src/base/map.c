#include "base/map.h"

#define FIRST_ENTRIES OMEN_HARD_OR (2, 64)

static omen_map_entry *
empty_entries (uint32_t count)
{
  omen_map_entry *entries = omen_alloc (count * sizeof *entries);
  for (uint32_t i = 0; i < count; i++)
    entries[i] = (omen_map_entry){ OMEN_MAP_NO_KEY, OMEN_NONE };
  return entries;
}

void
omen_map_init (omen_map *map)
{
  map->count = 0;
  map->mask = FIRST_ENTRIES - 1;
  map->entries = empty_entries (FIRST_ENTRIES);
}

void
omen_map_fini (omen_map *map)
{
  omen_free (map->entries);
  *map = (omen_map){ 0 };
}

/* The entry of the key, or the free one where it would be added. */
static omen_map_entry *
entry_of (const omen_map *map, uint64_t key)
{
  uint64_t h = key * 0x9e3779b97f4a7c15u;
  uint32_t i = (uint32_t)(h >> 32 ^ h >> 15) & map->mask;
  while (map->entries[i].key != key && map->entries[i].key != OMEN_MAP_NO_KEY)
    i = (i + 1) & map->mask;
  return &map->entries[i];
}

uint32_t *
omen_map_at (omen_map *map, uint64_t key)
{
  omen_map_entry *entry = entry_of (map, key);
  OMEN_REQUIRE (key != OMEN_MAP_NO_KEY);
  if (entry->key == key)
    return &entry->value;
  if (map->count >= map->mask / 2) {
    omen_map_entry *old = map->entries;
    uint32_t old_size = map->mask + 1;
    OMEN_REQUIRE (old_size < (uint32_t)1 << 31);
    map->mask = 2 * old_size - 1;
    map->entries = empty_entries (2 * old_size);
    for (uint32_t i = 0; i < old_size; i++)
      if (old[i].key != OMEN_MAP_NO_KEY)
        *entry_of (map, old[i].key) = old[i];
    omen_free (old);
    entry = entry_of (map, key);
  }
  map->count++;
  entry->key = key;
  return &entry->value;
}

uint32_t
omen_map_get (const omen_map *map, uint64_t key)
{
  return entry_of (map, key)->value;
}
