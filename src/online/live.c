/* Rebuilds a growing recording, chunk by chunk. */
#include "online/live_state.h"

#include <fcntl.h>
#include <string.h>

/* Without marks: after this many notes one is assumed. */
#define UNMARKED ((uint64_t)OMEN_HARD_OR (64, 1 << 18))

/* ---- opening and closing ---- */

static void
start_live (omen_live *live, const omen_live *before)
{
  OMEN_VEC_RESERVE (live->tail.file.threads, OMEN_LIVE_THREADS);
  omen_notes_summary_init (&live->summary);
  omen_map_init (&live->index);
  omen_map_init (&live->named);
  omen_map_init (&live->opaque);
  live->counts.opened = 1;
  if (!before)
    return;
  live->counts = before->counts;
  live->counts.opened++;
  for (uint32_t i = 0; i <= before->tail.file.opaque.mask; i++)
    if (before->tail.file.opaque.entries[i].key != OMEN_MAP_NO_KEY)
      *omen_map_at (&live->tail.file.opaque,
                    before->tail.file.opaque.entries[i].key)
          = *omen_map_at (&live->opaque,
                          before->tail.file.opaque.entries[i].key)
          = 1;
}

omen_live *
omen_live_open (const char *path, const omen_live_options *options,
                const omen_live *before, omen_err *err)
{
  omen_live *live = omen_zalloc (1, sizeof *live);
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  if (!omen_tail_open (&live->tail, fd, path, err)) {
    omen_free (live);
    return NULL;
  }
  live->options = *options;
  live->lag = OMEN_LIVE_LAG;
  start_live (live, before);
  return live;
}

void
omen_live_close (omen_live *live)
{
  if (!live)
    return;
  omen_live_fini_merge (live);
  omen_notes_summary_fini (&live->summary);
  for (size_t t = 0; t < live->threads.count; t++)
    OMEN_VEC_FINI (live->threads.data[t].chunks);
  OMEN_VEC_FINI (live->threads);
  omen_map_fini (&live->index);
  omen_map_fini (&live->named);
  omen_map_fini (&live->opaque);
  omen_tail_close (&live->tail);
  omen_free (live);
}

/* ---- chunks ---- */

static bool
live_failed (omen_live *live, const char *what)
{
  live->state = OMEN_LIVE_FAILED;
  return omen_tail_fail (&live->tail, what);
}

static omen_live_thread *
thread_of (omen_live *live, uint32_t id)
{
  uint32_t *index = omen_map_at (&live->index, id);
  omen_notes_thread thread = { .id = id };
  if (*index != OMEN_NONE)
    return &live->threads.data[*index];
  if (live->threads.count == OMEN_LIVE_THREADS)
    return NULL;
  *index = (uint32_t)live->threads.count;
  thread.found = omen_zalloc (1, sizeof (omen_founds));
  OMEN_VEC_PUSH (live->tail.file.threads, thread);
  OMEN_VEC_PUSH (live->threads, (omen_live_thread){ 0 });
  return &OMEN_VEC_LAST (live->threads);
}

/* The next notes of a thread. */
static bool
take_notes (omen_live *live, const omen_chunk *chunk)
{
  omen_live_thread *thread = thread_of (live, chunk->header.stream);
  uint64_t expected = 0;
  omen_notes_thread *notes;
  if (!thread)
    return live_failed (live, "too many threads");
  if (thread->chunks.count)
    expected = OMEN_VEC_LAST (thread->chunks).header.first
               + OMEN_VEC_LAST (thread->chunks).header.count;
  if (chunk->header.first != expected)
    return live_failed (live, "notes before this chunk are missing");
  OMEN_VEC_PUSH (thread->chunks, *chunk);
  notes = &live->tail.file.threads.data[thread - live->threads.data];
  notes->chunks = thread->chunks.data;
  notes->count = (uint32_t)thread->chunks.count;
  live->tail.reader.notes += chunk->header.count;
  live->counts.notes += chunk->header.count;
  live->unmarked += chunk->header.count;
  return true;
}

/* Chunks on which events that were already emitted depend. */
static bool
is_basic (unsigned kind)
{
  return kind == OMEN_CHUNK_MODULES || kind == OMEN_CHUNK_DATA
         || kind == OMEN_CHUNK_OBJECTS || kind == OMEN_CHUNK_LAYOUTS
         || kind == OMEN_CHUNK_PLACES_OF_CODE;
}

