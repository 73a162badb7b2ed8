/* Follows a growing recording, chunk by chunk. */
#include "online/follow_state.h"

#include <fcntl.h>

/* Bytes read at a time; one chunk may be more. */
#define PIECE OMEN_HARD_OR ((uint64_t)64, (uint64_t)1 << 16)

static void
start_follow (omen_follow *f)
{
  omen_map_init (&f->index);
  omen_map_init (&f->early);
  omen_map_init (&f->locations);
  omen_names_init (&f->functions);
  omen_names_init (&f->labels);
  omen_follow_locks_init (&f->locks);
  f->current = OMEN_NONE;
  f->numbers = omen_zalloc (OMEN_SHARDS, sizeof *f->numbers);
  f->waiters = omen_alloc (OMEN_SHARDS * sizeof *f->waiters);
  for (unsigned i = 0; i < OMEN_SHARDS; i++)
    f->waiters[i] = OMEN_NONE;
}

omen_follow *
omen_follow_new (int fd, const char *path, const omen_follow_sink *sink,
                 omen_err *err)
{
  omen_follow *f = omen_zalloc (1, sizeof *f);
  OMEN_REQUIRE (sink->event && sink->forget);
  if (!omen_tail_open (&f->tail, fd, path, err)) {
    omen_free (f);
    return NULL;
  }
  f->sink = *sink;
  f->most = OMEN_FOLLOW_QUEUE;
  start_follow (f);
  return f;
}

omen_follow *
omen_follow_open (const char *path, const omen_follow_sink *sink, omen_err *err)
{
  int fd = open (path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
  return omen_follow_new (fd, path, sink, err);
}

void
omen_follow_limit (omen_follow *f, size_t queue)
{
  f->most = queue;
}

void
omen_follow_close (omen_follow *f)
{
  if (!f)
    return;
  for (size_t t = 0; t < f->threads.count; t++)
    omen_follow_thread_fini (&f->threads.data[t]);
  OMEN_VEC_FINI (f->threads);
  omen_free (f->reader);
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
  omen_tail_close (&f->tail);
  omen_free (f->numbers);
  omen_free (f->waiters);
  omen_free (f->unpacked);
  omen_free (f);
}

/* ---- reading ---- */

static bool
take_chunk (omen_follow *f, const omen_chunk *chunk)
{
  if (chunk->header.kind == OMEN_CHUNK_NOTES)
    return omen_follow_notes (f, chunk);
  return omen_binary_next_table (&f->tail.reader, chunk)
         && omen_notes_file_next (&f->tail.file, chunk);
}

bool
omen_follow_read (omen_follow *f, bool over, bool *more, omen_err *err)
{
  uint64_t end = f->tail.at + PIECE;
  omen_tail_state state = OMEN_TAIL_CHUNK;
  omen_chunk chunk;
  while (f->tail.at < end
         && (state = omen_tail_next (&f->tail, over, &chunk))
                == OMEN_TAIL_CHUNK) {
    if (!take_chunk (f, &chunk)) {
      omen_tail_fail (&f->tail, "an invalid chunk");
      state = OMEN_TAIL_FAILED;
      break;
    }
    omen_tail_pass (&f->tail, &chunk);
  }
  omen_tail_drop (&f->tail);
  *more = state == OMEN_TAIL_CHUNK;
  if (state == OMEN_TAIL_FAILED)
    *err = f->tail.err;
  return state != OMEN_TAIL_FAILED;
}

void
omen_follow_finish (omen_follow *f)
{
  omen_follow_settle (f);
}

void
omen_follow_discard (omen_follow *f)
{
  omen_tail_discard (&f->tail);
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
  return f->tail.reader.trace;
}
