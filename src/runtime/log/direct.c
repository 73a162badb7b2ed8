#include "runtime/log/direct.h"
#include "runtime/core/bytes.h"
#include "runtime/core/path.h"
#include "runtime/log/ring.h"
#include "wire/recording.h"

#include <errno.h>
#include <x86intrin.h>

enum {
  TRIES = 3,        /* others may come between */
  SLOW_CYCLES = 30, /* a byte: slightly less than 100 MB a second */
  WINDOW = 32,      /* batches that are judged together */
  REST = 256 << 20  /* bytes */
};

_Static_assert (OMEN_DIRECT_SLACK >= 2 * (OMEN_DIRECT_ALIGN + OMEN_CHUNK_ROOM),
                "room for two fillers");

static bool possible;
static bool wanted; /* this and the next are atomic */
static int64_t
    rest; /* bytes to write through the page cache before the next try */
static uint64_t spent; /* cycles beyond the limit in this window */
static uint32_t judged, refused;

void
omen_direct_start (bool may)
{
  possible = may;
  spent = judged = refused = 0;
  __atomic_store_n (&wanted, may, __ATOMIC_RELAXED);
}

bool
omen_direct_wanted (void)
{
  return __atomic_load_n (&wanted, __ATOMIC_RELAXED);
}

/* The size of a filler that begins at `end`. */
static size_t
filler_at (uint64_t end)
{
  const uint64_t mask = OMEN_DIRECT_ALIGN - 1;
  return end & mask ? (((end + OMEN_CHUNK_ROOM + mask) & ~mask) - end) : 0;
}

/* Makes the file end at an aligned place; false: the end cannot be read or
   moved. */
static bool
align_end (uint8_t *room, uint64_t *chunks)
{
  uint64_t end;
  if (!omen_path_size (&end))
    return false;
  size_t size = filler_at (end);
  if (!size)
    return true;
  omen_bytes_zero (room, size);
  omen_file_fill (room, size);
  ++*chunks;
  return !omen_path_append (room, size);
}

static void
leave_it (void)
{
  __atomic_store_n (&rest, REST, __ATOMIC_RELAXED);
  __atomic_store_n (&wanted, false, __ATOMIC_RELAXED);
}

void
omen_direct_passed (size_t size)
{
  if (possible && !omen_direct_wanted ()
      && __atomic_sub_fetch (&rest, (int64_t)size, __ATOMIC_RELAXED) <= 0)
    __atomic_store_n (&wanted, true, __ATOMIC_RELAXED);
}

/* If the disk cannot keep up, batches go through the page cache for a while.
   Threads may count at the same time: one batch more or less does not
   matter. */
static void
judge_disk (uint64_t cycles, size_t size)
{
  uint64_t all = __atomic_add_fetch (&spent, cycles - SLOW_CYCLES * size,
                                     __ATOMIC_RELAXED);
  if (__atomic_add_fetch (&judged, 1, __ATOMIC_RELAXED) % WINDOW)
    return;
  if ((int64_t)all > 0)
    leave_it ();
  __atomic_store_n (&spent, 0, __ATOMIC_RELAXED);
}

/* Returns how much of it is in the file now. */
static size_t
write_direct (uint8_t *out, size_t size, uint64_t *chunks)
{
  long done = -EINVAL;
  for (unsigned i = 0; i < TRIES && done == -EINVAL; i++) {
    if (!align_end (out + size, chunks))
      break;
    uint64_t start = __rdtsc ();
    done = omen_path_append_direct (out, size);
    if (done >= 0)
      judge_disk (__rdtsc () - start, size);
  }
  if (done < 0
      && __atomic_add_fetch (&refused, 1, __ATOMIC_RELAXED) == WINDOW) {
    possible = false;
    leave_it ();
  }
  return done < 0 ? 0 : (size_t)done;
}

/* Writes the filler before the records and, if their end is not aligned, the
   one behind them. */
static size_t
finish_batch (uint8_t *head, const omen_batch *batch, uint64_t *chunks)
{
  size_t size = OMEN_DIRECT_HEAD + batch->size, filler = filler_at (size);
  omen_file_batch *about = (omen_file_batch *)(head + OMEN_CHUNK_ROOM);
  if (filler) {
    omen_bytes_zero (head + size, filler);
    omen_file_fill (head + size, filler);
  }
  omen_bytes_zero (head, OMEN_DIRECT_HEAD);
  *about = (omen_file_batch){ batch->size + filler,
                              batch->chunks + (filler ? 1 : 0), batch->notes };
  omen_file_batch_head (head, OMEN_DIRECT_HEAD - OMEN_CHUNK_ROOM);
  *chunks += filler ? 2 : 1;
  return size + filler;
}

const char *
omen_direct_put (uint8_t *out, const omen_batch *batch, uint64_t *chunks)
{
  uint8_t *head = out - OMEN_DIRECT_HEAD;
  size_t size = finish_batch (head, batch, chunks);
  size_t done = write_direct (head, size, chunks);
  if (done == size)
    return NULL;
  /* the rest of a batch that was cut short (disk full) follows it, unless
     another chunk came between; then the reader skips the piece */
  return omen_path_append (head + done, size - done);
}