static bool
take_table (omen_live *live, const omen_chunk *chunk)
{
  if (live->begun && is_basic (chunk->header.kind)) {
    live->state = OMEN_LIVE_AGAIN;
    return false;
  }
  if (!omen_binary_next_table (&live->tail.reader, chunk)
      || !omen_notes_file_next (&live->tail.file, chunk)
      || !omen_notes_file_more (&live->tail.file, &live->tail.reader, chunk))
    return live_failed (live, "an invalid chunk");
  live->tail.file.flags = live->tail.reader.program;
  return true;
}

static bool
take_chunk (omen_live *live, const omen_chunk *chunk)
{
  switch (chunk->header.kind) {
  case OMEN_CHUNK_NOTES:
    return take_notes (live, chunk);
  case OMEN_CHUNK_MARKS:
    omen_live_mark (live);
    return live->state == OMEN_LIVE_GOOD;
  default:
    return take_table (live, chunk);
  }
}

static void
take_chunks (omen_live *live, uint64_t most, bool *more)
{
  uint64_t before = live->counts.notes;
  omen_tail_state state;
  omen_chunk chunk;
  while ((state = omen_tail_next (&live->tail, false, &chunk))
         == OMEN_TAIL_CHUNK) {
    *more = live->counts.notes - before >= most;
    if (*more || !take_chunk (live, &chunk))
      return;
    omen_tail_pass (&live->tail, &chunk);
    live->counts.bytes += sizeof chunk.header + chunk.header.stored;
    if (live->unmarked >= UNMARKED)
      omen_live_mark (live);
    if (live->state != OMEN_LIVE_GOOD)
      return;
  }
  if (state == OMEN_TAIL_END)
    live->state = OMEN_LIVE_OVER;
  else if (state == OMEN_TAIL_FAILED)
    live->state = OMEN_LIVE_FAILED;
}

/* ---- what is done with ---- */

/* Drop the chunks that are not read again. */
static void
drop_chunks (omen_live *live, uint32_t t)
{
  omen_live_thread *thread = &live->threads.data[t];
  omen_notes_thread *notes = &live->tail.file.threads.data[t];
  uint64_t emitted = 0;
  uint32_t gone = 0;
  if (t < live->emitter.sources.count)
    emitted = omen_cursor_position (&live->emitter.sources.data[t].cursor);
  while (gone + 1 < thread->chunks.count
         && thread->chunks.data[gone + 1].header.first <= emitted)
    gone++;
  if (gone < 64 || t >= live->merge.count)
    return;
  OMEN_ASSERT (live->emitter.sources.data[t].cursor.chunk >= gone
               && live->merge.threads[t].cursor.chunk >= gone);
  live->emitter.sources.data[t].cursor.chunk -= gone;
  live->merge.threads[t].cursor.chunk -= gone;
  thread->chunks.count -= gone;
  memmove (thread->chunks.data, thread->chunks.data + gone,
           thread->chunks.count * sizeof *thread->chunks.data);
  notes->count = (uint32_t)thread->chunks.count;
}

/* Likewise the values found for loads. */
static void
drop_found (omen_live *live, uint32_t t)
{
  omen_founds *found = live->tail.file.threads.data[t].found;
  uint64_t emitted
      = omen_cursor_position (&live->emitter.sources.data[t].cursor);
  size_t gone = 0;
  while (gone < found->list.count && found->list.data[gone].position < emitted)
    gone++;
  if (gone < 1024)
    return;
  found->list.count -= gone;
  memmove (found->list.data, found->list.data + gone,
           found->list.count * sizeof *found->list.data);
}

/* ---- questions ---- */

omen_live_state
omen_live_read (omen_live *live, uint64_t most, bool *more)
{
  *more = false;
  if (live->state == OMEN_LIVE_OVER) /* the end mark may be removed again */
    live->state = OMEN_LIVE_GOOD;
  if (live->state != OMEN_LIVE_GOOD)
    return live->state;
  take_chunks (live, most, more);
  if (live->state == OMEN_LIVE_GOOD || live->state == OMEN_LIVE_OVER) {
    omen_live_scan (live);
    for (uint32_t t = 0; t < live->threads.count; t++)
      drop_chunks (live, t);
    for (uint32_t t = 0; t < live->emitter.sources.count; t++)
      drop_found (live, t);
    omen_tail_drop (&live->tail);
  }
  return live->state;
}

const char *
omen_live_err (const omen_live *live)
{
  return live->tail.err.set ? live->tail.err.what : "";
}

void
omen_live_set_lag (omen_live *live, uint64_t steps)
{
  OMEN_REQUIRE (steps);
  live->lag = steps;
}

void
omen_live_past (omen_live *live, uint64_t events)
{
  live->options.filter.events = events;
}

omen_live_counts
omen_live_count (const omen_live *live)
{
  return live->counts;
}
