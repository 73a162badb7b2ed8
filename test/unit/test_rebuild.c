/* Recorder's files made by hand, and the traces they become. */
#include "unit.h"

#include "recorded.h"

#include "recording/rebuild.h"

#include <stdio.h>

/* Turns are short in hard mode; both orders are right. Parts of a text. */
#ifdef OMEN_HARD
#define IN_TURNS(hard, usual) hard
#else
#define IN_TURNS(hard, usual) usual
#endif

enum {
  X = 0x10000,
  Y = 0x10040,
  M = 0x20000,
  N = 0x20100,
  C = 0x21000,
  S = 0x22000
};

static void
set_up (recorded *f)
{
  recording *r = &f->r;
  recorded_init (f);
  recording_object (r, X, 4, "x");
  recording_object (r, Y, 16, "y");
  recording_object (r, M, 40, "m");
  recording_object (r, N, 40, "n");
  recording_object (r, C, 48, "c");
  recording_object (r, S, 32, "s");
}

static void
becomes (recorded *f, const char *expected)
{
  for (unsigned old = 0; old < 2; old++) {
    f->r.old_ranges = old;
    char *text = recorded_text (&f->r);
    assert_string_equal (text, expected);
    free (text);
  }
  recording_fini (&f->r);
}

/* So many values came from outside, and so many reads are unexplained. */
static void
assert_outside (recorded *f, unsigned outside, unsigned unexplained)
{
  omen_err err = { 0 };
  omen_trace *trace = recording_load (&f->r, &err);
  assert_non_null (trace);
  assert_true (omen_wellformed (trace, NULL, &err));
  assert_int_equal (trace->rebuilt.outside, outside);
  assert_int_equal (trace->rebuilt.ended, 0);
  assert_int_equal (trace->rebuilt.unexplained, unexplained);
  omen_trace_free (trace);
  recording_fini (&f->r);
}

/* ---- the order ---- */

static void
numbers_order_threads (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  plain (&f, 0, OMEN_ITEM_FORK, 1, 0);
  plain (&f, 1, OMEN_ITEM_THREAD_BEGIN, 1, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  recording_note (&f.r, 1, X, 7, f.store);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  recording_note (&f.r, 0, X, 7, f.load);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "*|init(x+0:4=0)|\n"
               "T0|fork(T1)|\nT1|acq(m)|\nT1|w(x+0:4=7)|f.c:2\n"
               "T1|rel(m)|\nT0|acq(m)|\nT0|r(x+0:4=7)|f.c:1\n"
               "T0|rel(m)|\n");
}

/* N shows that T1 tried while T0 had M; the number of the try says so as well,
   and it goes there. */
static void
failed_tries_have_a_place (void **state)
{
  recorded f;
  omen_err err = { 0 };
  omen_trace *trace;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, N, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, N, 0);
  item (&f, 1, OMEN_ITEM_TRY_FAIL, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  trace = recording_load (&f.r, &err);
  assert_non_null (trace);
  assert_int_equal (trace->rebuilt.late, 0);
  omen_trace_free (trace);
  becomes (&f, "T0|acq(m)|\nT0|rel(m)|\nT0|acq(m)|\nT0|acq(n)|\n"
               "T0|rel(n)|\nT1|acq(n)|\nT1|rel(n)|\nT1|tryfail(m)|\n"
               "T0|rel(m)|\n");
}

/* T1 has it before it takes its number, and T0 tries twice in between: both
   tries come before T1 releases it. */
static void
early_tries_wait_for_the_lock (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_TRY_FAIL, M, 0);
  item (&f, 0, OMEN_ITEM_TRY_FAIL, M, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|rel(m)|\nT1|acq(m)|\nT0|tryfail(m)|\n"
               "T0|tryfail(m)|\nT1|rel(m)|\nT0|acq(m)|\n");
}

/* Two threads try in turns, and neither's numbers can wait for the other's.
   What T2 stores between its tries does not keep the last one from coming
   before the release. */
static void
early_tries_of_two_threads (void **state)
{
  recorded f;
  set_up (&f);
  for (unsigned i = 0; i < 3; i++) {
    item (&f, 0, OMEN_ITEM_TRY_FAIL, M, 0);
    item (&f, 2, OMEN_ITEM_TRY_FAIL, M, 0);
    item (&f, 2, OMEN_ITEM_LOCK_FAIL, M, 0);
    recording_note (&f.r, 2, X, i, f.store);
  }
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T1|acq(m)|\nT0|tryfail(m)|\nT0|tryfail(m)|\nT0|tryfail(m)|\n"
               "T2|tryfail(m)|\nT2|lockfail(m)|\nT2|w(x+0:4=0)|f.c:2\n"
               "T2|tryfail(m)|\nT2|lockfail(m)|\nT2|w(x+0:4=1)|f.c:2\n"
               "T2|tryfail(m)|\nT2|lockfail(m)|\nT2|w(x+0:4=2)|f.c:2\n"
               "T1|rel(m)|\n");
}

/* T0 runs first, as nothing tells when; its read has to wait. */
static void
reads_wait_for_their_value (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_note (&f.r, 0, X, 2, f.load);
  recording_note (&f.r, 1, X, 1, f.store);
  recording_note (&f.r, 1, X, 2, f.store);
  recording_note (&f.r, 1, X, 3, f.store);
  becomes (&f, "*|init(x+0:4=0)|\n"
               "T1|w(x+0:4=1)|f.c:2\nT1|w(x+0:4=2)|f.c:2\n"
               "T0|r(x+0:4=2)|f.c:1\nT1|w(x+0:4=3)|f.c:2\n");
}

