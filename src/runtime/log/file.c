/* The file: header, chunks, end. Each thread appends whole chunks; the kernel
   keeps them apart. */
#include "runtime/core/core.h"
#include "runtime/core/bytes.h"
#include "runtime/log/direct.h"
#include "runtime/log/hash.h"
#include "runtime/core/path.h"
#include "runtime/log/ring.h"
#include "wire/format.h"

#include <time.h>

_Static_assert (OMEN_CHUNK_ROOM == sizeof (omen_chunk_header), "room");

bool omen_file_closed = true;
static bool sealed;      /* the end mark is written, and may be taken back */
static uint32_t writers; /* threads between enter and leave */
static bool finished;
static uint64_t chunks, notes, bytes;
static uint64_t end_of_file; /* with a ring */

enum { RESERVE = 256, CLOSE_WAIT_MS = 2000 };

static void
leave_file (void)
{
  __atomic_fetch_sub (&writers, 1, __ATOMIC_SEQ_CST);
}

static void
wait_a_little (void)
{
  const struct timespec one = { 0, 1000000 };
  omen_call (SYS_nanosleep, (long)&one, 0, 0, 0, 0, 0);
}

/* May this thread write? If so, `leave` ends the write. A child of a fork that
   was not seen (a raw system call) must leave its parent's file alone. */
static bool
begin_write (void)
{
  if (!omen_life_is_first ())
    omen_file_closed = true;
  for (;; wait_a_little ()) {
    __atomic_fetch_add (&writers, 1, __ATOMIC_SEQ_CST);
    bool closed = __atomic_load_n (&omen_file_closed, __ATOMIC_SEQ_CST);
    if (!closed && !__atomic_load_n (&sealed, __ATOMIC_SEQ_CST))
      return true;
    leave_file ();
    if (closed)
      return false;
  }
}

static void
wait_for_writers (void)
{
  for (unsigned i = 0;
       i < CLOSE_WAIT_MS && __atomic_load_n (&writers, __ATOMIC_SEQ_CST); i++)
    wait_a_little ();
}

/* NULL, or what went wrong. */
static const char *
put_bytes (const void *at, size_t size)
{
  if (OMEN_LIKELY (!omen_rt_options.ring))
    return omen_path_append (at, size);
  return omen_path_write (
      at, size, __atomic_fetch_add (&end_of_file, size, __ATOMIC_RELAXED));
}

static void
fill_header (omen_chunk_header *h, const uint8_t *payload)
{
  h->magic = OMEN_CHUNK_MAGIC;
  h->size = h->stored;
  h->checksum = payload ? omen_hash (payload, h->stored) : 0;
  h->check = omen_hash (h, offsetof (omen_chunk_header, check));
}

/* Readers skip the bytes of a filler. */
void
omen_file_fill (void *header, uint64_t size)
{
  omen_chunk_header h = { .kind = OMEN_CHUNK_FILLER,
                          .flags = OMEN_CHUNK_OPTIONAL,
                          .stream = OMEN_NONE,
                          .stored = (uint32_t)(size - sizeof h) };
  fill_header (&h, NULL);
  __builtin_memcpy (header, &h, sizeof h);
}

static uint16_t
flags_of (unsigned kind)
{
  return kind == OMEN_CHUNK_MARKS || kind == OMEN_CHUNK_BATCH
                 || kind == OMEN_CHUNK_STUCK || kind == OMEN_CHUNK_HELPED
                 || kind == OMEN_CHUNK_MAPPINGS
             ? OMEN_CHUNK_OPTIONAL
             : 0;
}

/* `at` begins with room for the header. */
static void
head_chunk (unsigned kind, uint16_t flags, uint32_t stream, uint64_t first,
            uint32_t count, uint8_t *at, size_t size)
{
  omen_chunk_header h = { .kind = (uint16_t)kind,
                          .flags = flags,
                          .stream = stream,
                          .count = count,
                          .first = first,
                          .stored = (uint32_t)size };
  fill_header (&h, at + sizeof h);
  __builtin_memcpy (at, &h, sizeof h);
}

void
omen_file_batch_head (uint8_t *at, size_t size)
{
  head_chunk (OMEN_CHUNK_BATCH, OMEN_CHUNK_OPTIONAL, OMEN_NONE, 0, 1, at, size);
}

