#include "weave/set.h"

#include <stdio.h>
#include <stdlib.h>

static void *
check_memory (void *p)
{
  if (!p) {
    fputs ("omen-weave: out of memory\n", stderr);
    abort ();
  }
  return p;
}

/* The index of item, or of the empty slot where it would go. */
static size_t
slot_of_item (const omen_weave_set *set, const void *item)
{
  size_t at = ((uintptr_t)item >> 4) * 0x9e3779b97f4a7c15U >> 20;
  OMEN_ASSERT (set->room > set->count);
  while (set->slots[at & (set->room - 1)]
         && set->slots[at & (set->room - 1)] != item)
    at++;
  return at & (set->room - 1);
}

static void
grow_table (omen_weave_set *set)
{
  omen_weave_set larger = { .room = set->room ? 2 * set->room : 64 };
  larger.slots = check_memory (calloc (larger.room, sizeof *larger.slots));
  for (size_t i = 0; i < set->room; i++)
    if (set->slots[i])
      omen_weave_set_add (&larger, set->slots[i]);
  OMEN_ASSERT (larger.count == set->count);
  free (set->slots);
  *set = larger;
}

bool
omen_weave_set_add (omen_weave_set *set, const void *item)
{
  OMEN_REQUIRE (item);
  if (set->room <= 2 * (set->count + 1))
    grow_table (set);
  size_t at = slot_of_item (set, item);
  if (set->slots[at])
    return false;
  set->slots[at] = item;
  set->count++;
  return true;
}

bool
omen_weave_set_has (const omen_weave_set *set, const void *item)
{
  return set->room && set->slots[slot_of_item (set, item)];
}

void
omen_weave_set_fini (omen_weave_set *set)
{
  free (set->slots);
  *set = (omen_weave_set){ 0 };
}

void *
omen_weave_map_get (const omen_weave_map *map, const void *key)
{
  const omen_weave_set *keys = &map->keys;
  size_t at = keys->room ? slot_of_item (keys, key) : 0;
  return keys->room && keys->slots[at] ? map->values[at] : NULL;
}

/* The keys move when their set grows, and the values with them. */
void
omen_weave_map_put (omen_weave_map *map, const void *key, void *value)
{
  omen_weave_map old = *map;
  OMEN_REQUIRE (!omen_weave_map_get (map, key));
  if (map->keys.room <= 2 * (map->keys.count + 1)) {
    map->keys
        = (omen_weave_set){ .room = old.keys.room ? 2 * old.keys.room : 64 };
    map->keys.slots = check_memory (calloc (map->keys.room, sizeof (void *)));
    map->values = check_memory (calloc (map->keys.room, sizeof (void *)));
    for (size_t i = 0; i < old.keys.room; i++)
      if (old.keys.slots[i])
        omen_weave_map_put (map, old.keys.slots[i], old.values[i]);
    omen_weave_map_fini (&old);
  }
  size_t at = slot_of_item (&map->keys, key);
  map->keys.slots[at] = key;
  map->keys.count++;
  map->values[at] = value;
}

void
omen_weave_map_fini (omen_weave_map *map)
{
  omen_weave_set_fini (&map->keys);
  free (map->values);
  map->values = NULL;
}

void
omen_weave_list_add (omen_weave_list *list, void *item)
{
  if (list->count == list->room) {
    list->room = list->room ? 2 * list->room : 64;
    list->items = check_memory (
        realloc (list->items, list->room * sizeof *list->items));
  }
  list->items[list->count++] = item;
}

void
omen_weave_list_fini (omen_weave_list *list)
{
  free (list->items);
  *list = (omen_weave_list){ 0 };
}