/* T0 comes first and overwrites what T1 reads: T1's read goes before it. */
static void
late_reads_go_back (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_note (&f.r, 0, X, 1, f.store);
  recording_note (&f.r, 0, X, 2, f.store);
  recording_note (&f.r, 1, X, 1, f.load);
  becomes (&f, "*|init(x+0:4=0)|\n"
               "T0|w(x+0:4=1)|f.c:2\nT1|r(x+0:4=1)|f.c:1\n"
               "T0|w(x+0:4=2)|f.c:2\n");
}

/* Nobody knows what was there at first, but it was not two values. */
static void
reads_do_not_go_back_to_the_unknown (void **state)
{
  recorded f;
  set_up (&f);
  recording_note (&f.r, 0, X, 1, f.load);
  recording_note (&f.r, 1, X, 2, f.load);
  becomes (&f, "T0|r(x+0:4=1)|f.c:1\nT0|hb(outside)|f.c:1\n"
               "T1|ha(outside)|f.c:1\n"
               "T1|ext(x+0:4)|f.c:1\nT1|r(x+0:4=2)|f.c:1\n");
}

/* T1 has written since: the whole of it has to come earlier. */
static void
what_was_overwritten_too_early_is_a_cut (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_zeros (&f.r, Y, 4);
  recording_note (&f.r, 0, X, 1, f.store);
  recording_note (&f.r, 0, X, 2, f.store);
  recording_note (&f.r, 1, Y, 5, f.store);
  recording_note (&f.r, 1, X, 1, f.load);
  assert_outside (&f, 0, 1);
}

static void
what_nobody_wrote_came_from_outside (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_note (&f.r, 0, X, 0, f.load);
  recording_note (&f.r, 0, X, 9, f.load);
  becomes (&f, "*|init(x+0:4=0)|\n"
               "T0|r(x+0:4=0)|f.c:1\nT0|ext(x+0:4)|f.c:1\n"
               "T0|r(x+0:4=9)|f.c:1\n");
}

/* Though x races, no write of 9 can have been seen: T1's comes after M was
   given to it, and that of T2 has been overwritten before. */
static void
what_nobody_can_have_written_is_from_outside (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_note (&f.r, 2, X, 9, f.store);
  recording_note (&f.r, 2, X, 2, f.store);
  item (&f, 2, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 2, OMEN_ITEM_RELEASE, N, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, N, 0);
  recording_note (&f.r, 0, X, 9, f.load);
  item (&f, 0, OMEN_ITEM_RELEASE, N, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  recording_note (&f.r, 1, X, 9, f.store);
  recording_note (&f.r, 3, X, 3, f.store);
  assert_outside (&f, 1, 0);
}

/* It may be what others did last; but not those that were joined, and who waits
   has said so before. */
static void
what_came_from_outside_comes_after_all (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  plain (&f, 0, OMEN_ITEM_FORK, 1, 0);
  plain (&f, 0, OMEN_ITEM_FORK, 2, 0);
  recording_note (&f.r, 1, Y, 1, f.store);
  plain (&f, 0, OMEN_ITEM_JOIN, 1, 0);
  item (&f, 2, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 2, OMEN_ITEM_WAIT, C, 0);
  recording_part (&f.r, 2, M, recording_number (&f.r, M));
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  recording_note (&f.r, 0, X, 9, f.load);
  /* clang-format off */
  becomes (&f, "*|init(x+0:4=0)|\n"
               "T0|fork(T1)|\nT0|fork(T2)|\nT1|w(y+0:4=1)|f.c:2\n"
               IN_TURNS ("T2|acq(m)|\nT2|hb(outside)|\nT2|wait(c,m)|\n"
                             "T0|join(T1)|\n",
                             "T0|join(T1)|\nT2|acq(m)|\nT2|hb(outside)|\n"
                             "T2|wait(c,m)|\n")
               "T0|acq(m)|\nT0|ha(outside)|f.c:1\n"
               "T0|ext(x+0:4)|f.c:1\nT0|r(x+0:4=9)|f.c:1\n");
  /* clang-format on */
}

/* Such as what the library changes in a block of one thread's own. */
static void
what_is_private_changes_by_itself (void **state)
{
  recorded f;
  set_up (&f);
  recording_note (&f.r, 0, X, 1, f.store);
  item (&f, 1, OMEN_ITEM_ALLOC, 0x50000, 8);
  recording_note (&f.r, 1, 0x50000, 1, f.store);
  recording_note (&f.r, 1, 0x50000, 9, f.load);
  becomes (&f, "T0|w(x+0:4=1)|f.c:2\nT1|alloc(malloc,8)|\n"
               "T1|w(malloc+0:4=1)|f.c:2\nT1|ext(malloc+0:4)|f.c:1\n"
               "T1|r(malloc+0:4=9)|f.c:1\n");
}

/* Store buffers: no order explains both, one thread ends. Zeros were there, so
   nobody outside need have written them. */
static void
what_no_order_explains_has_no_value (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_zeros (&f.r, Y, 4);
  recording_note (&f.r, 0, X, 1, f.store);
  recording_note (&f.r, 0, Y, 0, f.load);
  recording_note (&f.r, 1, Y, 1, f.store);
  recording_note (&f.r, 1, X, 0, f.load);
  assert_outside (&f, 0, 1);
}

/* T0's second block lies over the first one, which T1 frees: whatever T1 does
   there comes before. Their numbers are of different shards. */
static void
memory_is_freed_before_it_is_given_again (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ALLOC, 0x50010, 64);
  plain (&f, 0, OMEN_ITEM_FORK, 1, 0);
  item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 256);
  recording_note (&f.r, 0, 0x50020, 7, f.store);
  plain (&f, 1, OMEN_ITEM_THREAD_BEGIN, 1, 0);
  recording_note (&f.r, 1, 0x50020, 9, f.store);
  item (&f, 1, OMEN_ITEM_FREE, 0x50010, 0);
  becomes (&f, "T0|alloc(malloc,64)|\nT0|fork(T1)|\n"
               "T1|w(malloc+16:4=9)|f.c:2\nT1|free(malloc)|\n"
               "T0|alloc(malloc,256)|\nT0|w(malloc+32:4=7)|f.c:2\n");
}