static const char *
put_chunk (unsigned kind, uint32_t stream, uint64_t first, uint32_t count,
           uint8_t *at, size_t size)
{
  head_chunk (kind, flags_of (kind), stream, first, count, at, size);
  __atomic_fetch_add (&chunks, 1, __ATOMIC_RELAXED);
  return put_bytes (at, OMEN_CHUNK_ROOM + size);
}

static const char *
put_end (void)
{
  uint8_t at[OMEN_CHUNK_ROOM + sizeof (omen_file_end)];
  omen_file_end end = { chunks, notes };
  __builtin_memcpy (at + OMEN_CHUNK_ROOM, &end, sizeof end);
  return put_chunk (OMEN_CHUNK_END, OMEN_NONE, 0, 1, at, sizeof end);
}

/* True for the thread that closes the file; no other writes after that. */
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
  finished = true;
  omen_say ("recording stopped: ", why);
}

bool
omen_file_seal (void)
{
  if (omen_file_closed || __atomic_exchange_n (&sealed, true, __ATOMIC_SEQ_CST))
    return false;
  wait_for_writers ();
  put_end ();
  return true;
}

void
omen_file_unseal (void)
{
  size_t size = OMEN_CHUNK_ROOM + sizeof (omen_file_end);
  omen_path_shorten (size);
  end_of_file -= size;
  chunks--;
  __atomic_store_n (&sealed, false, __ATOMIC_SEQ_CST);
}

/* If another thread is closing it, waits until that is done: the program may be
   about to end. */
void
omen_file_finish (void)
{
  if (close_file ()) {
    put_end ();
    finished = true;
  }
  for (unsigned i = 0;
       i < CLOSE_WAIT_MS && !__atomic_load_n (&finished, __ATOMIC_ACQUIRE); i++)
    wait_a_little ();
}

/* Of a file with a ring, three quarters are for records. */
static uint64_t
ring_size (void)
{
  return omen_rt_options.max_size / 4 * 3;
}

/* Without --max-size a trace may use a quarter of what is free at its start. A
   reader that reads along may free blocks, so the disk is asked what is in
   use. */
static uint64_t share;
static uint64_t most; /* bytes until the disk is asked again; 0: no limit */

static void
limit_size (void)
{
  share = omen_path_free () / 4;
  most = omen_rt_options.max_size ? omen_rt_options.max_size : share;
}

static bool
has_room (uint64_t written, size_t size)
{
  bool returns = omen_rt_options.stream && !omen_rt_options.max_size;
  uint64_t used = returns ? omen_path_used () + size + RESERVE : 0;
  if (!returns || used >= share)
    return false;
  __atomic_store_n (&most, written + (share - used), __ATOMIC_RELAXED);
  return true;
}

/* False if it would make the file too large. */
static bool
fits_file (size_t size)
{
  uint64_t now = __atomic_load_n (&most, __ATOMIC_RELAXED);
  uint64_t end = __atomic_add_fetch (&bytes, size, __ATOMIC_RELAXED);
  if (OMEN_LIKELY (!now || end + RESERVE <= now)
      || has_room (end + RESERVE, size))
    return true;
  omen_give_up (omen_rt_options.max_size
                    ? "the trace has its largest size"
                    : "the trace has a quarter of what was free on the disk "
                      "(--max-size says how much it may have)");
  return false;
}

static void
write_chunk (unsigned kind, uint32_t stream, uint64_t first, uint32_t count,
             uint8_t *at, size_t size)
{
  const char *wrong;
  if (!fits_file (OMEN_CHUNK_ROOM + size) || !begin_write ())
    return;
  wrong = put_chunk (kind, stream, first, count, at, size);
  leave_file ();
  if (wrong)
    omen_give_up (wrong);
}

void
omen_batch_add (omen_batch *batch, uint8_t *out, uint32_t stream,
                uint64_t first, uint32_t count, size_t size, bool continues)
{
  if (OMEN_UNLIKELY (omen_modules_stale))
    omen_modules_find ();
  head_chunk (OMEN_CHUNK_NOTES, continues ? OMEN_CHUNK_CONTINUES : 0, stream,
              first, count, out + batch->size, size);
  batch->size += OMEN_CHUNK_ROOM + size;
  batch->chunks++;
  batch->notes += count;
}

/* A ring takes one chunk at a time, and a file with a size limit should come
   near to it. */
