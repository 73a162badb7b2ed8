/* runtime/log/direct.h on a disk of our own: where large batches go and when
   they are left to the kernel. */
#include "unit.h"

#include "runtime/log/direct.h"
#include "runtime/core/path.h"
#include "runtime/log/ring.h"
#include "wire/recording.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

enum { LARGE = 1 << 20, SMALL = 8192, WINDOW = 32, HUNDRED = 100 };

static struct {
  uint64_t size;
  uint64_t direct, usual; /* bytes; without fillers before a batch */
  unsigned fillers, heads, misplaced;
  uint64_t cycles; /* that a byte takes */
  size_t most;     /* bytes it takes at once, 0: any number */
  bool refuses;
} disk;

/* ---- what direct.c calls ---- */

static const char filler_mark[] = "filler", head_mark[] = "head";

void
omen_file_fill (void *header, uint64_t size)
{
  assert_true (size >= OMEN_CHUNK_ROOM);
  memcpy (header, filler_mark, sizeof filler_mark);
  disk.fillers++;
}

void
omen_file_batch_head (uint8_t *at, size_t size)
{
  assert_int_equal (size, OMEN_DIRECT_HEAD - OMEN_CHUNK_ROOM);
  memcpy (at, head_mark, sizeof head_mark);
  disk.heads++;
}

bool
omen_path_size (uint64_t *size)
{
  *size = disk.size;
  return true;
}

const char *
omen_path_append (const void *bytes, size_t size)
{
  disk.size += size;
  if (strcmp (bytes, filler_mark))
    disk.usual += size;
  return NULL;
}

long
omen_path_append_direct (const void *bytes, size_t size)
{
  uint64_t end = __rdtsc () + disk.cycles * size;
  if (disk.refuses)
    return -EINVAL;
  if (((uintptr_t)bytes | disk.size | size) % OMEN_DIRECT_ALIGN) {
    disk.misplaced++;
    return -EINVAL;
  }
  assert_string_equal (bytes, head_mark);
  while (disk.cycles && __rdtsc () < end)
    ;
  if (disk.most && size > disk.most)
    size = disk.most;
  disk.size += size;
  disk.direct += size;
  return (long)size;
}

/* ---- batches ---- */

static void
start (void)
{
  memset (&disk, 0, sizeof disk);
  omen_direct_start (true);
}

static size_t
padded (size_t size)
{
  const size_t mask = OMEN_DIRECT_ALIGN - 1;
  size += OMEN_DIRECT_HEAD;
  return size & mask ? (size + OMEN_CHUNK_ROOM + mask) & ~mask : size;
}

static void
put (size_t size)
{
  uint8_t *room
      = aligned_alloc (OMEN_DIRECT_ALIGN, 2 * LARGE + OMEN_DIRECT_SLACK);
  omen_batch batch = { .size = size, .chunks = 3, .notes = 70, .large = true };
  omen_file_batch about;
  unsigned before = disk.fillers + disk.heads;
  uint64_t chunks = 0;
  memset (room, 'x', 2 * LARGE + OMEN_DIRECT_SLACK);
  assert_null (omen_direct_put (room + OMEN_DIRECT_HEAD, &batch, &chunks));
  memcpy (&about, room + OMEN_CHUNK_ROOM, sizeof about);
  bool filled = padded (size) > size + OMEN_DIRECT_HEAD;
  assert_int_equal (about.bytes, padded (size) - OMEN_DIRECT_HEAD);
  assert_int_equal (about.chunks, 3 + filled);
  assert_int_equal (about.notes, 70);
  assert_int_equal (room[OMEN_DIRECT_HEAD], 'x');
  assert_int_equal (room[OMEN_DIRECT_HEAD + size - 1], 'x');
  assert_int_equal (chunks, disk.fillers + disk.heads - before);
  free (room);
}

/* Whatever others append in between. */
static void
batches_begin_with_pages (void **state)
{
  uint64_t all = 0;
  start ();
  for (size_t i = 0; i < HUNDRED; i++) {
    size_t size = LARGE / 2 + i * 997;
    disk.size += i * 137 % (OMEN_DIRECT_ALIGN + 1);
    put (size);
    all += padded (size);
    assert_int_equal (disk.size % OMEN_DIRECT_ALIGN, 0);
  }
  put (LARGE - OMEN_DIRECT_HEAD);
  assert_int_equal (disk.direct, all + LARGE);
  assert_int_equal (disk.usual, 0);
  assert_int_equal (disk.misplaced, 0);
}

static void
what_was_cut_short_is_completed (void **state)
{
  start ();
  disk.most = 5 * OMEN_DIRECT_ALIGN;
  put (LARGE);
  assert_int_equal (disk.direct, disk.most);
  assert_int_equal (disk.direct + disk.usual, padded (LARGE));
}

/* How many megabytes go the usual way before it is wanted again. */
static unsigned
rest (void)
{
  unsigned passed = 0;
  for (; !omen_direct_wanted () && passed < 1000; passed++)
    omen_direct_passed (1 << 20);
  return passed;
}

static void
a_window (size_t size, uint64_t cycles)
{
  disk.cycles = cycles;
  for (unsigned i = 0; i < WINDOW; i++) {
    assert_true (omen_direct_wanted ());
    put (size);
  }
}

/* 30 cycles a byte are allowed. Each time it is judged afresh. */
static void
a_slow_disk_is_left_for_a_while (void **state)
{
  start ();
  a_window (SMALL, 60);
  assert_false (omen_direct_wanted ());
  assert_in_range (rest (), 200, 300);
  a_window (LARGE, 0);
  assert_true (omen_direct_wanted ());
  a_window (SMALL, 60);
  assert_false (omen_direct_wanted ());
}

static void
a_quick_disk_is_kept (void **state)
{
  start ();
  for (unsigned i = 0; i < HUNDRED; i++) {
    put (LARGE);
    assert_true (omen_direct_wanted ());
  }
  assert_int_equal (disk.usual, 0);
}

/* Nothing is lost, and it is not asked for ever. */
static void
a_file_that_refuses_gets_all_the_usual_way (void **state)
{
  start ();
  disk.refuses = true;
  for (unsigned i = 0; i < WINDOW; i++) {
    assert_true (omen_direct_wanted ());
    put (LARGE);
    assert_int_equal (disk.usual, (i + 1) * padded (LARGE));
  }
  assert_int_equal (disk.direct, 0);
  assert_int_equal (rest (), 1000);
}

static void
where_it_may_not_be_it_is_not_wanted (void **state)
{
  omen_direct_start (false);
  assert_int_equal (rest (), 1000);
}

UNIT_MAIN (UNIT (batches_begin_with_pages),
           UNIT (what_was_cut_short_is_completed),
           UNIT (a_slow_disk_is_left_for_a_while), UNIT (a_quick_disk_is_kept),
           UNIT (a_file_that_refuses_gets_all_the_usual_way),
           UNIT (where_it_may_not_be_it_is_not_wanted))
