/* Growing tables of what notes refer to, in the form that the file has. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "wire/format.h"

omen_latch omen_tables_latch;
static uint32_t pending; /* atomic: entries not written */

typedef struct omen_growing {
  uint16_t kind;
  uint32_t stream;
  uint8_t *data;
  size_t size, room, written; /* bytes */
  uint32_t count, written_count;
} omen_growing;

/* In the order in which they refer to each other. */
static omen_growing tables[OMEN_TABLE_COUNT] = {
  [OMEN_TABLE_TEXT] = { OMEN_CHUNK_NAMES, OMEN_TABLE_STRINGS },
  [OMEN_TABLE_SITE] = { OMEN_CHUNK_SITES, OMEN_NONE },
  [OMEN_TABLE_BLOCK] = { OMEN_CHUNK_BLOCKS, OMEN_NONE },
  [OMEN_TABLE_DEPEND] = { OMEN_CHUNK_DEPENDS, OMEN_NONE },
  [OMEN_TABLE_MODULE] = { OMEN_CHUNK_MODULES, OMEN_NONE },
  [OMEN_TABLE_THREAD] = { OMEN_CHUNK_THREADS, OMEN_NONE },
  [OMEN_TABLE_MAPPING] = { OMEN_CHUNK_MAPPINGS, OMEN_NONE },
};

enum { FIRST_ROOM = 16384 };

void *
omen_grow (void *old, size_t old_size, size_t *size)
{
  size_t more = old_size ? 2 * old_size : FIRST_ROOM;
  while (more < *size)
    more *= 2;
  void *data = omen_pages (more);
  if (!data)
    return NULL;
  if (old_size) {
    omen_bytes_copy (data, old, old_size);
    omen_pages_free (old, old_size);
  }
  *size = more;
  return data;
}

uint32_t
omen_table_add (omen_table_name name, const void *entry, size_t size)
{
  omen_growing *table = &tables[name];
  size_t needed = table->size + size;
  if (needed > table->room) {
    uint8_t *data = omen_grow (table->data, table->room, &needed);
    if (!data)
      return OMEN_NONE;
    table->data = data;
    table->room = needed;
  }
  omen_bytes_copy (table->data + table->size, entry, size);
  table->size += size;
  __atomic_fetch_add (&pending, 1, __ATOMIC_RELEASE);
  return table->count++;
}

const uint8_t *
omen_table_at (omen_table_name name, size_t offset)
{
  return tables[name].data + offset;
}

size_t
omen_table_size (omen_table_name name)
{
  return tables[name].size;
}

static void
write_table (omen_growing *table)
{
  if (table->written == table->size)
    return;
  omen_file_chunk (table->kind, table->stream, table->written_count,
                   table->count - table->written_count,
                   table->data + table->written, table->size - table->written);
  table->written = table->size;
  table->written_count = table->count;
}

/* A thread that finds nothing pending can rely on all entries that it refers to
   being written: the count becomes 0 only afterwards. */
void
omen_tables_write (void)
{
  if (OMEN_LIKELY (!__atomic_load_n (&pending, __ATOMIC_ACQUIRE)))
    return;
  omen_latch_take (&omen_tables_latch);
  for (unsigned i = 0; i < OMEN_TABLE_COUNT; i++)
    write_table (&tables[i]);
  __atomic_store_n (&pending, 0, __ATOMIC_RELEASE);
  omen_latch_give (&omen_tables_latch);
}

void
omen_tables_after_fork (void)
{
  for (unsigned i = 0; i < OMEN_TABLE_COUNT; i++)
    tables[i].written = tables[i].written_count = 0;
  tables[OMEN_TABLE_THREAD].size = tables[OMEN_TABLE_THREAD].count = 0;
  omen_tables_latch = (omen_latch){ 0 };
  pending = 1;
}