bool
omen_batch_full (const omen_batch *batch)
{
  bool large = batch->large && omen_direct_wanted ();
  uint64_t now = __atomic_load_n (&most, __ATOMIC_RELAXED);
  return batch->size >= (large ? batch->large : OMEN_BATCH)
         || omen_rt_options.max_size
         || (now
             && __atomic_load_n (&bytes, __ATOMIC_RELAXED) + 4 * batch->size
                    >= now);
}

static const char *
put_large (const omen_batch *batch, uint8_t *out)
{
  uint64_t more = 0;
  const char *wrong = omen_direct_put (out, batch, &more);
  __atomic_fetch_add (&chunks, more, __ATOMIC_RELAXED);
  return wrong;
}

static const char *
put_batch (const omen_batch *batch, uint8_t *out)
{
  __atomic_fetch_add (&chunks, batch->chunks, __ATOMIC_RELAXED);
  __atomic_fetch_add (&notes, batch->notes, __ATOMIC_RELAXED);
  if (batch->large && batch->size >= OMEN_BATCH_LARGE / 2
      && omen_direct_wanted ())
    return put_large (batch, out);
  omen_direct_passed (batch->size);
  return omen_rt_options.ring ? omen_ring_put (out, batch->size)
                              : put_bytes (out, batch->size);
}

void
omen_batch_write (omen_batch *batch, uint8_t *out)
{
  const char *wrong;
  if (!batch->size)
    return;
  omen_tables_write ();
  /* notes in a ring always fit */
  if ((omen_rt_options.ring || fits_file (batch->size)) && begin_write ()) {
    wrong = put_batch (batch, out);
    leave_file ();
    if (wrong)
      omen_give_up (wrong);
  }
  *batch = (omen_batch){ .large = batch->large };
}

void
omen_file_mark_put (uint8_t *at, uint64_t first, uint32_t count, size_t size)
{
  const char *wrong;
  bool ring = omen_rt_options.ring;
  if ((!ring && !fits_file (OMEN_CHUNK_ROOM + size)) || !begin_write ())
    return;
  head_chunk (OMEN_CHUNK_MARKS, OMEN_CHUNK_OPTIONAL, OMEN_NONE, first, count,
              at, size);
  __atomic_fetch_add (&chunks, 1, __ATOMIC_RELAXED);
  wrong = ring ? omen_ring_put (at, OMEN_CHUNK_ROOM + size)
               : put_bytes (at, OMEN_CHUNK_ROOM + size);
  leave_file ();
  if (wrong)
    omen_give_up (wrong);
}

/* Rare chunks are copied, so that the header comes first. */
void
omen_file_chunk (unsigned kind, uint32_t stream, uint64_t first, uint32_t count,
                 const void *payload, size_t size)
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

/* Not if a reader reads along, if there is no room for fillers, or if the bytes
   must not depend on the speed of the disk. */
static bool
may_be_large (void)
{
  return !omen_rt_options.stream && !omen_rt_options.max_size
         && !omen_rt_options.ring && !omen_rt_options.global_log
         && !*omen_rt_options.schedule;
}

bool
omen_file_chains (void)
{
  return !omen_rt_options.ring && !omen_rt_options.stream;
}

const char *
omen_file_open (bool child)
{
  omen_file_header h = { .magic = OMEN_FILE_MAGIC,
                         .version = OMEN_FORMAT_VERSION,
                         .minimum = OMEN_FORMAT_VERSION,
                         .size = sizeof h,
                         .features = OMEN_FEATURE_BYTES | OMEN_FEATURE_INNER
                                     | OMEN_FEATURE_NEAR | OMEN_FEATURE_APART
                                     | OMEN_FEATURE_LOOPS | OMEN_FEATURE_TAGS };
  if (omen_file_chains ())
    h.features |= OMEN_FEATURE_CHAINS;
  const char *wrong = omen_path_open (child, may_be_large ());
  finished = wrong != NULL;
  if (wrong)
    return wrong;
  h.checksum = omen_hash (&h, offsetof (omen_file_header, checksum));
  omen_direct_start (omen_path_has_direct ());
  writers = 0;
  sealed = false;
  chunks = notes = 0;
  bytes = sizeof h;
  limit_size ();
  wrong = omen_path_append (&h, sizeof h);
  if (!wrong && omen_rt_options.ring) {
    wrong = omen_ring_start (sizeof h, ring_size ());
    bytes = end_of_file = sizeof h + ring_size ();
  }
  omen_file_closed = wrong != NULL;
  return wrong;
}
