#include "recording/ring/cut.h"
#include "recording/scan/scan.h"

#include <string.h>

/* Each round moves something; more rounds than this are no small disorder. */
#define MOST_ROUNDS 64

/* ---- marks ---- */

typedef struct cutting {
  omen_notes_file *file;
  omen_map noted; /* thread -> entry of notes */
  OMEN_VEC (uint64_t) notes;
  uint64_t made;    /* threads up to the mark */
  unsigned flags;   /* of the mark */
  uint64_t *before; /* by queue: the highest number before the start, + 1 */
  uint64_t *least;  /* by queue: the least number that is certainly new */
  bool first;       /* the next item is the first after the mark */
  omen_map index;   /* thread -> index in file->threads */
  bool moved;
} cutting;

static bool
read_mark (cutting *c, const omen_chunk *chunk)
{
  uint8_t *unpacked = NULL;
  omen_bytes payload;
  omen_file_mark mark;
  omen_map_fini (&c->noted);
  omen_map_init (&c->noted);
  OMEN_VEC_CLEAR (c->notes);
  bool good = omen_chunk_payload (c->file->reader, chunk, &unpacked, &payload);
  for (uint32_t i = 0; good && i < chunk->header.count; i++) {
    const uint8_t *at = omen_bytes_take (&payload, sizeof mark);
    if (at)
      memcpy (&mark, at, sizeof mark);
    good = at && (mark.thread == OMEN_NONE) == !i;
    if (good && !i) {
      c->made = mark.notes;
      c->flags = mark.flags;
    } else if (good) {
      *omen_map_at (&c->noted, mark.thread) = (uint32_t)c->notes.count;
      OMEN_VEC_PUSH (c->notes, mark.notes);
    }
  }
  omen_free (unpacked);
  return good && chunk->header.count;
}

/* The second mark that is left. */
static bool
find_mark (cutting *c)
{
  const omen_chunk *end;
  const omen_chunk *chunk
      = omen_chunks_of (c->file->reader, OMEN_CHUNK_MARKS, &end);
  return end - chunk >= 2 && chunk[1].header.first == chunk[0].header.first + 1
         && read_mark (c, &chunk[1]);
}

/* False: records after the mark are missing. */
static bool
start_at_mark (const cutting *c, omen_notes_thread *thread)
{
  uint64_t from = thread->chunks[0].header.first, mark = 0;
  uint32_t entry = omen_map_get (&c->noted, thread->id);
  if (entry != OMEN_NONE)
    mark = c->notes.data[entry];
  else if (thread->id < c->made)
    mark = UINT64_MAX;
  thread->start = mark < thread->notes ? mark : thread->notes;
  return mark >= from;
}

/* Calls `see` for the thread's items in [from, end). */
static void
walk (cutting *c, uint32_t t, uint64_t from, uint64_t end,
      void (*see) (cutting *, uint32_t, const omen_item *, uint64_t))
{
  omen_notes_thread thread = c->file->threads.data[t];
  omen_note_cursor cursor;
  omen_item item;
  const char *wrong;
  thread.start = from;
  omen_cursor_init (&cursor, c->file, &thread);
  while (omen_cursor_position (&cursor) < end
         && omen_notes_next_right (&cursor, &item, &wrong)) {
    if (item.kind >= OMEN_ITEM_FIRST)
      see (c, t, &item, omen_cursor_position (&cursor) + item.notes);
    omen_cursor_pass (&cursor, &item);
  }
  omen_cursor_fini (&cursor);
}

/* ---- what was under way at the mark ---- */

/* A thread may take a number long before it logs the item. Its first item after
   the mark may thus have a number older than everything that was lost; all
   later ones took theirs after the mark. */
static bool
is_first (cutting *c, const omen_item *item)
{
  bool first = c->first && item->kind != OMEN_ITEM_TIME;
  c->first &= !first;
  return first;
}

static void
see_new (cutting *c, uint32_t t, const omen_item *item, uint64_t next)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (c->file, item, keys);
  if (is_first (c, item))
    return;
  for (unsigned i = 0; i < count; i++)
    if (keys[i].number < c->least[keys[i].queue])
      c->least[keys[i].queue] = keys[i].number;
}

/* An item that comes after a new one is new, too. */
static void
see_first (cutting *c, uint32_t t, const omen_item *item, uint64_t next)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (c->file, item, keys);
  if (!is_first (c, item))
    return;
  for (unsigned i = 0; i < count; i++)
    if (keys[i].number <= c->least[keys[i].queue])
      c->file->threads.data[t].start = next;
}

