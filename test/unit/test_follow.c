/* Recorder's files made by hand, followed while they grow. */
#include "unit.h"

#include "following.h"
#include "recorded.h"

enum { M = 0x20000, N = 0x20100, C = 0x21000, HEAP = 0x30000 };

static void
begin (recorded *f, uint32_t t, uint32_t parent)
{
  plain (f, t, OMEN_ITEM_THREAD_BEGIN, t, parent);
}

/* The number of the condition and that of the lock. */
static void
wait_item (recorded *f, uint32_t t, unsigned kind, uint64_t own, uint64_t lock)
{
  recording_item (&f->r, t, kind, C, own, 0, 0);
  recording_part (&f->r, t, M, lock);
}

/* In pieces of each size, from all at once to byte by byte. */
static void
told (recorded *f, const char *expected)
{
  static const size_t sizes[] = { 1 << 20, 1000, 61, 1 };
  file_bytes bytes = recording_file (&f->r);
  for (size_t i = 0; i < OMEN_COUNT (sizes); i++) {
    following g;
    following_init (&g);
    for (size_t at = 0; at < bytes.count; at += sizes[i])
      assert_true (following_write (
          &g, bytes.data + at,
          bytes.count - at < sizes[i] ? bytes.count - at : sizes[i]));
    assert_true (following_end (&g));
    assert_string_equal (g.text, expected);
    following_fini (&g);
  }
  OMEN_VEC_FINI (bytes);
  recording_fini (&f->r);
}

