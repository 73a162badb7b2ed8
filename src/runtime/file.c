/* The file: header, chunks, end. Chunks are appended whole by whoever has one;
   the kernel keeps them apart. */
#include "runtime/core.h"
#include "runtime/bytes.h"
#include "runtime/path.h"
#include "runtime/signals.h"
#include "trace/format.h"

#include <errno.h>
#include <time.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

_Static_assert (OMEN_CHUNK_ROOM == sizeof (omen_chunk_header), "room");

bool omen_file_closed = true;
static bool sealed;      /* has its end mark, and may go on */
static uint32_t writers; /* who are between enter and leave */
static uint64_t chunks, notes, bytes;

enum { RESERVE = 256, CLOSE_PATIENCE = 2000 /* ms */ };

static void
leave (void)
{
  __atomic_fetch_sub (&writers, 1, __ATOMIC_SEQ_CST);
}

static void
wait_a_little (void)
{
  const struct timespec one = { 0, 1000000 };
  omen_call (SYS_nanosleep, (long)&one, 0, 0, 0, 0, 0);
}

/* May this thread write? Then `leave` ends it. A child that nobody told of the
   fork (a bare system call) must leave its parent's file alone. */
static bool
enter (void)
{
  if (!omen_life_is_first ())
    omen_file_closed = true;
  for (;; wait_a_little ()) {
    __atomic_fetch_add (&writers, 1, __ATOMIC_SEQ_CST);
    bool closed = __atomic_load_n (&omen_file_closed, __ATOMIC_SEQ_CST);
    if (!closed && !__atomic_load_n (&sealed, __ATOMIC_SEQ_CST))
      return true;
    leave ();
    if (closed)
      return false;
  }
}

static void
wait_for_writers (void)
{
  for (unsigned i = 0; i < CLOSE_PATIENCE
                       && __atomic_load_n (&writers, __ATOMIC_SEQ_CST);
       i++)
    wait_a_little ();
}

/* NULL, or what went wrong. */
static const char *
put (const void *at, size_t size)
{
  const char *p = at, *wrong = NULL;
  int file = omen_path_file ();
  if (file < 0)
    return "the file is not there any more";
  omen_signal_ours = true;
  while (size) {
    long done = omen_call (SYS_write, file, (long)p, (long)size, 0, 0, 0);
    if (done < 0 && done != -EINTR && done != -EAGAIN) {
      wrong = omen_path_error (done);
      break;
    }
    if (done > 0) {
      p += done;
      size -= (size_t)done;
    }
  }
  omen_signal_ours = false;
  return wrong;
}

/* `at` begins with room for the header. */
static const char *
put_chunk (unsigned kind, uint32_t stream, uint64_t first, uint32_t count,
           uint8_t *at, size_t size)
{
  omen_chunk_header h = { .magic = OMEN_CHUNK_MAGIC,
                          .kind = (uint16_t)kind,
                          .stream = stream,
                          .count = count,
                          .first = first,
                          .stored = (uint32_t)size,
                          .size = (uint32_t)size };
  h.checksum = XXH3_64bits (at + sizeof h, size);
  h.check = XXH3_64bits (&h, offsetof (omen_chunk_header, check));
  __builtin_memcpy (at, &h, sizeof h);
  __atomic_fetch_add (&chunks, 1, __ATOMIC_RELAXED);
  return put (at, sizeof h + size);
}

static const char *
put_end (void)
{
  uint8_t at[OMEN_CHUNK_ROOM + sizeof (omen_file_end)];
  omen_file_end end = { chunks, notes };
  __builtin_memcpy (at + OMEN_CHUNK_ROOM, &end, sizeof end);
  return put_chunk (OMEN_CHUNK_END, OMEN_NONE, 0, 1, at, sizeof end);
}

/* True for the one who closes it; then nobody else writes any more. */
static bool
close_file (void)
{
  if (__atomic_exchange_n (&omen_file_closed, true, __ATOMIC_SEQ_CST))
    return false;
  wait_for_writers ();
  return true;
}

void
omen_give_up (const char *why)
{
  if (__atomic_exchange_n (&omen_file_closed, true, __ATOMIC_SEQ_CST))
    return;
  omen_say ("recording stopped: ", why);
}

bool
omen_file_seal (void)
{
  if (omen_file_closed
      || __atomic_exchange_n (&sealed, true, __ATOMIC_SEQ_CST))
    return false;
  wait_for_writers ();
  put_end ();
  return true;
}

void
omen_file_unseal (void)
{
  omen_path_shorten (OMEN_CHUNK_ROOM + sizeof (omen_file_end));
  chunks--;
  __atomic_store_n (&sealed, false, __ATOMIC_SEQ_CST);
}

void
omen_file_finish (void)
{
  if (close_file ())
    put_end ();
}

static void
stop_at_limit (void)
{
  if (!close_file ())
    return;
  put_end ();
  omen_say ("recording stopped: ", "the trace has its largest size");
}

/* Not what would make the file too large. */
static bool
fits (size_t size)
{
  uint64_t most = omen_rt_options.max_size;
  uint64_t before = __atomic_fetch_add (&bytes, size, __ATOMIC_RELAXED);
  if (OMEN_LIKELY (!most || before + size + RESERVE <= most))
    return true;
  stop_at_limit ();
  return false;
}

static void
write_chunk (unsigned kind, uint32_t stream, uint64_t first, uint32_t count,
             uint8_t *at, size_t size)
{
  const char *wrong;
  if (!fits (OMEN_CHUNK_ROOM + size) || !enter ())
    return;
  wrong = put_chunk (kind, stream, first, count, at, size);
  leave ();
  if (wrong)
    omen_give_up (wrong);
}

void
omen_file_notes_chunk (uint32_t stream, uint64_t first, uint32_t count,
                       uint8_t *payload, size_t size)
{
  omen_tables_write ();
  write_chunk (OMEN_CHUNK_NOTES, stream, first, count,
               payload - OMEN_CHUNK_ROOM, size);
  __atomic_fetch_add (&notes, count, __ATOMIC_RELAXED);
}

/* Rare chunks are copied, to have the header in front. */
void
omen_file_chunk (unsigned kind, uint32_t stream, uint64_t first,
                 uint32_t count, const void *payload, size_t size)
{
  uint8_t *at = omen_pages (OMEN_CHUNK_ROOM + size);
  if (!at) {
    omen_give_up ("no memory");
    return;
  }
  omen_bytes_copy (at + OMEN_CHUNK_ROOM, payload, size);
  write_chunk (kind, stream, first, count, at, size);
  omen_pages_free (at, OMEN_CHUNK_ROOM + size);
}

const char *
omen_file_open (bool child)
{
  omen_file_header h = { .magic = OMEN_FILE_MAGIC,
                         .version = OMEN_FORMAT_VERSION,
                         .minimum = OMEN_FORMAT_VERSION,
                         .size = sizeof h };
  const char *wrong = omen_path_open (child);
  if (wrong)
    return wrong;
  h.checksum = XXH3_64bits (&h, offsetof (omen_file_header, checksum));
  writers = 0;
  sealed = false;
  chunks = notes = 0;
  bytes = sizeof h;
  wrong = put (&h, sizeof h);
  omen_file_closed = wrong != NULL;
  return wrong;
}
