/* The file: chunks as they are written. */
#include "trace/follow_state.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Read at a time; one chunk may be more. */
#define PIECE OMEN_HARD_OR ((size_t)64, (size_t)1 << 16)
/* Reads in a row that find no chunk where one should begin, before it is said
   that there is none: somebody may be writing it. */
#define PATIENCE 100
/* Given back at a time; the first page stays, by which one knows what it is. */
#define DISCARD_LEAST ((uint64_t)1 << 16)
#define PAGE ((uint64_t)4096)

static void
start (omen_follow *f)
{
  f->reader = (omen_binary_reader){ .path = f->path,
                                    .err = &f->err,
                                    .trace = omen_trace_new (f->path) };
  omen_notes_file_init (&f->file, &f->reader);
  omen_map_init (&f->index);
  omen_map_init (&f->early);
  omen_map_init (&f->locations);
  omen_names_init (&f->functions);
  omen_names_init (&f->labels);
  omen_follow_locks_init (&f->locks);
  f->current = OMEN_NONE;
  f->numbers = omen_zalloc (OMEN_QUEUES, sizeof *f->numbers);
  f->waiters = omen_alloc (OMEN_QUEUES * sizeof *f->waiters);
  for (unsigned i = 0; i < OMEN_QUEUES; i++)
    f->waiters[i] = OMEN_NONE;
}

omen_follow *
omen_follow_new (int fd, const char *path, const omen_follow_sink *sink)
{
  omen_follow *f = omen_zalloc (1, sizeof *f);
  OMEN_REQUIRE (fd >= 0 && sink->event && sink->forget);
  f->path = omen_strdup (path);
  f->fd = fd;
  f->sink = *sink;
  f->most = OMEN_FOLLOW_QUEUE;
  start (f);
  return f;
}

omen_follow *
omen_follow_open (const char *path, const omen_follow_sink *sink, omen_err *err)
{
  int fd = open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  if (fd >= 0)
    return omen_follow_new (fd, path, sink);
  omen_err_io (err, path, "cannot open: %s", strerror (errno));
  return NULL;
}

void
omen_follow_limit (omen_follow *f, size_t queue)
{
  f->most = queue;
}

static void
close_reader (omen_follow *f)
{
  omen_notes_file_fini (&f->file);
  omen_trace_free (f->reader.trace);
  OMEN_VEC_FINI (f->reader.chunks);
  OMEN_VEC_FINI (f->reader.strings);
  OMEN_VEC_FINI (f->reader.hints);
}

void
omen_follow_close (omen_follow *f)
{
  if (!f)
    return;
  close (f->fd);
  close_reader (f);
  for (size_t t = 0; t < f->threads.count; t++)
    omen_follow_thread_fini (&f->threads.data[t]);
  OMEN_VEC_FINI (f->threads);
  OMEN_VEC_FINI (f->bytes);
  OMEN_VEC_FINI (f->boring.sites);
  OMEN_VEC_FINI (f->boring.blocks);
  OMEN_VEC_FINI (f->ready);
  OMEN_VEC_FINI (f->site_functions);
  OMEN_VEC_FINI (f->pcs);
  OMEN_VEC_FINI (f->tids);
  OMEN_VEC_FINI (f->gone);
  omen_map_fini (&f->index);
  omen_map_fini (&f->early);
  omen_map_fini (&f->locations);
  omen_names_fini (&f->functions);
  omen_names_fini (&f->labels);
  omen_follow_locks_fini (&f->locks);
  omen_free (f->numbers);
  omen_free (f->waiters);
  omen_free (f->unpacked);
  omen_free (f->path);
  omen_free (f);
}

/* ---- chunks ---- */

/* `chunk` lies at its offset in bytes, which is what the reader looks at. */
static bool
take_chunk (omen_follow *f, const omen_chunk *chunk)
{
  f->reader.data = f->bytes.data;
  f->reader.size = f->bytes.count;
  if (chunk->header.kind == OMEN_CHUNK_NOTES)
    return omen_follow_notes (f, chunk);
  return omen_binary_next_table (&f->reader, chunk)
         && omen_notes_file_next (&f->file, chunk);
}

static bool
take_header (omen_follow *f, omen_chunk_state *state)
{
  omen_file_header header;
  *state = omen_file_look (f->bytes.data, f->bytes.count, &header);
  if (*state != OMEN_CHUNK_WHOLE)
    return false;
  f->read = header.size;
  f->started = true;
  return true;
}

