#include "recording/log/cursor.h"

#include <string.h>

/* The last chunk that begins at or before the position. */
static uint32_t
chunk_at (const omen_notes_thread *thread, uint64_t position)
{
  uint32_t low = 0, high = thread->count;
  while (high - low > 1) {
    uint32_t middle = (low + high) / 2;
    if (thread->chunks[middle].header.first <= position)
      low = middle;
    else
      high = middle;
  }
  OMEN_ASSERT (high && position >= thread->chunks[low].header.first);
  return low;
}

/* Positions the cursor inside a chunk: what precedes is decoded and skipped. If
   the chunk cannot be decoded so far, nothing is left. */
static void
begin_inside (omen_note_cursor *cursor)
{
  uint64_t start = cursor->thread->start;
  if (omen_cursor_fill (cursor) && start - cursor->base < cursor->notes.count) {
    cursor->at = (uint32_t)(start - cursor->base);
    return;
  }
  cursor->base = start;
  cursor->at = 0;
  cursor->notes.count = 0;
  cursor->chunk = cursor->thread->count;
}

void
omen_cursor_init (omen_note_cursor *cursor, const omen_notes_file *file,
                  const omen_notes_thread *thread)
{
  *cursor = (omen_note_cursor){ .file = file, .thread = thread };
  if (thread->extracted) {
    cursor->notes.data = thread->kept.data;
    cursor->notes.count = thread->kept.count;
    cursor->chunk = thread->count;
    return;
  }
  if (!thread->count)
    return;
  cursor->chunk = chunk_at (thread, thread->start);
  cursor->base = thread->chunks[cursor->chunk].header.first;
  if (cursor->base < thread->start)
    begin_inside (cursor);
}

void
omen_cursor_fini (omen_note_cursor *cursor)
{
  if (!cursor->thread->extracted)
    OMEN_VEC_FINI (cursor->notes);
  omen_free (cursor->unpacked);
  omen_free (cursor->reader);
  cursor->unpacked = NULL;
  cursor->reader = NULL;
}

static void
set_value (omen_raw_note *note, uint64_t value, uint32_t left)
{
  note->b = value;
  note->left = left;
}

void
omen_cursor_settle (omen_note_cursor *cursor, size_t i, uint64_t value,
                    uint32_t left)
{
  omen_founds *found = cursor->thread->found;
  omen_found new = { cursor->base + i, value, left };
  size_t k = found->list.count;
  set_value (&cursor->notes.data[i], value, left);
  if (cursor->thread->extracted)
    return;
  OMEN_VEC_PUSH (found->list, new);
  for (; k && found->list.data[k - 1].position > new.position; k--)
    found->list.data[k] = found->list.data[k - 1];
  found->list.data[k] = new;
}

/* Applies resolved values to records [first, end). */
static void
settle_again (omen_note_cursor *cursor, size_t first, size_t end)
{
  const omen_founds *found = cursor->thread->found;
  size_t low
      = OMEN_FIRST_NOT (i, 0, found->list.count,
                        found->list.data[i].position < cursor->base + first);
  for (; low < found->list.count; low++) {
    const omen_found *f = &found->list.data[low];
    if (f->position >= cursor->base + end)
      return;
    set_value (&cursor->notes.data[f->position - cursor->base], f->value,
               f->left);
  }
}

void
omen_cursor_renew (omen_note_cursor *cursor)
{
  settle_again (cursor, cursor->at, cursor->notes.count);
}

static bool
continues (const omen_note_cursor *cursor, uint32_t chunk)
{
  return cursor->thread->chunks[chunk].header.flags & OMEN_CHUNK_CONTINUES;
}

/* Puts the reader at the start of a chunk that is itself the first one, or
   comes after the one that was read; false: it is damaged. */
static bool
open_chunk (omen_note_cursor *cursor, uint32_t i)
{
  const omen_chunk *chunk = &cursor->thread->chunks[i];
  omen_bytes payload;
  if (!omen_chunk_payload (cursor->file->reader, chunk, &cursor->unpacked,
                           &payload))
    return false;
  size_t size = (size_t)(payload.end - payload.at);
  if (continues (cursor, i))
    omen_notes_continue (cursor->reader, payload.at, size, chunk->header.count);
  else
    omen_notes_open (cursor->reader, &cursor->file->blocks, payload.at, size,
                     chunk->header.count);
  cursor->read = i + 1;
  return true;
}

/* The same for any chunk: reads those that it continues, unless the last one
   was read just now. If none begins the chain, nothing can be read. */
