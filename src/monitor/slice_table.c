/* Hash tables with chains through their items. */
#include "monitor/slices.h"

#include <string.h>

#define SLOTS_MIN OMEN_HARD_OR (2u, 64u)

size_t
omen_table_bytes (const omen_slice_table *table)
{
  OMEN_ASSERT (table->width);
  return table->slots
             ? ((size_t)table->mask + 1) * table->width * sizeof *table->slots
             : 0;
}

static bool
resize (omen_slicer *s, omen_slice_table *table, uint32_t size,
        omen_rehash *rehash)
{
  size_t old = omen_table_bytes (table);
  size_t bytes = (size_t)size * table->width * sizeof *table->slots;
  uint32_t *slots = omen_memory_get (&s->memory, bytes);
  OMEN_ASSERT (omen_is_single (size)); /* a power of two */
  if (!slots)
    return old > 0; /* longer chains will do */
  memset (slots, 0, bytes);
  if (table->count)
    rehash (s, slots, size - 1);
  omen_memory_put (&s->memory, table->slots, old);
  table->slots = slots;
  table->mask = size - 1;
  return true;
}

/* Half full at most: each item of a chain may be a cache miss. */
bool
omen_table_room (omen_slicer *s, omen_slice_table *table, omen_rehash *rehash)
{
  uint32_t size = table->slots ? table->mask + 1 : 0;
  if (table->count < size / 2)
    return true;
  return resize (s, table, size ? 2 * size : SLOTS_MIN, rehash);
}

/* An item was removed: a table that is nearly empty shrinks. */
void
omen_table_less (omen_slicer *s, omen_slice_table *table, omen_rehash *rehash)
{
  OMEN_ASSERT (table->count > 0);
  table->count--;
  if (table->mask >= 2 * SLOTS_MIN && table->count < table->mask / 16)
    resize (s, table, (table->mask + 1) / 2, rehash);
}
