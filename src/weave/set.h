/* Set, map and list of pointers, the weaver's only containers. Zero-initialised
   is empty; out of memory ends the compiler with a message. */
#ifndef OMEN_WEAVE_SET_H
#define OMEN_WEAVE_SET_H

#include "base/defs.h"

typedef struct omen_weave_set {
  const void **slots;
  size_t count, room; /* room is 0 or a power of two above 2 * count */
} omen_weave_set;

bool omen_weave_set_add (omen_weave_set *set, const void *item); /* new? */
bool omen_weave_set_has (const omen_weave_set *set, const void *item);
void omen_weave_set_fini (omen_weave_set *set);

typedef struct omen_weave_map {
  omen_weave_set keys;
  void **values; /* by slot of the key */
} omen_weave_map;

void *omen_weave_map_get (const omen_weave_map *map, const void *key);
void omen_weave_map_put (omen_weave_map *map, const void *key, void *value);
void omen_weave_map_fini (omen_weave_map *map);

typedef struct omen_weave_list {
  void **items;
  size_t count, room;
} omen_weave_list;

void omen_weave_list_add (omen_weave_list *list, void *item);
void omen_weave_list_fini (omen_weave_list *list);

#endif