static bool
go_to_chunk (omen_note_cursor *cursor, uint32_t chunk)
{
  uint32_t first = chunk;
  omen_raw_note note;
  if (!cursor->reader)
    cursor->reader = omen_notes_reader_new ();
  while (continues (cursor, first) && (!cursor->read || cursor->read != first))
    if (!first--) {
      cursor->reader->failed = true;
      return true;
    }
  for (; first < chunk; first++) {
    if (!open_chunk (cursor, first))
      return false;
    while (omen_notes_next (cursor->reader, &note))
      ;
  }
  return open_chunk (cursor, chunk);
}

bool
omen_notes_splits (const omen_notes_file *file, const omen_notes_thread *thread,
                   uint32_t chunk)
{
  omen_note_cursor cursor = { .file = file, .thread = thread };
  omen_raw_note note;
  bool splits = go_to_chunk (&cursor, chunk)
                && omen_notes_next (cursor.reader, &note)
                && note.site == OMEN_PART_ID;
  omen_free (cursor.unpacked);
  omen_free (cursor.reader);
  return splits;
}

/* Memory that has several addresses gets the first one. */
static void
unify (const omen_notes_file *file, omen_raw_note *note)
{
  unsigned kind = note->site < file->sites.count
                      ? file->sites.data[note->site].kind
                      : OMEN_ITEM_PART;
  if (!omen_mappings_concern (kind))
    return;
  if (kind == OMEN_ITEM_ATOMIC)
    note->sum = note->a;
  note->a = omen_mappings_first (&file->mappings, note->a);
}

/* Appends the records of a chunk. The scan finds out what cannot be decoded,
   and excludes it. */
static uint32_t
decode (omen_note_cursor *cursor, uint32_t index)
{
  const omen_chunk *chunk = &cursor->thread->chunks[index];
  omen_raw_note *note;
  uint32_t count = 0;
  OMEN_VEC_RESERVE (cursor->notes,
                    cursor->notes.count + chunk->header.count + 1);
  if (!go_to_chunk (cursor, index)) {
    cursor->broken = chunk;
    cursor->lost = true;
    return 0;
  }
  note = cursor->notes.data + cursor->notes.count;
  while (count < chunk->header.count
         && omen_notes_next (cursor->reader, note)) {
    if (OMEN_UNLIKELY (cursor->file->mappings.unify))
      unify (cursor->file, note);
    note++;
    count++;
  }
  if (count < chunk->header.count || omen_notes_next (cursor->reader, note)
      || cursor->reader->failed)
    cursor->broken = chunk;
  return count;
}

bool
omen_cursor_fill (omen_note_cursor *cursor)
{
  const omen_notes_thread *thread = cursor->thread;
  size_t left = cursor->notes.count - cursor->at;
  uint64_t end = cursor->base + cursor->notes.count, usable;
  if (cursor->chunk == thread->count || end >= thread->notes || cursor->broken)
    return false;
  if (left)
    memmove (cursor->notes.data, cursor->notes.data + cursor->at,
             left * sizeof *cursor->notes.data);
  cursor->notes.count = left;
  cursor->base += cursor->at;
  cursor->at = 0;
  cursor->notes.count += decode (cursor, cursor->chunk++);
  settle_again (cursor, left, cursor->notes.count);
  usable = thread->notes - cursor->base;
  if (cursor->notes.count > usable)
    cursor->notes.count = (size_t)usable;
  return cursor->notes.count > left || omen_cursor_fill (cursor);
}

/* The following PARTs may be in the next chunk. */
bool
omen_cursor_gather (omen_note_cursor *cursor, omen_item *item)
{
  size_t end = cursor->at + 1;
  for (;;) {
    const omen_raw_note *notes = cursor->notes.data;
    while (end < cursor->notes.count && notes[end].site == OMEN_PART_ID)
      end++;
    if (end < cursor->notes.count)
      break;
    end -= cursor->at;
    if (!omen_cursor_fill (cursor)) {
      end += cursor->at;
      break;
    }
  }
  item->notes = (uint32_t)(end - cursor->at);
  item->parts = cursor->notes.data + cursor->at + 1;
  item->object = item->kind == OMEN_ITEM_ATOMIC && cursor->file->mappings.unify
                     ? cursor->notes.data[cursor->at].sum
                     : item->a;
  return true;
}

void
omen_cursor_seek (omen_note_cursor *cursor, uint64_t position)
{
  const omen_chunk *chunks = cursor->thread->chunks;
  uint32_t chunk;
  if (position >= cursor->base
      && position <= cursor->base + cursor->notes.count) {
    cursor->at = (uint32_t)(position - cursor->base);
    return;
  }
  chunk = chunk_at (cursor->thread, position);
  cursor->notes.count = cursor->at = 0;
  cursor->base = chunks[chunk].header.first;
  cursor->chunk = chunk;
  cursor->broken = NULL; /* damage further on does not matter here */
  if (omen_cursor_fill (cursor))
    cursor->at = (uint32_t)(position - cursor->base);
  OMEN_ASSERT (omen_cursor_position (cursor) == position);
}
