/* Symbols for addresses; and whether something emitted has proved wrong. */
#include "symbols/symbols.h"
#include "online/live_state.h"

/* ---- names ---- */

/* Read the chunks as if they were in the file, with strings of their own. */
static void
take_names (omen_live *live, const omen_symbols_chunks *bytes)
{
  omen_binary_reader reader = { .path = live->tail.path,
                                .data = bytes->data,
                                .size = bytes->count,
                                .err = &live->tail.err,
                                .trace = live->tail.reader.trace,
                                .user = &live->tail.file };
  omen_chunk chunk = { .offset = 0 };
  bool good = true;
  while (good
         && omen_chunk_look (bytes->data + chunk.offset,
                             bytes->count - chunk.offset, &chunk.header)
                == OMEN_CHUNK_WHOLE) {
    good = omen_binary_next_table (&reader, &chunk)
           && omen_notes_file_more (&live->tail.file, &reader, &chunk);
    chunk.offset += sizeof chunk.header + chunk.header.stored;
  }
  OMEN_ASSERT (good && chunk.offset == bytes->count); /* they are our own */
  OMEN_VEC_FINI (reader.strings);
}

/* List the calls that are new. */
static void
list_calls (omen_live *live, const omen_map *pcs, omen_symbols_wanted *wanted,
            uint64_t *list)
{
  wanted->pcs = list;
  for (uint32_t i = 0; i <= pcs->mask; i++) {
    uint64_t pc = pcs->entries[i].key;
    if (!pc || pc == OMEN_MAP_NO_KEY
        || omen_map_get (&live->named, pc) != OMEN_NONE)
      continue;
    *omen_map_at (&live->named, pc) = 1;
    list[wanted->count++] = pc;
  }
}

void
omen_live_name (omen_live *live)
{
  const omen_map *pcs = &live->summary.pcs;
  omen_symbols_wanted wanted
      = { .code = (uint32_t)live->tail.file.code.count,
          .objects = !live->begun && !live->tail.file.objects.count };
  omen_symbols_chunks chunks = { 0 };
  uint64_t *list;
  if (live->begun && pcs->count <= live->named.count)
    return;
  list = omen_alloc ((pcs->count + 1) * sizeof *list);
  list_calls (live, pcs, &wanted, list);
  if (!live->options.without_names && (wanted.count || wanted.objects))
    omen_symbols_more (live->tail.reader.trace, &wanted, &chunks);
  if (chunks.count)
    take_names (live, &chunks);
  if (!live->begun)
    omen_notes_file_sort (&live->tail.file);
  OMEN_VEC_FINI (chunks);
  omen_free (list);
}

/* ---- opaque locks ---- */

static bool
was_emitted (const omen_live *live, uint64_t address)
{
  const omen_map *objects = live->emitter.object_of;
  return omen_map_get (&objects[OMEN_OPERAND_LOCK], address) != OMEN_NONE
         || omen_map_get (&objects[OMEN_OPERAND_SEMAPHORE], address)
                != OMEN_NONE;
}

bool
omen_live_is_wrong (omen_live *live)
{
  const omen_map *opaque = &live->tail.file.opaque;
  bool wrong = false;
  if (opaque->count == live->opaque.count)
    return false;
  for (uint32_t i = 0; i <= opaque->mask; i++) {
    uint64_t address = opaque->entries[i].key;
    if (address == OMEN_MAP_NO_KEY
        || omen_map_get (&live->opaque, address) != OMEN_NONE)
      continue;
    wrong |= live->begun && was_emitted (live, address);
    *omen_map_at (&live->opaque, address) = 1;
  }
  return wrong;
}
