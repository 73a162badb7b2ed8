#include "runtime/log/ring.h"
#include "runtime/core/path.h"
#include "wire/format.h"

enum { HEAD = sizeof (omen_chunk_header) };

static omen_latch latch;
static uint64_t first, last; /* the ring in the file */
static uint64_t at; /* where the next chunk goes; always the start of a chunk */
static uint64_t since; /* bytes since a mark was requested; atomic */

static const uint64_t piece = UINT64_C (1) << 30; /* of filler, at first */

/* The end of the chunk at `from`. */
static const char *
end_of_chunk (uint64_t from, uint64_t *end)
{
  omen_chunk_header h;
  const char *wrong = omen_path_read (&h, sizeof h, from);
  *end = from + HEAD + h.stored;
  if (!wrong && (h.magic != OMEN_CHUNK_MAGIC || *end > last))
    wrong = "somebody else has written to it";
  return wrong;
}

/* Does the room from `at` to `end` take `size` bytes and a filler for the
   rest? */
static bool
fits_ring (uint64_t size, uint64_t end)
{
  uint64_t room = end - at;
  return room == size || room >= size + HEAD;
}

static const char *
write_filler (uint64_t from, uint64_t end)
{
  omen_chunk_header h;
  omen_file_fill (&h, end - from);
  return omen_path_write (&h, sizeof h, from);
}

/* Makes room for a chunk at `at`, up to the end of an old one. */
static const char *
find_room (uint64_t size, uint64_t *end)
{
  const char *wrong = NULL;
  *end = at;
  while (!wrong && !fits_ring (size, *end)) {
    if (*end == last) {
      if (at < last)
        wrong = write_filler (at, last);
      *end = at = first;
    }
    if (!wrong)
      wrong = end_of_chunk (*end, end);
  }
  return wrong;
}

/* The filler first: if the program is killed in between, the old headers are
   intact. */
const char *
omen_ring_put (const void *chunk, size_t size)
{
  uint64_t end;
  omen_latch_take (&latch);
  const char *wrong = find_room (size, &end);
  if (!wrong && end > at + size)
    wrong = write_filler (at + size, end);
  if (!wrong)
    wrong = omen_path_write (chunk, size, at);
  at += size;
  __atomic_fetch_add (&since, size, __ATOMIC_RELAXED);
  omen_latch_give (&latch);
  return wrong;
}

bool
omen_ring_wants_mark (void)
{
  enum { MARKS = 16 }; /* in a ring, about */
  if (__atomic_load_n (&since, __ATOMIC_RELAXED) < (last - first) / MARKS)
    return false;
  __atomic_store_n (&since, 0, __ATOMIC_RELAXED);
  return true;
}

const char *
omen_ring_start (uint64_t start, uint64_t size)
{
  const char *wrong = NULL;
  latch = (omen_latch){ 0 };
  first = at = start;
  since = 0;
  last = start + size;
  for (uint64_t from = first; !wrong && from < last;) {
    uint64_t end = last - from > 2 * piece ? from + piece : last;
    wrong = write_filler (from, end);
    from = end;
  }
  return wrong;
}