/* What nobody but the thread itself frees, and later, is in nobody's way. */
static void
memory_that_is_never_freed_is_not_waited_for (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  item (&f, 0, OMEN_ITEM_ALLOC, 0x50010, 64);
  item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 256);
  recording_note (&f.r, 0, 0x50020, 7, f.store);
  item (&f, 0, OMEN_ITEM_FREE, 0x50010, 0);
  recording_note (&f.r, 1, X, 0, f.load);
  assert_outside (&f, 0, 0);
}

/* Twice the same. When the first pair has been cut, nothing can be taken back,
   and nobody has done anything since, when the second one asks. */
static void
what_comes_right_after_a_cut_has_no_value (void **state)
{
  recorded f;
  set_up (&f);
  for (uint32_t t = 0; t < 4; t += 2) {
    uint64_t x = X + t * 0x1000, y = Y + t * 0x1000;
    recording_zeros (&f.r, x, 4);
    recording_zeros (&f.r, y, 4);
    recording_note (&f.r, t, x, 1, f.store);
    recording_note (&f.r, t, y, 0, f.load);
    recording_note (&f.r, t + 1, y, 1, f.store);
    recording_note (&f.r, t + 1, x, 0, f.load);
  }
  assert_outside (&f, 0, 2);
}

/* Nor is there one in which T0 reads 9 and then the 0 from before. */
static void
what_may_have_been_there_is_not_from_outside (void **state)
{
  recorded f;
  set_up (&f);
  recording_zeros (&f.r, X, 4);
  recording_note (&f.r, 1, X, 9, f.store);
  recording_note (&f.r, 1, X, 2, f.store);
  recording_note (&f.r, 0, X, 9, f.load);
  recording_note (&f.r, 0, X, 0, f.load);
  assert_outside (&f, 0, 1);
}

static void
a_missing_number_ends_the_trace (void **state)
{
  recorded f;
  omen_err err = { 0 };
  omen_trace *trace;
  set_up (&f);
  f.r.no_end = true;
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  recording_number (&f.r, M); /* the release is lost */
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  trace = recording_load (&f.r, &err);
  assert_non_null (trace);
  assert_int_equal (trace->events.count, 1);
  assert_int_equal (trace->rebuilt.ended, 1);
  assert_true (trace->flags & OMEN_TRACE_PARTIAL);
  assert_true (trace->warnings.count >= 2);
  omen_trace_free (trace);
  recording_fini (&f.r);
}

static void
time_decides_where_nothing_else_does (void **state)
{
  recorded f;
  set_up (&f);
  plain (&f, 0, OMEN_ITEM_TIME, 100, 0);
  recording_note (&f.r, 0, X, 1, f.store);
  plain (&f, 0, OMEN_ITEM_TIME, 300, 0);
  recording_note (&f.r, 0, X, 3, f.store);
  plain (&f, 1, OMEN_ITEM_TIME, 200, 0);
  recording_note (&f.r, 1, X, 2, f.store);
  becomes (&f, "T0|w(x+0:4=1)|f.c:2\nT1|w(x+0:4=2)|f.c:2\n"
               "T0|w(x+0:4=3)|f.c:2\n");
}

static void
one_log_is_its_own_order (void **state)
{
  recorded f;
  set_up (&f);
  f.r.one_log = true;
  plain (&f, 0, OMEN_ITEM_SWITCH, 4, 0);
  recording_note (&f.r, 0, X, 1, f.store);
  plain (&f, 0, OMEN_ITEM_SWITCH, 2, 0);
  recording_note (&f.r, 0, X, 1, f.load);
  becomes (&f, "T4|w(x+0:4=1)|f.c:2\nT2|r(x+0:4=1)|f.c:1\n");
}

/* ---- locks and the like ---- */

static void
recursive_locks_are_taken_once (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, OMEN_LOCK_RECURSIVE);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, OMEN_LOCK_RECURSIVE);
  item (&f, 0, OMEN_ITEM_RELEASE, M, OMEN_LOCK_RECURSIVE);
  recording_note (&f.r, 0, X, 1, f.store);
  item (&f, 0, OMEN_ITEM_RELEASE, M, OMEN_LOCK_RECURSIVE);
  becomes (&f, "T0|acq(m)|\nT0|w(x+0:4=1)|f.c:2\nT0|rel(m)|\n");
}

/* The release is numbered before the lock is free. */
static void
a_failed_try_comes_before_the_release (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 1, OMEN_ITEM_TRY_FAIL, M, 0);
  becomes (&f, "T0|acq(m)|\nT1|tryfail(m)|\nT0|rel(m)|\n");
}

