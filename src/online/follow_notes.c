/* Decodes chunks of notes into items; only those that the order or the events
   need. */
#include "wire/abi.h"
#include "online/follow_state.h"

void
omen_follow_thread_fini (omen_follow_thread *thread)
{
  omen_free (thread->reader);
  OMEN_VEC_FINI (thread->open);
  OMEN_VEC_FINI (thread->queue);
  OMEN_VEC_FINI (thread->frames);
  OMEN_VEC_FINI (thread->joined);
}

static bool
is_wanted_item (unsigned kind)
{
  switch (kind) {
  case OMEN_SITE_ENTER:
  case OMEN_SITE_EXIT:
  case OMEN_SITE_LANDED:
  case OMEN_SITE_STACK_ALLOC:
  case OMEN_ITEM_THREAD_BEGIN:
  case OMEN_ITEM_THREAD_END:
  case OMEN_ITEM_FORK:
  case OMEN_ITEM_JOIN:
  case OMEN_ITEM_BLOCK_BEGIN:
  case OMEN_ITEM_BLOCK_END:
    return true;
  case OMEN_ITEM_ATOMIC: /* has numbers of its own */
    return false;
  default:
    return omen_item_numbered (kind);
  }
}

static bool
wrong (omen_follow *follow, const omen_chunk *chunk)
{
  return omen_binary_wrong (&follow->tail.reader,
                            "byte %lu: a note in this chunk is not well formed",
                            (unsigned long)chunk->offset);
}

static omen_item
item_of (const omen_follow *follow, const omen_raw_note *notes, size_t count)
{
  const omen_file_site *site
      = omen_notes_site (&follow->tail.file, notes->site);
  return (omen_item){ .kind = site->kind,
                      .size = site->size,
                      .site = notes->site,
                      .notes = (uint32_t)count,
                      .a = notes->a,
                      .b = notes->b,
                      .parts = notes + 1 };
}

static void
offer (omen_follow *follow, uint32_t t, const omen_item *item)
{
  omen_follow_item mine = {
    .kind = item->kind, .site = item->site, .object = item->a, .number = item->b
  };
  if (item->notes > 1) {
    mine.arg = omen_item_arg (item);
    mine.pc = omen_item_pc (item);
  }
  if (omen_item_is_wait (item->kind)) {
    mine.lock = item->parts[1].a;
    mine.lock_number = item->parts[1].b;
  }
  omen_follow_offer (follow, t, &mine);
}

/* Complete the open item, unless `more` parts may follow. */
static bool
close_item (omen_follow *follow, uint32_t t, bool more)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  omen_item item;
  if (!thread->open.count)
    return true;
  item = item_of (follow, thread->open.data, thread->open.count);
  if (!omen_item_right (&follow->tail.file, &item))
    return more;
  offer (follow, t, &item);
  OMEN_VEC_CLEAR (follow->threads.data[t].open);
  return true;
}

static bool
take_runtime (omen_follow *follow, uint32_t *t, const omen_raw_note *note,
              unsigned kind)
{
  if (kind != OMEN_ITEM_PART && !close_item (follow, *t, false))
    return false;
  if (kind == OMEN_ITEM_SWITCH) {
    if (!follow->one_log || note->a >= OMEN_NONE)
      return false;
    *t = follow->current = omen_follow_thread_of (follow, (uint32_t)note->a);
    return true;
  }
  if (kind == OMEN_ITEM_PART ? follow->threads.data[*t].open.count > 0
                             : is_wanted_item (kind))
    OMEN_VEC_PUSH (follow->threads.data[*t].open, *note);
  return follow->threads.data[*t].open.count <= OMEN_NOTES_MAX;
}

/* Most notes are accesses, which are skipped at once. */
static bool
take_note (omen_follow *follow, uint32_t *t, const omen_raw_note *note)
{
  unsigned kind;
  if (note->site >= follow->tail.file.sites.count)
    return false;
  kind = follow->tail.file.sites.data[note->site].kind;
  if (OMEN_UNLIKELY (kind >= OMEN_ITEM_FIRST))
    return take_runtime (follow, t, note, kind);
  if (OMEN_UNLIKELY (follow->threads.data[*t].open.count > 0)
      && !close_item (follow, *t, false))
    return false;
  if (is_wanted_item (kind)) {
    omen_item item = item_of (follow, note, 1);
    if (!omen_item_right (&follow->tail.file, &item))
      return false;
    offer (follow, *t, &item);
  }
  return true;
}

