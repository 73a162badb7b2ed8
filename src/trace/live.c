/* The file: chunks as they are written. */
#include "trace/live_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file may grow to this size. Nothing is read of the mapping that the file does
   not have. */
#define MOST_BYTES ((size_t)1 << 36)
/* Reads in a row that find no chunk where one should begin, before it is said that
   there is none: somebody may be writing it. */
#define PATIENCE 200
/* Without marks: so many notes are as good as one. */
#define UNMARKED ((uint64_t)OMEN_HARD_OR (64, 1 << 18))
#define PAGE ((uint64_t)4096)
/* Bytes that are given back to the kernel at a time, and those of the notes that
   are not fixed yet once more. */
#define DROP_LEAST ((uint64_t)1 << 20)

void (*omen_live_more) (const omen_trace *trace, const omen_live_names *wanted,
                        omen_load_bytes *chunks);

/* ---- opening and closing ---- */

static void
start (omen_live *live, const omen_live *before)
{
  live->reader = (omen_binary_reader){ .path = live->path,
                                       .data = live->map,
                                       .err = &live->err,
                                       .trace = omen_trace_new (live->path) };
  omen_notes_file_init (&live->file, &live->reader);
  OMEN_VEC_RESERVE (live->file.threads, OMEN_LIVE_THREADS);
  omen_notes_summary_init (&live->summary);
  omen_map_init (&live->index);
  omen_map_init (&live->named);
  omen_map_init (&live->boxes);
  live->counts.opened = 1;
  if (!before)
    return;
  live->counts = before->counts;
  live->counts.opened++;
  for (uint32_t i = 0; i <= before->file.boxes.mask; i++)
    if (before->file.boxes.entries[i].key != OMEN_MAP_NO_KEY)
      *omen_map_at (&live->file.boxes, before->file.boxes.entries[i].key)
          = *omen_map_at (&live->boxes, before->file.boxes.entries[i].key)
          = 1;
}

omen_live *
omen_live_open (const char *path, const omen_past_wish *wish,
                const omen_live *before, omen_err *err)
{
  int fd = open (path, O_RDONLY | O_CLOEXEC);
  void *map = fd < 0 ? MAP_FAILED
                     : mmap (NULL, MOST_BYTES, PROT_READ,
                             MAP_SHARED | MAP_NORESERVE, fd, 0);
  omen_live *live;
  if (map == MAP_FAILED) {
    omen_err_io (err, path, "cannot open: %s", strerror (errno));
    if (fd >= 0)
      close (fd);
    return NULL;
  }
  live = omen_zalloc (1, sizeof *live);
  live->path = omen_strdup (path);
  live->fd = fd;
  live->map = map;
  live->wish = *wish;
  live->lag = OMEN_LIVE_LAG;
  start (live, before);
  return live;
}

void
omen_live_close (omen_live *live)
{
  if (!live)
    return;
  omen_live_fini_merge (live);
  omen_notes_summary_fini (&live->summary);
  omen_notes_file_fini (&live->file);
  omen_trace_free (live->reader.trace);
  OMEN_VEC_FINI (live->reader.strings);
  OMEN_VEC_FINI (live->reader.hints);
  for (size_t t = 0; t < live->threads.count; t++)
    OMEN_VEC_FINI (live->threads.data[t].chunks);
  OMEN_VEC_FINI (live->threads);
  omen_map_fini (&live->index);
  omen_map_fini (&live->named);
  omen_map_fini (&live->boxes);
  munmap ((void *)live->map, MOST_BYTES);
  close (live->fd);
  omen_free (live->path);
  omen_free (live);
}

/* ---- chunks ---- */

static bool
fail (omen_live *live, const char *what)
{
  live->state = OMEN_LIVE_FAILED;
  if (!live->err.set)
    omen_err_set (&live->err, live->path, "byte %lu: %s",
                  (unsigned long)live->at, what);
  return false;
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
  OMEN_VEC_PUSH (live->file.threads, thread);
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
    return fail (live, "too many threads");
  if (thread->chunks.count)
    expected = OMEN_VEC_LAST (thread->chunks).header.first
               + OMEN_VEC_LAST (thread->chunks).header.count;
  if (chunk->header.first != expected)
    return fail (live, "notes before this chunk are missing");
  OMEN_VEC_PUSH (thread->chunks, *chunk);
  notes = &live->file.threads.data[thread - live->threads.data];
  notes->chunks = thread->chunks.data;
  notes->count = (uint32_t)thread->chunks.count;
  live->reader.notes += chunk->header.count;
  live->counts.notes += chunk->header.count;
  live->unmarked += chunk->header.count;
  return true;
}

/* What has been told relies on these. */
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
  if (!omen_binary_next_table (&live->reader, chunk)
      || !omen_notes_file_next (&live->file, chunk)
      || !omen_notes_file_more (&live->file, &live->reader, chunk))
    return fail (live, "a chunk that is wrong");
  live->file.flags = live->reader.program;
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