/* The acquire is numbered after the lock was taken. */
static void
a_failed_try_comes_after_the_acquire (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 1, OMEN_ITEM_TRY_FAIL, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  becomes (&f, "T0|acq(m)|\nT1|tryfail(m)|\n");
}

static void
a_lock_made_again_is_another (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_LOCK_DESTROY, M, 0);
  item (&f, 0, OMEN_ITEM_LOCK_INIT, M, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|rel(m)|\nT1|acq(m~1)|\n");
}

static void
destroying_a_held_lock_is_told (void **state)
{
  recorded f;
  set_up (&f);
  f.r.shared_only = true;
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_LOCK_DESTROY, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|destroy(m)|\n");
}

/* Who makes or destroys it writes a byte that others read: of those reads the
   first and the last matter, and none if nobody writes. */
static void
uses_are_told_where_they_conflict (void **state)
{
  recorded f;
  set_up (&f);
  f.r.shared_only = true;
  recording_module (&f.r, 0x100000, "/bin/prog", true);
  item (&f, 0, OMEN_ITEM_LOCK_INIT, M, 0);
  for (unsigned i = 0; i < 3; i++) {
    item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
    item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  }
  item (&f, 0, OMEN_ITEM_LOCK_DESTROY, M, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, N, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, N, 0);
  becomes (&f, "T0|w(m+40:1=0)|\nT1|ar.rlx(m+40:1=0)|\nT1|acq(m)|\n"
               "T1|rel(m)|\nT1|acq(m)|\nT1|rel(m)|\nT1|acq(m)|\n"
               "T1|ar.rlx(m+40:1=0)|\nT1|rel(m)|\nT0|w.gone(m+40:1=1)|\n"
               "T0|acq(n)|\nT0|rel(n)|\n");
}

/* It did have it, as far as it knows. */
static void
who_was_robbed_gives_up_its_own (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T0|acq(m)|\nT1|rel(m)|\nT0|rel(m)|\n");
}

/* It is still the same lock. */
static void
destroying_may_fail (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_LOCK_DESTROY, M, OMEN_LOCK_ERROR);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|destroy(m)|\nT0|rel(m)|\n");
}

/* Of two blocks with one name, each with a lock at its end, one is freed while
   the lock of the other is held; then that one, too. */
static void
locks_end_with_their_own_block (void **state)
{
  recorded f;
  set_up (&f);
  for (unsigned i = 0; i < 2; i++) {
    item (&f, 0, OMEN_ITEM_ALLOC, 0x50000 + 0x100 * i, 48);
    item (&f, 0, OMEN_ITEM_ACQUIRE, 0x50000 + 0x100 * i + 8, 0);
    item (&f, 0, OMEN_ITEM_RELEASE, 0x50000 + 0x100 * i + 8, 0);
  }
  item (&f, 0, OMEN_ITEM_ACQUIRE, 0x50008, 0);
  item (&f, 0, OMEN_ITEM_FREE, 0x50100, 0);
  item (&f, 0, OMEN_ITEM_FREE, 0x50000, 0);
  becomes (&f, "T0|alloc(malloc,48)|\nT0|acq(malloc+8)|\nT0|rel(malloc+8)|\n"
               "T0|alloc(malloc,48)|\nT0|acq(malloc+8~1)|\n"
               "T0|rel(malloc+8~1)|\nT0|acq(malloc+8)|\nT0|free(malloc)|\n"
               "T0|destroy(malloc+8)|\nT0|free(malloc~0)|\n");
}

static void
wakes_without_notify_are_spurious (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  for (unsigned i = 0; i < 3; i++) {
    item (&f, 0, OMEN_ITEM_WAIT, C, 0);
    recording_part (&f.r, 0, M, recording_number (&f.r, M));
    if (!i)
      item (&f, 1, OMEN_ITEM_NOTIFY, C, 0);
    item (&f, 0, OMEN_ITEM_WAKE, C, i == 2 ? OMEN_LOCK_TIMEOUT : 0);
    recording_part (&f.r, 0, M, recording_number (&f.r, M));
  }
  becomes (&f, "T0|acq(m)|\nT0|wait(c,m)|\nT1|notify(c)|\n"
               "T0|wake(c,m)|\nT0|wait(c,m)|\nT0|wake(c,m,spurious)|\n"
               "T0|wait(c,m)|\nT0|wake(c,m,timeout)|\n");
}

/* Something between wait and wake: a signal handler. */
static void
a_handler_splits_a_wait (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_WAIT, C, OMEN_LOCK_TIMEOUT);
  recording_part (&f.r, 0, M, recording_number (&f.r, M));
  plain (&f, 0, OMEN_ITEM_SIGNAL_BEGIN, 10, 0);
  recording_note (&f.r, 0, X, 1, f.store);
  plain (&f, 0, OMEN_ITEM_SIGNAL_END, 10, 0);
  item (&f, 0, OMEN_ITEM_WAKE, C, OMEN_LOCK_TIMEOUT);
  recording_part (&f.r, 0, M, recording_number (&f.r, M));
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|rel(m)|\nT0|w(x+0:4=1)|f.c:2\n"
               "T0|acq(m)|\nT0|rel(m)|\n");
}