/* All whole chunks in bytes; what comes then. The end mark is looked at again
   and again: it may be taken off. False: failed. */
static bool
take_chunks (omen_follow *f, omen_chunk_state *state)
{
  omen_chunk chunk;
  *state = OMEN_CHUNK_SHORT;
  if (!f->started && !take_header (f, state))
    return true;
  for (;;) {
    chunk.offset = f->read;
    *state = omen_chunk_look (f->bytes.data + f->read, f->bytes.count - f->read,
                              &chunk.header);
    if (*state != OMEN_CHUNK_WHOLE || chunk.header.kind == OMEN_CHUNK_END)
      return true;
    if (!take_chunk (f, &chunk))
      return false;
    f->read += sizeof chunk.header + chunk.header.stored;
  }
}

/* ---- bytes ---- */

static void
drop_read (omen_follow *f)
{
  f->bytes.count -= f->read;
  if (f->bytes.count)
    memmove (f->bytes.data, f->bytes.data + f->read, f->bytes.count);
  f->at += f->read;
  f->read = 0;
}

/* Behind what is there; bytes that were read before they were all written are
   read again. */
static size_t
read_piece (omen_follow *f)
{
  ssize_t got;
  OMEN_VEC_RESERVE (f->bytes, f->bytes.count + PIECE);
  do
    got = pread (f->fd, f->bytes.data + f->bytes.count, PIECE,
                 (off_t)(f->at + f->bytes.count));
  while (got < 0 && errno == EINTR);
  f->bytes.count += got > 0 ? (size_t)got : 0;
  return got > 0 ? (size_t)got : 0;
}

static bool
fail (omen_follow *f, omen_err *err)
{
  if (!f->err.set)
    omen_err_set (&f->err, f->path, "byte %lu: no chunk begins here",
                  (unsigned long)f->at);
  *err = f->err;
  return false;
}

bool
omen_follow_read (omen_follow *f, bool over, bool *more, omen_err *err)
{
  omen_chunk_state state;
  size_t got;
  *more = false;
  if (f->err.set)
    return fail (f, err);
  got = read_piece (f);
  if (!take_chunks (f, &state))
    return fail (f, err);
  drop_read (f);
  *more = got == PIECE;
  if (state != OMEN_CHUNK_BROKEN) {
    f->odd = 0;
    if (state == OMEN_CHUNK_WHOLE) { /* the end mark */
      f->bytes.count = 0;
      *more = false;
    }
    return true;
  }
  f->bytes.count = 0;
  *more = false;
  return (!over && f->odd++ < PATIENCE) || fail (f, err);
}

void
omen_follow_finish (omen_follow *f)
{
  omen_follow_settle (f);
}

void
omen_follow_discard (omen_follow *f)
{
  uint64_t end = f->at & ~(PAGE - 1);
  if (!f->discarded)
    f->discarded = PAGE;
  if (end < f->discarded + DISCARD_LEAST)
    return;
  (void)!fallocate (f->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                    (off_t)f->discarded, (off_t)(end - f->discarded));
  f->discarded = end;
}

/* ---- names ---- */

omen_follow_counts
omen_follow_count (const omen_follow *f)
{
  return f->counts;
}

uint32_t
omen_follow_thread_number (const omen_follow *f, omen_tid thread)
{
  OMEN_REQUIRE (thread < f->tids.count);
  return f->tids.data[thread];
}

const char *
omen_follow_name (const omen_follow *f, unsigned kind, uint32_t object)
{
  OMEN_REQUIRE (kind == OMEN_ENTER || kind == OMEN_BEGIN);
  return omen_names_text (kind == OMEN_ENTER ? &f->functions : &f->labels,
                          object);
}

uint64_t
omen_follow_address (const omen_follow *f, omen_lid lock)
{
  OMEN_REQUIRE (lock < f->locks.list.count);
  return f->locks.list.data[lock].address;
}

uint64_t
omen_follow_pc (const omen_follow *f, uint32_t location)
{
  return location < f->pcs.count ? f->pcs.data[location] : 0;
}

const omen_trace *
omen_follow_tables (const omen_follow *f)
{
  return f->reader.trace;
}