/* The chunk at the place, if it is there with all its bytes. */
static omen_chunk_state
look (omen_live *live, omen_chunk *chunk)
{
  const uint8_t *at = live->map + live->at;
  size_t left = live->reader.size - live->at;
  omen_file_header header;
  omen_chunk_state state;
  if (!live->at) {
    state = omen_file_look (at, left, &header);
    if (state != OMEN_CHUNK_WHOLE)
      return state;
    live->at = header.size;
    return look (live, chunk);
  }
  chunk->offset = live->at;
  state = omen_chunk_look (at, left, &chunk->header);
  return state == OMEN_CHUNK_WHOLE
                 && !omen_chunk_intact (&live->reader, chunk)
             ? OMEN_CHUNK_BROKEN
             : state;
}

static void
take_chunks (omen_live *live, uint64_t most, bool *more)
{
  uint64_t before = live->counts.notes;
  omen_chunk_state state;
  omen_chunk chunk;
  while ((state = look (live, &chunk)) == OMEN_CHUNK_WHOLE) {
    uint64_t size = sizeof chunk.header + chunk.header.stored;
    live->odd = 0;
    if (chunk.header.kind == OMEN_CHUNK_END) {
      live->state = OMEN_LIVE_OVER;
      return;
    }
    *more = live->counts.notes - before >= most;
    if (*more || !take_chunk (live, &chunk))
      return;
    live->at += size;
    live->counts.bytes += size;
    if (live->unmarked >= UNMARKED)
      omen_live_mark (live);
    if (live->state != OMEN_LIVE_GOOD)
      return;
  }
  if (state == OMEN_CHUNK_BROKEN && ++live->odd == PATIENCE)
    fail (live, "no chunk begins here");
}

/* ---- what is done with ---- */

/* Chunks that nobody goes back to. */
static void
drop_chunks (omen_live *live, uint32_t t)
{
  omen_live_thread *thread = &live->threads.data[t];
  omen_notes_thread *notes = &live->file.threads.data[t];
  uint64_t told = 0;
  uint32_t gone = 0;
  if (t < live->telling.sources.count)
    told = omen_cursor_position (&live->telling.sources.data[t].cursor);
  while (gone + 1 < thread->chunks.count
         && thread->chunks.data[gone + 1].header.first <= told)
    gone++;
  if (gone < 64 || t >= live->merge.count)
    return;
  OMEN_ASSERT (live->telling.sources.data[t].cursor.chunk >= gone
               && live->merge.threads[t].cursor.chunk >= gone);
  live->telling.sources.data[t].cursor.chunk -= gone;
  live->merge.threads[t].cursor.chunk -= gone;
  thread->chunks.count -= gone;
  memmove (thread->chunks.data, thread->chunks.data + gone,
           thread->chunks.count * sizeof *thread->chunks.data);
  notes->count = (uint32_t)thread->chunks.count;
}

/* What loads turned out to have read, likewise. */
static void
drop_found (omen_live *live, uint32_t t)
{
  omen_founds *found = live->file.threads.data[t].found;
  uint64_t told
      = omen_cursor_position (&live->telling.sources.data[t].cursor);
  size_t gone = 0;
  while (gone < found->list.count && found->list.data[gone].position < told)
    gone++;
  if (gone < 1024)
    return;
  found->list.count -= gone;
  memmove (found->list.data, found->list.data + gone,
           found->list.count * sizeof *found->list.data);
}

/* Bytes that somebody goes back to come back, too. */
static void
drop_pages (omen_live *live)
{
  uint64_t end = live->at & ~(PAGE - 1), from = live->dropped;
  if (end <= from + DROP_LEAST)
    return;
  from -= from > DROP_LEAST ? DROP_LEAST : from;
  madvise ((void *)(live->map + from), end - from, MADV_DONTNEED);
  live->dropped = end;
}

static void
drop (omen_live *live)
{
  for (uint32_t t = 0; t < live->threads.count; t++)
    drop_chunks (live, t);
  for (uint32_t t = 0; t < live->telling.sources.count; t++)
    drop_found (live, t);
  drop_pages (live);
}

/* ---- questions ---- */

omen_live_state
omen_live_read (omen_live *live, uint64_t most, bool *more)
{
  struct stat info;
  *more = false;
  if (live->state == OMEN_LIVE_OVER) /* it may be taken off */
    live->state = OMEN_LIVE_GOOD;
  if (live->state != OMEN_LIVE_GOOD)
    return live->state;
  if (fstat (live->fd, &info) || (uint64_t)info.st_size > MOST_BYTES)
    fail (live, "too long a file");
  else {
    live->reader.size = (size_t)info.st_size;
    take_chunks (live, most, more);
  }
  if (live->state == OMEN_LIVE_GOOD || live->state == OMEN_LIVE_OVER) {
    omen_live_scan (live);
    drop (live);
  }
  return live->state;
}

const char *
omen_live_err (const omen_live *live)
{
  return live->err.set ? live->err.what : "";
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
  live->wish.events = events;
}

omen_live_counts
omen_live_count (const omen_live *live)
{
  return live->counts;
}

uint64_t
omen_live_behind (const omen_live *live)
{
  struct stat info;
  return fstat (live->fd, &info) || (uint64_t)info.st_size < live->at
             ? 0
             : (uint64_t)info.st_size - live->at;
}