static void
semaphores_and_barriers (void **state)
{
  recorded f;
  set_up (&f);
  item (&f, 0, OMEN_ITEM_SEM_INIT, S, 1);
  item (&f, 0, OMEN_ITEM_SEM_DOWN, S, 0);
  item (&f, 1, OMEN_ITEM_SEM_FAIL, S, 0);
  item (&f, 1, OMEN_ITEM_SEM_UP, S, 0);
  item (&f, 0, OMEN_ITEM_ARRIVE, C, 2);
  item (&f, 1, OMEN_ITEM_ARRIVE, C, 2);
  item (&f, 0, OMEN_ITEM_DEPART, C, 0);
  item (&f, 1, OMEN_ITEM_DEPART, C, 0);
  /* clang-format off */
  becomes (&f, "T0|seminit(s,1)|\nT0|down(s)|\n"
               IN_TURNS ("T1|semfail(s)|\nT1|up(s)|\nT0|arrive(c,2)|\n",
                             "T0|arrive(c,2)|\nT1|semfail(s)|\nT1|up(s)|\n")
               "T1|arrive(c,2)|\n"
               "T0|depart(c)|\nT1|depart(c)|\n");
  /* clang-format on */
}

/* A lock that code takes which is not woven guards what nobody sees. */
static void
boxes_keep_their_order (void **state)
{
  recorded f;
  set_up (&f);
  recording_module (&f.r, 0x100000, "/bin/prog", true);
  recording_module (&f.r, 0x200000, "/lib/libqueue.so", false);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  recording_item (&f.r, 1, OMEN_ITEM_ACQUIRE, M, recording_number (&f.r, M), 0,
                  0x200010);
  item (&f, 1, OMEN_ITEM_WAIT, C, 0);
  recording_part (&f.r, 1, M, recording_number (&f.r, M));
  item (&f, 1, OMEN_ITEM_WAKE, C, OMEN_LOCK_TIMEOUT);
  recording_part (&f.r, 1, M, recording_number (&f.r, M));
  item (&f, 0, OMEN_ITEM_SEM_UP, S, 0);
  recording_item (&f.r, 1, OMEN_ITEM_SEM_DOWN, S, recording_number (&f.r, S), 0,
                  0x200010);
  /* clang-format off */
  becomes (&f, "T0|acq(m)|\nT0|ha(m)|\nT0|rel(m)|\nT0|hb(m)|\n"
               IN_TURNS ("", "T0|up(s)|\nT0|hb(s)|\n")
               "T1|acq(m)|libqueue.so+0x10\nT1|ha(m)|libqueue.so+0x10\n"
               "T1|hb(m)|\nT1|wait(c,m)|\n"
               IN_TURNS ("T0|up(s)|\nT0|hb(s)|\n", "")
               "T1|wake(c,m,timeout)|\nT1|ha(m)|\n"
               "T1|down(s)|libqueue.so+0x10\nT1|ha(s)|libqueue.so+0x10\n");
  /* clang-format on */
}

/* ---- memory ---- */

static void
blocks_are_instances (void **state)
{
  recorded f;
  set_up (&f);
  for (unsigned i = 0; i < 2; i++) {
    item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 8);
    recording_note (&f.r, 0, 0x50004, i, f.store);
    item (&f, 0, OMEN_ITEM_FREE, 0x50000, 0);
  }
  recording_note (&f.r, 0, 0x50004, 1, f.load);
  becomes (&f, "T0|alloc(malloc,8)|\nT0|w(malloc+4:4=0)|f.c:2\n"
               "T0|free(malloc)|\nT0|alloc(malloc,8)|\n"
               "T0|w(malloc+4:4=1)|f.c:2\nT0|free(malloc)|\n"
               "T0|r(malloc+4:4=1)|f.c:1\n");
}

/* The dynamic linker maps a library where the program had a mapping: what is
   read there is not the program's any more. */
static void
libraries_come_where_mappings_were (void **state)
{
  recorded f;
  set_up (&f);
  recording_module (&f.r, 0x50000, "/lib/libloaded.so", false);
  item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 4096);
  recording_note (&f.r, 0, 0x50004, 1, f.store);
  item (&f, 0, OMEN_ITEM_FREE, 0x50000, 0);
  recording_note (&f.r, 0, 0x50004, 7, f.load);
  becomes (&f, "T0|alloc(malloc,4096)|\nT0|w(malloc+4:4=1)|f.c:2\n"
               "T0|free(malloc)|\nT0|ext(libloaded.so+4:4)|f.c:1\n"
               "T0|r(libloaded.so+4:4=7)|f.c:1\n");
}

/* Nobody saw why, or when, code that is not woven frees or copies. */
static void
calls_of_libraries_keep_their_place (void **state)
{
  static const uint64_t pcs[] = { 0x100010, 0x200010, 0x300010 };
  recorded f;
  set_up (&f);
  recording_module (&f.r, 0x100000, "/bin/prog", true);
  recording_module (&f.r, 0x200000, "/lib/libstdc++.so.6", false);
  recording_module (&f.r, 0x300000, "/lib/libother.so", false);
  for (unsigned i = 0; i < 3; i++) {
    item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 8);
    recording_item (&f.r, 0, OMEN_ITEM_RANGE_WRITE, 0x50000, 0, 4, pcs[i]);
    recording_part (&f.r, 0, 7, 0);
    recording_item (&f.r, 0, OMEN_ITEM_FREE, 0x50000,
                    recording_number (&f.r, 0x50000), 0, pcs[i]);
  }
  becomes (&f, "T0|alloc(malloc,8)|\nT0|w(malloc+0:4=7)|prog+0x10\n"
               "T0|free(malloc)|prog+0x10\n"
               "T0|alloc(malloc,8)|\nT0|w(malloc+0:4=7)|libstdc++.so.6+0x10\n"
               "T0|ext(malloc)|libstdc++.so.6+0x10\n"
               "T0|alloc(malloc,8)|\nT0|ext(malloc+0:4)|libother.so+0x10\n"
               "T0|ext(malloc)|libother.so+0x10\n");
}