static void
walk_all (cutting *c,
          void (*see) (cutting *, uint32_t, const omen_item *, uint64_t))
{
  for (uint32_t t = 0; t < (uint32_t)c->file->threads.count; t++) {
    const omen_notes_thread *thread = &c->file->threads.data[t];
    c->first = true;
    walk (c, t, thread->start, thread->notes, see);
  }
}

/* ---- nothing is out of order ---- */

/* All items of the thread are before the start. */
static void
put_before (cutting *c, uint32_t thread)
{
  uint32_t t = omen_map_get (&c->index, thread);
  omen_notes_thread *other;
  if (t == OMEN_NONE)
    return;
  other = &c->file->threads.data[t];
  c->moved |= other->start != other->notes;
  other->start = other->notes;
}

static void
see_before (cutting *c, uint32_t t, const omen_item *item, uint64_t next)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (c->file, item, keys);
  for (unsigned i = 0; i < count; i++)
    if (c->before[keys[i].queue] <= keys[i].number)
      c->before[keys[i].queue] = keys[i].number + 1;
  if (item->kind == OMEN_ITEM_JOIN)
    put_before (c, (uint32_t)item->a);
}

static bool
has_begun (const cutting *c, uint32_t thread)
{
  uint32_t t = omen_map_get (&c->index, thread);
  return t != OMEN_NONE && c->file->threads.data[t].start;
}

/* Moves items that are out of order before the start, with all that precede
   them. */
static void
see_after (cutting *c, uint32_t t, const omen_item *item, uint64_t next)
{
  omen_item_need keys[2];
  unsigned count = omen_item_keys (c->file, item, keys);
  bool wrong = item->kind == OMEN_ITEM_FORK && has_begun (c, (uint32_t)item->a);
  for (unsigned i = 0; i < count; i++)
    wrong |= keys[i].number + 1 < c->before[keys[i].queue];
  if (!wrong)
    return;
  c->file->threads.data[t].start = next;
  c->moved = true;
}

static void
settle_once (cutting *c)
{
  uint32_t count = (uint32_t)c->file->threads.count;
  c->moved = false;
  for (uint32_t t = 0; t < count; t++) {
    const omen_notes_thread *thread = &c->file->threads.data[t];
    walk (c, t, thread->chunks[0].header.first, thread->start, see_before);
  }
  walk_all (c, see_after);
}

/* ---- all ---- */

static bool
start_all_at_mark (cutting *c)
{
  for (size_t t = 0; t < c->file->threads.count; t++) {
    omen_notes_thread *thread = &c->file->threads.data[t];
    if (thread->id == OMEN_NONE || !start_at_mark (c, thread))
      return false;
    *omen_map_at (&c->index, thread->id) = (uint32_t)t;
  }
  return true;
}

static bool
cut_by_numbers (cutting *c)
{
  if (!find_mark (c) || !start_all_at_mark (c))
    return false;
  for (uint32_t q = 0; q < OMEN_QUEUES; q++)
    c->least[q] = UINT64_MAX;
  walk_all (c, see_new);
  walk_all (c, see_first);
  unsigned rounds = 0;
  do
    settle_once (c);
  while (c->moved && ++rounds < MOST_ROUNDS);
  return !c->moved;
}

/* The oldest safepoint after which nothing is lost. Nothing is out of order at
   a safepoint; if something is, it was none. */
static bool
cut_at_safepoint (cutting *c)
{
  const omen_chunk *end;
  const omen_chunk *chunk
      = omen_chunks_of (c->file->reader, OMEN_CHUNK_MARKS, &end);
  for (; chunk < end; chunk++) {
    if (!read_mark (c, chunk) || !(c->flags & OMEN_MARK_SAFEPOINT)
        || !start_all_at_mark (c))
      continue;
    memset (c->before, 0, OMEN_QUEUES * sizeof *c->before);
    settle_once (c);
    if (!c->moved)
      return true;
  }
  return false;
}

static bool
cut (omen_notes_file *file, bool (*how) (cutting *))
{
  cutting c = { .file = file };
  bool found;
  omen_map_init (&c.noted);
  omen_map_init (&c.index);
  c.before = omen_zalloc (OMEN_QUEUES, sizeof *c.before);
  c.least = omen_zalloc (OMEN_QUEUES, sizeof *c.least);
  found = how (&c);
  omen_map_fini (&c.noted);
  omen_map_fini (&c.index);
  omen_free (c.before);
  omen_free (c.least);
  OMEN_VEC_FINI (c.notes);
  return found;
}

bool
omen_notes_cut (omen_notes_file *file)
{
  return cut (file, cut_by_numbers);
}

bool
omen_notes_cut_at_safepoint (omen_notes_file *file)
{
  return cut (file, cut_at_safepoint);
}