/* ---- what can be skipped ---- */

/* Woven notes that are not needed; notes of the runtime are kept, since PARTs
   and SWITCH belong to others. */
static bool
site_boring (const omen_follow *follow, uint32_t id)
{
  unsigned kind;
  if (!id || id >= follow->tail.file.sites.count)
    return false;
  kind = follow->tail.file.sites.data[id].kind;
  return kind < OMEN_ITEM_FIRST && !is_wanted_item (kind);
}

static bool
block_boring (const omen_follow *follow, const omen_notes_block *block)
{
  for (uint32_t i = 0; i < block->as.count; i++)
    if (!site_boring (
            follow,
            follow->tail.file.blocks.members.data[block->members + i].as.site))
      return false;
  return true;
}

static void
learn_boring (omen_follow *follow)
{
  omen_notes_filter *boring = &follow->boring;
  for (size_t i = boring->sites.count; i < follow->tail.file.sites.count; i++)
    OMEN_VEC_PUSH (boring->sites, site_boring (follow, (uint32_t)i));
  for (size_t i = boring->blocks.count;
       i < follow->tail.file.blocks.blocks.count; i++)
    OMEN_VEC_PUSH (
        boring->blocks,
        block_boring (follow, &follow->tail.file.blocks.blocks.data[i]));
}

/* A reader at the start of the chunk. */
static omen_notes_reader *
open_chunk (omen_follow *follow, uint32_t t, const omen_chunk *chunk,
            const omen_bytes *payload)
{
  const omen_notes_blocks *blocks = &follow->tail.file.blocks;
  bool own = blocks->chains && chunk->header.stream != OMEN_NONE;
  omen_notes_reader **reader
      = own ? &follow->threads.data[t].reader : &follow->reader;
  size_t size = (size_t)(payload->end - payload->at);
  if (!*reader)
    *reader = omen_notes_reader_new ();
  if (own && chunk->header.flags & OMEN_CHUNK_CONTINUES)
    omen_notes_continue (*reader, payload->at, size, chunk->header.count);
  else
    omen_notes_open (*reader, blocks, payload->at, size, chunk->header.count);
  omen_notes_leave_out (*reader, &follow->boring);
  return *reader;
}

static bool
take_all (omen_follow *follow, uint32_t *t, const omen_chunk *chunk,
          const omen_bytes *payload)
{
  omen_notes_reader *reader = open_chunk (follow, *t, chunk, payload);
  omen_raw_note note;
  learn_boring (follow);
  while (omen_notes_next (reader, &note))
    if (!take_note (follow, t, &note))
      return wrong (follow, chunk);
  if (reader->failed || !close_item (follow, *t, true))
    return wrong (follow, chunk);
  follow->counts.notes += chunk->header.count;
  return true;
}

bool
omen_follow_notes (omen_follow *follow, const omen_chunk *chunk)
{
  uint32_t stream = chunk->header.stream, t;
  uint64_t *expected;
  omen_bytes payload;
  if (stream == OMEN_NONE) {
    follow->one_log = true;
    t = follow->current == OMEN_NONE ? omen_follow_thread_of (follow, 0)
                                     : follow->current;
    expected = &follow->log_expected;
  } else {
    t = omen_follow_thread_of (follow, stream);
    expected = &follow->threads.data[t].expected;
  }
  if (chunk->header.first != *expected)
    return omen_binary_wrong (&follow->tail.reader,
                              "byte %lu: notes before this chunk are missing",
                              (unsigned long)chunk->offset);
  *expected += chunk->header.count;
  return omen_chunk_payload (&follow->tail.reader, chunk, &follow->unpacked,
                             &payload)
         && take_all (follow, &t, chunk, &payload);
}