/* What was stored says which block was meant, also when that is gone. */
static void
pointers_lead_to_instances (void **state)
{
  recorded f;
  omen_site *store, *load;
  set_up (&f);
  store = recording_site (&f.r, OMEN_SITE_STORE, 8, "f.c", 8);
  load = recording_site (&f.r, OMEN_SITE_LOAD, 8, "f.c", 9);
  for (unsigned i = 0; i < 2; i++) {
    item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 8);
    recording_note (&f.r, 0, Y + 8 * i, 0x50004, store);
    item (&f, 0, OMEN_ITEM_FREE, 0x50000, 0);
  }
  recording_note (&f.r, 0, Y, 0x50004, load);
  recording_note (&f.r, 0, Y + 8, 0x50004, load);
  recording_note (&f.r, 0, Y, 0x50008, store); /* its end */
  recording_note (&f.r, 0, Y, 0x50008, load);
  recording_note (&f.r, 0, Y, 0x50009, store); /* nobody's */
  recording_note (&f.r, 0, Y, 0x50009, load);
  becomes (&f, "T0|alloc(malloc,8)|\nT0|w(y+0:8=&malloc+4)|f.c:8\n"
               "T0|free(malloc)|\nT0|alloc(malloc,8)|\n"
               "T0|w(y+8:8=&malloc+4)|f.c:8\nT0|free(malloc)|\n"
               "T0|r(y+0:8=&malloc~0+4)|f.c:9\n"
               "T0|r(y+8:8=&malloc+4)|f.c:9\n"
               "T0|w(y+0:8=&malloc+8)|f.c:8\n"
               "T0|r(y+0:8=&malloc+8)|f.c:9\n"
               "T0|w(y+0:8=327689)|f.c:8\nT0|r(y+0:8=327689)|f.c:9\n");
}

/* Half of a pointer, written or read by itself, is bits: not compared. */
static void
halves_of_pointers_are_bits (void **state)
{
  recorded f;
  omen_site *store, *swap;
  set_up (&f);
  store = recording_site (&f.r, OMEN_SITE_STORE, 8, "f.c", 8);
  swap = recording_site (&f.r, OMEN_SITE_ATOMIC_RMW, 8, "f.c", 9);
  item (&f, 0, OMEN_ITEM_ALLOC, 0x50000, 8);
  recording_note (&f.r, 0, Y, 0x50000, store);
  recording_note (&f.r, 0, Y, 0x50000, f.load);
  recording_note (&f.r, 0, Y, 0x50000, f.store);
  recording_item (&f.r, 0, OMEN_ITEM_ATOMIC, Y, 2, swap->id, 0);
  recording_part (&f.r, 0, 0x50000, 0x50001);
  becomes (&f, "T0|alloc(malloc,8)|\nT0|w(y+0:8=&malloc)|f.c:8\n"
               "T0|r(y+0:4=327680)|f.c:1\nT0|w(y+0:4=327680)|f.c:2\n"
               "T0|rmw(y+0:8=&malloc:&malloc+1)|f.c:9\n");
}

static void
locals_end_with_their_function (void **state)
{
  recorded f;
  set_up (&f);
  plain (&f, 0, OMEN_ITEM_THREAD_BEGIN, 0, 0);
  recording_part (&f.r, 0, 0x70000, 0x80000);
  recording_note (&f.r, 0, 1, 0, f.enter);
  recording_note (&f.r, 0, 0x70100, 4, f.local);
  recording_note (&f.r, 0, 0x70100, 5, f.store);
  recording_note (&f.r, 0, 0x70200, 5, f.store); /* nobody's */
  recording_note (&f.r, 0, 2, 0, f.enter);
  recording_note (&f.r, 0, 1, 0, f.landed);
  recording_note (&f.r, 0, 1, 0, f.leave);
  becomes (&f, "T0|enter(f)|f.c:3\nT0|alloc(local@f,4)|f.c:6\n"
               "T0|w(local@f+0:4=5)|f.c:2\nT0|enter(f)|f.c:3\n"
               "T0|exit(f)|f.c:5\nT0|free(local@f)|f.c:4\n"
               "T0|exit(f)|f.c:4\n");
}

/* Depths may be told from the innermost function that was not inlined, by some
   notes and not by others; of one that was entered before the recording began
   nothing is known. */
static void
inlined_functions_are_inside_others (void **state)
{
  recorded f;
  set_up (&f);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.inlined);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.leave);
  recording_note (&f.r, 0, 5, 0, f.enter);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.inlined);
  recording_note (&f.r, 0, 7, 0, f.inlined); /* in it */
  recording_note (&f.r, 0, 8, 0, f.enter);
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 1, 0, f.inlined);
  recording_note (&f.r, 0, 8, 0, f.leave); /* both */
  recording_note (&f.r, 0, OMEN_DEPTH_INNER + 2, 0, f.leave);
  recording_note (&f.r, 0, 6, 0, f.leave);
  recording_note (&f.r, 0, 5, 0, f.leave);
  becomes (&f, "T0|enter(g)|f.c:7\nT0|exit(g)|f.c:4\n"
               "T0|enter(f)|f.c:3\nT0|enter(g)|f.c:7\nT0|enter(g)|f.c:7\n"
               "T0|enter(f)|f.c:3\nT0|enter(g)|f.c:7\n"
               "T0|exit(g)|f.c:4\nT0|exit(f)|f.c:4\n"
               "T0|exit(g)|f.c:4\nT0|exit(g)|f.c:4\nT0|exit(f)|f.c:4\n");
}

