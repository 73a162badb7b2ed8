#include "recording/log/depends.h"
#include "wire/abi.h"

#include <string.h>

void
omen_notes_depends_init (omen_notes_depends *depends)
{
  *depends = (omen_notes_depends){ 0 };
  omen_map_init (&depends->by_site);
  omen_map_init (&depends->units);
  omen_map_init (&depends->accesses);
}

void
omen_notes_depends_fini (omen_notes_depends *depends)
{
  OMEN_VEC_FINI (depends->list);
  OMEN_VEC_FINI (depends->on);
  omen_map_fini (&depends->by_site);
  omen_map_fini (&depends->units);
  omen_map_fini (&depends->accesses);
}

void
omen_notes_depends_forget (omen_notes_depends *depends)
{
  omen_notes_depends_fini (depends);
  omen_notes_depends_init (depends);
}

static uint32_t
number_of_key (omen_map *map, uint64_t key)
{
  uint32_t next = map->count, *number = omen_map_at (map, key);
  if (*number == OMEN_NONE)
    *number = next;
  return *number;
}

bool
omen_notes_depends_add (omen_notes_depends *depends,
                        const omen_file_depend *entry, const uint8_t *numbers)
{
  omen_noted_depend d = { .free = entry->flags & OMEN_DEPEND_FREE,
                          .first = (uint32_t)depends->on.count,
                          .count = entry->count };
  uint32_t unit, *slot;
  if (!entry->site || entry->flags & ~(uint32_t)OMEN_DEPEND_FREE
      || entry->count > OMEN_DEPEND_MAX || entry->unit == OMEN_MAP_NO_KEY
      || depends->on.count + entry->count >= OMEN_NONE)
    return false;
  slot = omen_map_at (&depends->by_site, entry->site);
  if (*slot != OMEN_NONE)
    return false;
  *slot = (uint32_t)depends->list.count;
  unit = number_of_key (&depends->units, entry->unit);
  d.access
      = number_of_key (&depends->accesses, OMEN_PAIR (unit, entry->number));
  for (uint32_t i = 0; i < entry->count; i++) {
    uint32_t number;
    memcpy (&number, numbers + i * sizeof number, sizeof number);
    OMEN_VEC_PUSH (depends->on, number_of_key (&depends->accesses,
                                               OMEN_PAIR (unit, number)));
  }
  OMEN_VEC_PUSH (depends->list, d);
  return true;
}

const omen_noted_depend *
omen_notes_depend (const omen_notes_depends *depends, uint32_t site)
{
  uint32_t i = omen_map_get (&depends->by_site, site);
  OMEN_ASSERT (i == OMEN_NONE || i < depends->list.count);
  return i == OMEN_NONE ? NULL : &depends->list.data[i];
}