/* All of T0 is written before T1. */
static void
numbers_order_threads (void **state)
{
  recorded f;
  recorded_init (&f);
  begin (&f, 0, OMEN_NONE);
  plain (&f, 0, OMEN_ITEM_FORK, 1, 0);
  begin (&f, 1, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  recording_note (&f.r, 1, HEAP, 7, f.load);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  told (&f, "T0 fork 1\nT1 acq 0\nT1 rel 0\nT0 acq 0\nT0 rel 0\n");
}

static void
joins_wait_for_the_end (void **state)
{
  recorded f;
  recorded_init (&f);
  begin (&f, 0, OMEN_NONE);
  plain (&f, 0, OMEN_ITEM_FORK, 1, 0);
  plain (&f, 0, OMEN_ITEM_JOIN, 1, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  begin (&f, 1, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, N, 0);
  plain (&f, 1, OMEN_ITEM_THREAD_END, 1, 0);
  told (&f, "T0 fork 1\nT1 acq 0\nT1 rel 0\nT0 join 1\nT0 acq 1\n");
}

/* The thread that forks comes later in the file. */
static void
children_wait_for_their_fork (void **state)
{
  recorded f;
  recorded_init (&f);
  begin (&f, 0, 1);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  begin (&f, 1, OMEN_NONE);
  item (&f, 1, OMEN_ITEM_ACQUIRE, N, 0);
  plain (&f, 1, OMEN_ITEM_FORK, 0, 0);
  told (&f, "T0 acq 0\nT0 fork 1\nT1 acq 1\n");
}

/* A fork that is not in the file holds up nobody for ever. */
static void
what_is_missing_is_not_waited_for_at_the_end (void **state)
{
  recorded f;
  recorded_init (&f);
  begin (&f, 0, 7);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  plain (&f, 0, OMEN_ITEM_JOIN, 9, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  told (&f, "T0 acq 0\nT0 rel 0\n");
}

static void
waits_give_the_lock_up (void **state)
{
  recorded f;
  recorded_init (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  wait_item (&f, 0, OMEN_ITEM_WAIT, recording_number (&f.r, C),
             recording_number (&f.r, M));
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_NOTIFY, C, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  wait_item (&f, 0, OMEN_ITEM_WAKE, recording_number (&f.r, C),
             recording_number (&f.r, M));
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  told (&f, "T0 acq 0\nT0 rel 0\nT1 acq 0\nT1 rel 0\nT0 acq 0\nT0 rel 0\n");
}

/* Two waits with their numbers crossed: each is first in one shard. */
static void
crossed_waits_do_not_wait_for_each_other (void **state)
{
  recorded f;
  uint64_t locks[2], conditions[2];
  recorded_init (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  for (int i = 0; i < 2; i++) {
    locks[i] = recording_number (&f.r, M);
    conditions[i] = recording_number (&f.r, C);
  }
  wait_item (&f, 0, OMEN_ITEM_WAIT, conditions[1], locks[0]);
  wait_item (&f, 1, OMEN_ITEM_WAKE, conditions[0], locks[1]);
  item (&f, 1, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 0, OMEN_ITEM_NOTIFY, C, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  told (&f, "T0 acq 0\nT0 rel 0\nT0 acq 0\nT1 acq 1\n");
}

static void
only_outermost_operations_are_told (void **state)
{
  recorded f;
  recorded_init (&f);
  for (int i = 0; i < 3; i++)
    item (&f, 0, OMEN_ITEM_ACQUIRE, M, OMEN_LOCK_RECURSIVE);
  item (&f, 0, OMEN_ITEM_TRY_FAIL, N, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, N, OMEN_LOCK_ERROR);
  item (&f, 0, OMEN_ITEM_READ_ACQUIRE, N, OMEN_LOCK_RW);
  item (&f, 0, OMEN_ITEM_READ_RELEASE, N, OMEN_LOCK_RW);
  for (int i = 0; i < 3; i++)
    item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  told (&f, "T0 acq 0\nT0 rel 0\n");
}

/* Functions that are left without a word, and at the end of the thread. */
static void
functions_are_left (void **state)
{
  recorded f;
  recorded_init (&f);
  recording_note (&f.r, 0, 1, 0, f.enter);
  recording_note (&f.r, 0, 2, 0, f.enter);
  recording_note (&f.r, 0, 3, 0, f.enter);
  recording_note (&f.r, 0, 1, 0, f.landed);
  recording_note (&f.r, 0, 2, 0, f.enter);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.inlined);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.leave);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.inlined);
  recording_note (&f.r, 0, 2, 0, f.leave);
  plain (&f, 0, OMEN_ITEM_BLOCK_BEGIN, recording_string (&f.r, "A"), 0);
  plain (&f, 0, OMEN_ITEM_BLOCK_END, recording_string (&f.r, "A"), 0);
  plain (&f, 0, OMEN_ITEM_THREAD_END, 0, 0);
  told (&f, "T0 enter f\nT0 enter f\nT0 enter f\nT0 exit f\nT0 exit f\n"
            "T0 enter f\nT0 enter g\nT0 exit g\nT0 enter g\nT0 exit g\n"
            "T0 exit f\nT0 begin A\nT0 end A\nT0 exit f\n");
}

/* ---- ids are used again ---- */

static void
new_memory_has_new_locks (void **state)
{
  recorded f;
  file_bytes bytes;
  following g;
  recorded_init (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, HEAP + 8, 0);
  item (&f, 0, OMEN_ITEM_ALLOC, HEAP - 4000, 4008); /* ends before it */
  item (&f, 0, OMEN_ITEM_ALLOC, HEAP, 8);           /* so does this */
  item (&f, 0, OMEN_ITEM_RELEASE, HEAP + 8, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_ALLOC, HEAP, 64);       /* has it */
  item (&f, 0, OMEN_ITEM_ACQUIRE, HEAP + 16, 0); /* another one */
  recording_note (&f.r, 0, HEAP, UINT64_C (1) << 40, f.local);
  item (&f, 0, OMEN_ITEM_LOCK_INIT, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  bytes = recording_file (&f.r);
  following_init (&g);
  assert_true (following_write (&g, bytes.data, bytes.count));
  assert_true (following_end (&g));
  assert_string_equal (g.text, "T0 acq 0\nT0 rel 0\nT0 acq 1\nT0 acq 0\n"
                               "T0 acq 1\n");
  assert_int_equal (g.forgotten, 3);
  following_fini (&g);
  OMEN_VEC_FINI (bytes);
  recording_fini (&f.r);
}

static void
a_lock_that_is_held_is_another_one (void **state)
{
  recorded f;
  recorded_init (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  told (&f, "T0 acq 0\nT1 acq 0\nT1 rel 0\n");
}

/* 1 is joined by its parent: 2 may have its id. */
static void
who_was_joined_makes_room (void **state)
{
  recorded f;
  recorded_init (&f);
  for (uint32_t t = 1; t < 4; t++) {
    plain (&f, 0, OMEN_ITEM_FORK, t, 0);
    begin (&f, t, 0);
    item (&f, t, OMEN_ITEM_ACQUIRE, M, 0);
    item (&f, t, OMEN_ITEM_RELEASE, M, 0);
    plain (&f, t, OMEN_ITEM_THREAD_END, t, 0);
    if (t != 2)
      plain (&f, 0, OMEN_ITEM_JOIN, t, 0);
  }
  told (&f, "T0 fork 1\nT1 acq 0\nT1 rel 0\nT0 join 1\n"
            "T0 fork 1\nT0 fork 2\nT1 acq 0\nT1 rel 0\n"
            "T2 acq 0\nT2 rel 0\nT0 join 2\n");
}

/* ---- files that are not as they should be ---- */

/* The release with the next number is lost. */
static void
a_number_that_never_comes (void **state)
{
  recorded f;
  file_bytes bytes;
  recorded_init (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  recording_number (&f.r, M);
  for (int i = 0; i < 20; i++) {
    item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
    item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  }
  bytes = recording_file (&f.r);
  for (size_t most = 10; most <= 100; most += 90) {
    omen_follow_counts counts;
    following g;
    following_init (&g);
    omen_follow_limit (g.follow, most);
    assert_true (following_write (&g, bytes.data, bytes.count));
    assert_true (following_end (&g));
    counts = omen_follow_count (g.follow);
    assert_int_equal (counts.passed_over, most == 10);
    assert_int_equal (counts.unused, most == 10 ? 0 : 40);
    assert_int_equal (counts.events, most == 10 ? 41 : 1);
    following_fini (&g);
  }
  OMEN_VEC_FINI (bytes);
  recording_fini (&f.r);
}

static file_bytes
small_file (recorded *f)
{
  recorded_init (f);
  item (f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (f, 0, OMEN_ITEM_RELEASE, M, 0);
  return recording_file (&f->r);
}

/* The end mark is taken off when an exec fails, and the file goes on. */
static void
an_end_mark_may_go (void **state)
{
  recorded f;
  file_bytes bytes = small_file (&f);
  size_t mark = sizeof (omen_chunk_header) + sizeof (omen_file_end);
  file_bytes whole;
  following g;
  following_init (&g);
  assert_true (following_write (&g, bytes.data, bytes.count));
  assert_int_equal (ftruncate (g.fd, (off_t)(bytes.count - mark)), 0);
  assert_true (following_read (&g, false));
  f.r.chunk = 4; /* so that the new notes are a chunk */
  item (&f, 0, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, N, 0);
  whole = recording_file (&f.r);
  lseek (g.fd, (off_t)(bytes.count - mark), SEEK_SET);
  assert_true (following_write (&g, whole.data + bytes.count - mark,
                                whole.count - bytes.count + mark));
  assert_true (following_end (&g));
  assert_string_equal (g.text, "T0 acq 0\nT0 rel 0\nT0 acq 1\nT0 rel 1\n");
  following_fini (&g);
  OMEN_VEC_FINI (whole);
  OMEN_VEC_FINI (bytes);
  recording_fini (&f.r);
}

static void
damage_ends_it (void **state)
{
  recorded f;
  file_bytes bytes = small_file (&f);
  size_t mark = sizeof (omen_chunk_header) + sizeof (omen_file_end);
  following g;
  following_init (&g);
  bytes.data[bytes.count - mark - 1] ^= 1; /* of the last notes */
  assert_false (following_write (&g, bytes.data, bytes.count)
                && following_end (&g));
  assert_true (g.err.set);
  assert_string_equal (g.err.where, "made.omen");
  assert_false (following_read (&g, true));
  following_fini (&g);
  OMEN_VEC_FINI (bytes);
  recording_fini (&f.r);
}

/* Somebody may still be writing it; when it is over nobody is. */
static void
what_is_no_chunk_may_become_one (void **state)
{
  recorded f;
  file_bytes bytes = small_file (&f);
  size_t mark = sizeof (omen_chunk_header) + sizeof (omen_file_end);
  char zeros[sizeof (omen_chunk_header)] = { 0 };
  following g;
  following_init (&g);
  assert_true (following_write (&g, bytes.data, bytes.count - mark));
  assert_true (following_write (&g, zeros, sizeof zeros));
  lseek (g.fd, (off_t)(bytes.count - mark), SEEK_SET);
  assert_true (following_write (&g, bytes.data + bytes.count - mark, mark));
  assert_true (following_end (&g));
  assert_string_equal (g.text, "T0 acq 0\nT0 rel 0\n");
  lseek (g.fd, (off_t)(bytes.count - mark), SEEK_SET);
  assert_true (following_write (&g, zeros, sizeof zeros));
  assert_false (following_read (&g, true));
  following_fini (&g);
  OMEN_VEC_FINI (bytes);
  recording_fini (&f.r);
}

static void
no_recording_at_all (void **state)
{
  following g;
  following_init (&g);
  assert_true (following_read (&g, false)); /* empty: not yet */
  following_write (&g, "this is a text, and it is long enough for a header",
                   50);
  assert_false (following_read (&g, true));
  assert_true (g.err.set);
  following_fini (&g);
}

/* ---- one log ---- */

static void
one_log_is_as_it_happened (void **state)
{
  recorded f;
  recorded_init (&f);
  f.r.one_log = true;
  for (uint32_t t = 0; t < 2; t++) {
    recording_item (&f.r, t, OMEN_ITEM_SWITCH, t, 0, 0, 0);
    recording_item (&f.r, t, OMEN_ITEM_ACQUIRE, M, 99, 0, 0);
    recording_item (&f.r, t, OMEN_ITEM_RELEASE, M, 98, 0, 0);
  }
  told (&f, "T0 acq 0\nT0 rel 0\nT1 acq 0\nT1 rel 0\n");
}

UNIT_MAIN (UNIT (numbers_order_threads), UNIT (joins_wait_for_the_end),
           UNIT (children_wait_for_their_fork),
           UNIT (what_is_missing_is_not_waited_for_at_the_end),
           UNIT (waits_give_the_lock_up),
           UNIT (crossed_waits_do_not_wait_for_each_other),
           UNIT (only_outermost_operations_are_told), UNIT (functions_are_left),
           UNIT (new_memory_has_new_locks),
           UNIT (a_lock_that_is_held_is_another_one),
           UNIT (who_was_joined_makes_room), UNIT (a_number_that_never_comes),
           UNIT (an_end_mark_may_go), UNIT (damage_ends_it),
           UNIT (what_is_no_chunk_may_become_one), UNIT (no_recording_at_all),
           UNIT (one_log_is_as_it_happened))