/* Each thread has its own, also at the same address; others may use them. */
static void
thread_locals_are_variables (void **state)
{
  recorded f;
  set_up (&f);
  for (uint32_t t = 1; t < 3; t++) {
    plain (&f, 0, OMEN_ITEM_FORK, t, 0);
    plain (&f, t, OMEN_ITEM_THREAD_BEGIN, t, 0);
    recording_part (&f.r, t, 0x70000, 0x80000);
    recording_part (&f.r, t, 0x7f000, 0x7f800);
    recording_note (&f.r, t, 0x7f010, 5 + t, f.store);
    recording_note (&f.r, t, 0x7eff0, 5, f.store); /* nobody's */
    item (&f, t, OMEN_ITEM_HAPPENS_BEFORE, X, 0);
    item (&f, 0, OMEN_ITEM_HAPPENS_AFTER, X, 0);
    recording_note (&f.r, 0, 0x7f010, 5 + t, f.load);
    plain (&f, t, OMEN_ITEM_THREAD_END, t, 0);
    plain (&f, 0, OMEN_ITEM_JOIN, t, 0);
  }
  becomes (&f, "T0|fork(T1)|\nT1|alloc(tls@T1,2048)|\n"
               "T1|w(tls@T1+16:4=6)|f.c:2\nT1|hb(x)|\nT0|ha(x)|\n"
               "T0|r(tls@T1+16:4=6)|f.c:1\nT0|join(T1)|\n"
               "T0|fork(T2)|\nT2|alloc(tls@T2,2048)|\n"
               "T2|w(tls@T2+16:4=7)|f.c:2\nT2|hb(x)|\nT0|ha(x)|\n"
               "T0|r(tls@T2+16:4=7)|f.c:1\nT0|join(T2)|\n");
}

/* … by the name of their file, and apart from orders of the program. */
static void
libraries_may_order (void **state)
{
  recorded f;
  set_up (&f);
  recording_module (&f.r, 0x100000, "/bin/prog", true);
  recording_module (&f.r, 0x200000, "/lib/libspin.so.1", false);
  plain (&f, 0, OMEN_ITEM_FORK, 1, 0);
  plain (&f, 1, OMEN_ITEM_THREAD_BEGIN, 1, 0);
  item (&f, 0, OMEN_ITEM_HAPPENS_BEFORE, 0x200000, OMEN_ORDER_LIBRARY);
  item (&f, 0, OMEN_ITEM_HAPPENS_BEFORE, X, 0);
  item (&f, 1, OMEN_ITEM_HAPPENS_AFTER, 0x200000, OMEN_ORDER_LIBRARY);
  item (&f, 1, OMEN_ITEM_HAPPENS_AFTER, X, 0);
  becomes (&f, "T0|fork(T1)|\nT0|hb(libspin.so.1,maybe)|\nT0|hb(x)|\n"
               "T1|ha(libspin.so.1,maybe)|\nT1|ha(x)|\n");
}

static void
ranges_come_in_words (void **state)
{
  recorded f;
  set_up (&f);
  plain (&f, 0, OMEN_ITEM_RANGE_WRITE, Y + 4, 10);
  recording_part (&f.r, 0, 0x0807060504030201, 0x0a09);
  becomes (&f, "T0|w(y+4:4=67305985)|\nT0|w(y+8:6=11033905661445)|\n");
}

static void
ignored_writes_come_from_outside (void **state)
{
  recorded f;
  set_up (&f);
  plain (&f, 0, OMEN_ITEM_IGNORE_BEGIN, 0, 0);
  recording_note (&f.r, 0, X, 1, f.store);
  recording_note (&f.r, 0, X, 1, f.load);
  plain (&f, 0, OMEN_ITEM_IGNORE_END, 0, 0);
  recording_note (&f.r, 0, X, 1, f.load);
  becomes (&f, "T0|ext(x+0:4)|f.c:2\nT0|r(x+0:4=1)|f.c:1\n");
}

static void
atomics_keep_their_order (void **state)
{
  recorded f;
  omen_site *load, *add;
  set_up (&f);
  load = recording_site (&f.r, OMEN_SITE_ATOMIC_LOAD, 4, "f.c", 8);
  add = recording_site (&f.r, OMEN_SITE_ATOMIC_RMW, 4, "f.c", 9);
  recording_zeros (&f.r, X, 4);
  /* T1 read what was there before T0 added, and again what is there now */
  recording_item (&f.r, 0, OMEN_ITEM_ATOMIC, X, 2, add->id, 0);
  recording_part (&f.r, 0, 0, 0);
  recording_item (&f.r, 1, OMEN_ITEM_ATOMIC, X, 0, load->id, 0);
  recording_part (&f.r, 1, 0, 0);
  recording_item (&f.r, 1, OMEN_ITEM_ATOMIC, X, 2, load->id, 0);
  recording_part (&f.r, 1, 0, 0);
  becomes (&f, "*|init(x+0:4=0)|\n"
               "T1|ar(x+0:4=0)|f.c:8\nT0|rmw(x+0:4=0:0)|f.c:9\n"
               "T1|ar(x+0:4=0)|f.c:8\n");
}

