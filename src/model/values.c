#include "model/values.h"

#define FIRST_ENTRIES OMEN_HARD_OR (2, 1024)

static omen_value_entry *
free_entries (uint32_t count)
{
  omen_value_entry *entries = omen_alloc (count * sizeof *entries);
  for (uint32_t i = 0; i < count; i++)
    entries[i].id = OMEN_NONE;
  return entries;
}

void
omen_values_init (omen_values *values)
{
  values->count = 0;
  values->mask = FIRST_ENTRIES - 1;
  values->entries = free_entries (FIRST_ENTRIES);
}

void
omen_values_fini (omen_values *values)
{
  omen_free (values->entries);
}

static bool
same_value (const omen_atom_value *a, const omen_atom_value *b)
{
  return a->class == b->class && omen_atom_value_equal (a, b);
}

static omen_value_entry *
entry_of (const omen_values *values, const omen_atom_value *value)
{
  uint64_t h = (value->bits ^ ((uint64_t)value->position << 40)
                ^ ((uint64_t)value->kind << 8 | value->class))
               * 0x9e3779b97f4a7c15u;
  uint32_t i = (uint32_t)(h >> 32 ^ h >> 17) & values->mask;
  while (values->entries[i].id != OMEN_NONE
         && !same_value (&values->entries[i].value, value))
    i = (i + 1) & values->mask;
  return &values->entries[i];
}

uint32_t
omen_values_find (omen_values *values, const omen_atom_value *value)
{
  omen_value_entry *entry = entry_of (values, value);
  uint32_t index = OMEN_VALUES_SMALL + values->count;
  if (entry->id != OMEN_NONE)
    return entry->id;
  OMEN_REQUIRE (index < OMEN_NONE >> 2);
  entry->value = *value;
  entry->id = index << 2 | value->class;
  if (++values->count > values->mask / 2) {
    omen_value_entry *old = values->entries;
    uint32_t size = values->mask + 1;
    values->mask = 2 * size - 1;
    values->entries = free_entries (2 * size);
    for (uint32_t i = 0; i < size; i++)
      if (old[i].id != OMEN_NONE)
        *entry_of (values, &old[i].value) = old[i];
    omen_free (old);
    entry = entry_of (values, value);
  }
  return entry->id;
}