/* No recorder makes them. */
static void
odd_numbers_are_survived (void **state)
{
  recorded f;
  omen_err err = { 0 };
  omen_trace *trace;
  omen_site *load, *add;
  set_up (&f);
  load = recording_site (&f.r, OMEN_SITE_ATOMIC_LOAD, 4, "f.c", 8);
  add = recording_site (&f.r, OMEN_SITE_ATOMIC_RMW, 4, "f.c", 9);
  recording_item (&f.r, 0, OMEN_ITEM_ATOMIC, X, 2, add->id, 0);
  recording_part (&f.r, 0, 0, 0);
  recording_item (&f.r, 0, OMEN_ITEM_ATOMIC, X, 1, load->id, 0);
  recording_part (&f.r, 0, 0, 0);
  trace = recording_load (&f.r, &err);
  assert_non_null (trace);
  omen_trace_free (trace);
  recording_fini (&f.r);
}

static void
private_memory_is_left_out (void **state)
{
  recorded f;
  set_up (&f);
  f.r.shared_only = true;
  recording_zeros (&f.r, X, 4);
  recording_note (&f.r, 0, X, 1, f.store);
  recording_note (&f.r, 0, X, 1, f.load);
  recording_note (&f.r, 0, Y, 1, f.store);
  recording_note (&f.r, 0, Y + 8, 1, f.store);
  recording_note (&f.r, 1, Y + 8, 1, f.load);
  /* of memory that is not known, the first read tells what was there */
  becomes (&f, IN_TURNS ("T1|r(y+8:4=1)|f.c:1\nT0|w(y+8:4=1)|f.c:2\n",
                         "T0|w(y+8:4=1)|f.c:2\nT1|r(y+8:4=1)|f.c:1\n"));
}

/* ---- what makes no sense ---- */

static void
refused (recorded *f, const char *why)
{
  omen_err err = { 0 };
  omen_trace *trace = recording_load (&f->r, &err);
  assert_null (trace);
  if (!strstr (err.what, why))
    print_error ("%s\n", err.what);
  assert_non_null (strstr (err.what, why));
  recording_fini (&f->r);
}

static void
bad_notes_are_refused (void **state)
{
  recorded f;
  set_up (&f);
  recording_part (&f.r, 0, 1, 2);
  refused (&f, "note 0 of thread 0 is not well formed");
  set_up (&f);
  plain (&f, 0, OMEN_ITEM_RANGE_READ, X, 8); /* without its bytes */
  refused (&f, "note 0 of thread 0 is not well formed");
  set_up (&f);
  recording_note (&f.r, 0, X, 1, f.load);
  f.load->id = 1000;
  refused (&f, "note 0 of thread 0 has a site that does not exist");
}

UNIT_MAIN (
    UNIT (numbers_order_threads), UNIT (failed_tries_have_a_place),
    UNIT (early_tries_wait_for_the_lock), UNIT (early_tries_of_two_threads),
    UNIT (reads_wait_for_their_value), UNIT (late_reads_go_back),
    UNIT (reads_do_not_go_back_to_the_unknown),
    UNIT (what_was_overwritten_too_early_is_a_cut),
    UNIT (what_nobody_wrote_came_from_outside),
    UNIT (what_nobody_can_have_written_is_from_outside),
    UNIT (what_came_from_outside_comes_after_all),
    UNIT (what_is_private_changes_by_itself),
    UNIT (what_no_order_explains_has_no_value),
    UNIT (what_comes_right_after_a_cut_has_no_value),
    UNIT (memory_is_freed_before_it_is_given_again),
    UNIT (memory_that_is_never_freed_is_not_waited_for),
    UNIT (what_may_have_been_there_is_not_from_outside),
    UNIT (a_missing_number_ends_the_trace),
    UNIT (time_decides_where_nothing_else_does),
    UNIT (one_log_is_its_own_order), UNIT (recursive_locks_are_taken_once),
    UNIT (a_failed_try_comes_before_the_release),
    UNIT (a_failed_try_comes_after_the_acquire),
    UNIT (a_lock_made_again_is_another), UNIT (destroying_a_held_lock_is_told),
    UNIT (uses_are_told_where_they_conflict),
    UNIT (who_was_robbed_gives_up_its_own), UNIT (destroying_may_fail),
    UNIT (locks_end_with_their_own_block),
    UNIT (wakes_without_notify_are_spurious), UNIT (a_handler_splits_a_wait),
    UNIT (semaphores_and_barriers), UNIT (boxes_keep_their_order),
    UNIT (blocks_are_instances), UNIT (calls_of_libraries_keep_their_place),
    UNIT (pointers_lead_to_instances), UNIT (halves_of_pointers_are_bits),
    UNIT (locals_end_with_their_function),
    UNIT (inlined_functions_are_inside_others),
    UNIT (thread_locals_are_variables), UNIT (libraries_may_order),
    UNIT (libraries_come_where_mappings_were), UNIT (ranges_come_in_words),
    UNIT (ignored_writes_come_from_outside), UNIT (atomics_keep_their_order),
    UNIT (odd_numbers_are_survived), UNIT (private_memory_is_left_out),
    UNIT (bad_notes_are_refused))
