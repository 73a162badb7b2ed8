/* Recordings whose beginning was overwritten: where they begin, and what is
   told of the state there. */
#include "unit.h"

#include "recording_file.h"

#include "recording/rebuild.h"
#include "trace/text.h"
#include "trace/wellformed.h"

#include <stdio.h>

enum { X = 0x10000, M = 0x20000, C = 0x21000, S = 0x22000, B = 0x23000 };

typedef struct fixture {
  recording r;
  omen_site *load, *store;
} fixture;

/* What comes first is one chunk that is lost. */
static void
set_up (fixture *f, bool one_log)
{
  recording *r = &f->r;
  recording_init (r);
  r->one_log = one_log;
  r->flags = OMEN_RECORDING_RING | (one_log ? OMEN_RECORDING_EXACT : 0);
  r->chunk = 1;
  recording_object (r, X, 4, "x");
  recording_object (r, M, 40, "m");
  recording_object (r, C, 48, "c");
  recording_object (r, S, 32, "s");
  recording_object (r, B, 32, "b");
}

static void
add_accesses (fixture *f)
{
  f->load = recording_site (&f->r, OMEN_SITE_LOAD, 4, "f.c", 1);
  f->store = recording_site (&f->r, OMEN_SITE_STORE, 4, "f.c", 2);
}

static void
item (fixture *f, uint32_t t, unsigned kind, uint64_t object, uint64_t arg)
{
  recording_item (&f->r, t, kind, object, recording_number (&f->r, object), arg,
                  0);
}

/* The log goes on with this thread. */
static void
as (fixture *f, uint32_t t)
{
  recording_item (&f->r, t, OMEN_ITEM_SWITCH, t, 0, 0, 0);
}

/* A wait or wake, of C with M. */
static void
waiting (fixture *f, uint32_t t, unsigned kind)
{
  uint64_t lock = recording_number (&f->r, M);
  item (f, t, kind, C, 0);
  recording_part (&f->r, t, M, lock);
}

static omen_trace *
loaded (fixture *f)
{
  omen_err err = { 0 };
  omen_trace *trace = recording_load (&f->r, &err);
  if (!trace || !omen_wellformed (trace, NULL, &err))
    print_error ("%s\n", err.what);
  assert_non_null (trace);
  assert_false (err.set);
  recording_fini (&f->r);
  return trace;
}

static void
becomes (fixture *f, const char *expected)
{
  omen_trace *trace = loaded (f);
  omen_err err = { 0 };
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream (&text, &size);
  assert_true (omen_text_write (trace, out, &err));
  fclose (out);
  assert_string_equal (text, expected);
  assert_true (trace->rebuilt.before);
  free (text);
  omen_trace_free (trace);
}

/* ---- one log ---- */

static void
lose_one_log (fixture *f)
{
  set_up (f, true);
  as (f, 0);
  item (f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  f->r.lost[0] = f->r.notes[0].count;
}

static void
a_log_begins_where_its_thread_is_known (void **state)
{
  fixture f;
  lose_one_log (&f);
  add_accesses (&f);
  recording_zeros (&f.r, X, 4); /* long ago */
  recording_note (&f.r, 0, X, 1, f.store);
  as (&f, 1);
  recording_note (&f.r, 1, X, 7, f.load);
  as (&f, 0);
  recording_note (&f.r, 0, X, 8, f.store);
  becomes (&f, "T1|r(x+0:4=7)|f.c:1\nT0|w(x+0:4=8)|f.c:2\n");
}

static void
who_gives_a_lock_up_had_it (void **state)
{
  fixture f;
  lose_one_log (&f);
  as (&f, 1);
  item (&f, 1, OMEN_ITEM_TRY_FAIL, M, 0);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  as (&f, 1);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|hb(start)|\nT1|ha(start)|\nT0|ha(start)|\n"
               "T1|tryfail(m)|\nT0|rel(m)|\nT1|acq(m)|\nT1|rel(m)|\n");
}

static void
depths_and_readers_are_known_by_their_end (void **state)
{
  fixture f;
  lose_one_log (&f);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, OMEN_LOCK_RECURSIVE);
  item (&f, 0, OMEN_ITEM_RELEASE, M, OMEN_LOCK_RECURSIVE);
  item (&f, 0, OMEN_ITEM_RELEASE, M, OMEN_LOCK_RECURSIVE);
  item (&f, 0, OMEN_ITEM_READ_RELEASE, S, OMEN_LOCK_RW);
  as (&f, 1);
  item (&f, 1, OMEN_ITEM_READ_ACQUIRE, S, OMEN_LOCK_RW);
  item (&f, 1, OMEN_ITEM_READ_RELEASE, S, OMEN_LOCK_RW);
  item (&f, 1, OMEN_ITEM_READ_RELEASE, S, OMEN_LOCK_RW);
  becomes (&f, "T0|acq(m)|\nT0|hb(start)|\nT0|racq(s)|\nT0|hb(start)|\n"
               "T1|racq(s)|\nT1|hb(start)|\nT0|ha(start)|\nT1|ha(start)|\n"
               "T0|rel(m)|\nT0|rrel(s)|\nT1|rrel(s)|\n");
}

/* Made after the start: it cannot have had it. */
static void
a_new_thread_has_nothing (void **state)
{
  fixture f;
  lose_one_log (&f);
  as (&f, 0);
  recording_item (&f.r, 0, OMEN_ITEM_FORK, 1, 0, 0, 0);
  as (&f, 1);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  becomes (&f, "T0|fork(T1)|\nT1|hb(m)|\nT0|acq(m)|\nT0|ha(m)|\n");
}

static void
a_wake_keeps_the_order_of_its_condition (void **state)
{
  fixture f;
  lose_one_log (&f);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_NOTIFY, C, 0);
  as (&f, 1);
  waiting (&f, 1, OMEN_ITEM_WAKE);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T0|ha(c)|\nT0|hb(c)|\nT1|ha(c)|\nT1|acq(m)|\nT1|hb(c)|\n"
               "T1|rel(m)|\n");
}

static void
barriers_and_semaphores_in_use_keep_their_order (void **state)
{
  fixture f;
  lose_one_log (&f);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_ARRIVE, B, 2);
  as (&f, 1);
  item (&f, 1, OMEN_ITEM_DEPART, B, 0);
  item (&f, 1, OMEN_ITEM_SEM_FAIL, S, 0);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_SEM_UP, S, 0);
  becomes (&f, "T0|ha(b)|\nT0|hb(b)|\nT1|ha(b)|\nT1|hb(b)|\n"
               "T1|ha(s)|\nT1|hb(s)|\nT0|ha(s)|\nT0|hb(s)|\n");
}

static void
what_is_freed_had_uses (void **state)
{
  fixture f;
  enum { OLD = 0x555000 };
  lose_one_log (&f);
  add_accesses (&f);
  as (&f, 1);
  recording_note (&f.r, 1, OLD + 8, 3, f.load);
  as (&f, 0);
  item (&f, 0, OMEN_ITEM_FREE, OLD, 24);
  becomes (&f, "T1|r(mem@550000+20488:4=3)|f.c:1\n"
               "T0|ext(mem@550000+20480:24)|\n");
}

/* ---- marks ---- */

static void
lose_threads (fixture *f)
{
  set_up (f, false);
  item (f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  item (f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  item (f, 1, OMEN_ITEM_RELEASE, M, 0);
  for (uint32_t t = 0; t < 2; t++)
    f->r.lost[t] = f->r.notes[t].count;
  recording_mark (&f->r);
}

/* What threads note first after a mark may be old, unless something newer has a
   lower number. */
static void
go_on (fixture *f)
{
  for (uint32_t t = 0; t < 2; t++)
    item (f, t, OMEN_ITEM_HAPPENS_BEFORE, 0x30000 + 0x1000 * t, 0);
}

static void
threads_begin_at_the_second_mark (void **state)
{
  fixture f;
  lose_threads (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  recording_mark (&f.r);
  go_on (&f);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|hb(start)|\nT0|ha(start)|\nT1|ha(start)|\n"
               "T0|rel(m)|\nT1|acq(m)|\n");
}

/* T1 was asked a little later than T0, and had gone on. */
static void
numbers_before_the_mark_are_not_passed (void **state)
{
  fixture f;
  uint64_t release;
  lose_threads (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  release = recording_number (&f.r, M);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  recording_mark (&f.r);
  go_on (&f);
  recording_item (&f.r, 0, OMEN_ITEM_RELEASE, M, release, 0, 0);
  item (&f, 0, OMEN_ITEM_SEM_UP, S, 0);
  item (&f, 1, OMEN_ITEM_RELEASE, M, 0);
  becomes (&f, "T1|acq(m)|\nT1|hb(start)|\nT0|ha(start)|\nT1|ha(start)|\n"
               "T0|up(s)|\nT1|rel(m)|\n");
}

/* T0 had its number and was not heard of until after the mark; what T1 did
   meanwhile is lost. */
static void
a_number_from_long_ago_is_before_the_start (void **state)
{
  fixture f;
  uint64_t old;
  set_up (&f, false);
  item (&f, 0, OMEN_ITEM_SEM_UP, S, 0);
  old = recording_number (&f.r, M);
  item (&f, 1, OMEN_ITEM_TRY_FAIL, M, 0);
  for (uint32_t t = 0; t < 2; t++)
    f.r.lost[t] = f.r.notes[t].count;
  recording_mark (&f.r);
  recording_mark (&f.r);
  recording_item (&f.r, 0, OMEN_ITEM_ACQUIRE, M, old, 0, 0);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  item (&f, 1, OMEN_ITEM_ACQUIRE, M, 0);
  becomes (&f, "T0|acq(m)|\nT0|hb(start)|\nT0|ha(start)|\nT1|ha(start)|\n"
               "T0|rel(m)|\nT1|acq(m)|\n");
}

static void
uses_nothing (fixture *f)
{
  omen_trace *trace = loaded (f);
  const char *warning;
  assert_int_equal (trace->events.count, 0);
  assert_true (trace->warnings.count);
  warning = omen_names_text (&trace->strings, trace->warnings.data[0]);
  assert_non_null (strstr (warning, "no safepoint to begin at"));
  omen_trace_free (trace);
}

static void
one_mark_is_not_enough (void **state)
{
  fixture f;
  lose_threads (&f);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  uses_nothing (&f);
}

static void
accesses_have_no_moment (void **state)
{
  fixture f;
  lose_threads (&f);
  add_accesses (&f);
  recording_mark (&f.r);
  recording_note (&f.r, 0, X, 1, f.store);
  uses_nothing (&f);
}

static void
what_came_after_a_mark_must_be_there (void **state)
{
  fixture f;
  lose_threads (&f);
  recording_mark (&f.r);
  item (&f, 0, OMEN_ITEM_ACQUIRE, M, 0);
  f.r.lost[0] = f.r.notes[0].count;
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  uses_nothing (&f);
}

/* ---- moments ---- */

enum { Y = X + 8, ROW = 0x40000 };

static void
lose_accesses (fixture *f)
{
  set_up (f, false);
  recording_object (&f->r, Y, 4, "y");
  add_accesses (f);
  for (uint32_t t = 0; t < 2; t++) {
    recording_note (&f->r, t, X, 3, f->store);
    f->r.lost[t] = f->r.notes[t].count;
  }
  recording_safepoint (&f->r);
}

static void
a_read_tells_what_was_there (void **state)
{
  fixture f;
  lose_accesses (&f);
  recording_note (&f.r, 1, X, 6, f.store);
  recording_note (&f.r, 0, X, 5, f.load);
  becomes (&f, "T0|r(x+0:4=5)|f.c:1\nT1|w(x+0:4=6)|f.c:2\n");
}

static void
a_read_may_have_seen_what_comes_later (void **state)
{
  fixture f;
  lose_accesses (&f);
  recording_note (&f.r, 0, X, 5, f.load);
  recording_note (&f.r, 0, X, 7, f.store);
  recording_note (&f.r, 1, Y, 1, f.store);
  recording_note (&f.r, 1, X, 5, f.store);
  becomes (&f, "T1|w(y+0:4=1)|f.c:2\nT1|w(x+0:4=5)|f.c:2\n"
               "T0|r(x+0:4=5)|f.c:1\nT0|w(x+0:4=7)|f.c:2\n");
}

static void
so_may_a_part_of_it (void **state)
{
  fixture f;
  omen_site *byte;
  lose_accesses (&f);
  byte = recording_site (&f.r, OMEN_SITE_STORE, 1, "f.c", 3);
  recording_note (&f.r, 0, X, 5, f.load);
  recording_note (&f.r, 1, X + 1, 0, byte);
  becomes (&f, "T1|w(x+1:1=0)|f.c:3\nT0|r(x+0:4=5)|f.c:1\n");
}

/* Nobody knows of which of the two it was the value from the start. */
static void
reads_that_wait_for_each_other_are_not_used (void **state)
{
  fixture f;
  omen_trace *trace;
  lose_accesses (&f);
  recording_note (&f.r, 0, X, 5, f.load);
  recording_note (&f.r, 0, Y, 7, f.store);
  recording_note (&f.r, 1, Y, 7, f.load);
  recording_note (&f.r, 1, X, 5, f.store);
  trace = loaded (&f);
  assert_int_equal (trace->events.count, 0);
  assert_int_equal (trace->rebuilt.ended, 2);
  assert_int_equal (trace->rebuilt.unused, 4);
  omen_trace_free (trace);
}

static void
what_numbers_put_after_it_was_not_seen (void **state)
{
  fixture f;
  lose_accesses (&f);
  recording_note (&f.r, 0, X, 5, f.load);
  item (&f, 0, OMEN_ITEM_HAPPENS_BEFORE, M, 0);
  item (&f, 1, OMEN_ITEM_HAPPENS_AFTER, M, 0);
  recording_note (&f.r, 1, X, 5, f.store);
  becomes (&f, "T0|r(x+0:4=5)|f.c:1\nT0|hb(m)|\nT1|ha(m)|\n"
               "T1|w(x+0:4=5)|f.c:2\n");
}

/* A number that was taken first, of an item that comes late: it fails at a lock
   of which nobody was seen to have it. */
static void
a_failed_try_orders_nothing_that_came_before_it (void **state)
{
  fixture f;
  uint64_t first;
  lose_accesses (&f);
  first = recording_number (&f.r, M);
  recording_note (&f.r, 0, X, 5, f.load);
  item (&f, 0, OMEN_ITEM_RELEASE, M, 0);
  recording_item (&f.r, 1, OMEN_ITEM_TRY_FAIL, M, first, 0, 0);
  recording_note (&f.r, 1, X, 5, f.store);
  becomes (&f, "T0|acq(m)|\nT0|hb(start)|\nT1|ha(start)|\nT0|ha(start)|\n"
               "T1|tryfail(m)|\nT1|w(x+0:4=5)|f.c:2\n"
               "T0|r(x+0:4=5)|f.c:1\nT0|rel(m)|\n");
}

/* Loads in a row become sums: one that nobody else writes has no value, another
   may have seen anything. */
static omen_trace *
row_with_a_write (bool races)
{
  fixture f;
  lose_accesses (&f);
  f.r.chunk = 100;
  recording_object (&f.r, ROW, 8 * 64, "row");
  for (uint32_t t = 0; t < 2; t++)
    while (f.r.notes[t].count % 100)
      recording_note (&f.r, t, Y, 0, f.load);
  for (uint32_t t = 0; t < 2; t++)
    f.r.lost[t] = f.r.notes[t].count;
  recording_safepoint (&f.r);
  f.load = recording_site (&f.r, OMEN_SITE_LOAD, 8, "f.c", 4);
  f.store = recording_site (&f.r, OMEN_SITE_STORE, 8, "f.c", 5);
  for (uint64_t i = 0; i < 64; i++)
    recording_note (&f.r, 0, ROW + 8 * i, UINT64_C (0x9e3779b97f4a7c15) * i,
                    f.load);
  if (!races) {
    item (&f, 0, OMEN_ITEM_HAPPENS_BEFORE, M, 0);
    item (&f, 1, OMEN_ITEM_HAPPENS_AFTER, M, 0);
  }
  recording_note (&f.r, 1, ROW + 8 * 40, 1, f.store);
  return loaded (&f);
}

static void
sums_of_what_is_not_known_tell_nothing (void **state)
{
  omen_trace *trace = row_with_a_write (false);
  assert_int_equal (trace->events.count, 64 + 3);
  assert_true (trace->rebuilt.unknown);
  assert_int_equal (trace->rebuilt.ended, 0);
  omen_trace_free (trace);
  trace = row_with_a_write (true);
  assert_true (trace->events.count < 64);
  assert_int_equal (trace->rebuilt.ended, 1);
  omen_trace_free (trace);
}

/* The first mark is none of a moment, after the second one something is
   missing. */
static void
the_first_moment_that_is_whole_counts (void **state)
{
  fixture f;
  set_up (&f, false);
  add_accesses (&f);
  recording_note (&f.r, 0, X, 3, f.store);
  recording_note (&f.r, 1, X, 4, f.store);
  recording_mark (&f.r);
  recording_safepoint (&f.r);
  recording_note (&f.r, 1, X, 5, f.store);
  for (uint32_t t = 0; t < 2; t++)
    f.r.lost[t] = f.r.notes[t].count;
  recording_safepoint (&f.r);
  recording_note (&f.r, 0, X, 5, f.load);
  recording_safepoint (&f.r);
  becomes (&f, "T0|r(x+0:4=5)|f.c:1\n");
}

/* What is out of order was not all at one time. */
static void
a_moment_is_not_believed_if_numbers_say_otherwise (void **state)
{
  fixture f;
  uint64_t first;
  lose_accesses (&f);
  f.r.marks.data[0].flags = 0;
  first = recording_number (&f.r, M);
  item (&f, 1, OMEN_ITEM_HAPPENS_AFTER, M, 0);
  recording_safepoint (&f.r);
  recording_item (&f.r, 0, OMEN_ITEM_HAPPENS_BEFORE, M, first, 0, 0);
  uses_nothing (&f);
}

UNIT_MAIN (UNIT (a_log_begins_where_its_thread_is_known),
           UNIT (who_gives_a_lock_up_had_it),
           UNIT (depths_and_readers_are_known_by_their_end),
           UNIT (a_new_thread_has_nothing),
           UNIT (a_wake_keeps_the_order_of_its_condition),
           UNIT (barriers_and_semaphores_in_use_keep_their_order),
           UNIT (what_is_freed_had_uses),
           UNIT (threads_begin_at_the_second_mark),
           UNIT (numbers_before_the_mark_are_not_passed),
           UNIT (a_number_from_long_ago_is_before_the_start),
           UNIT (one_mark_is_not_enough), UNIT (accesses_have_no_moment),
           UNIT (what_came_after_a_mark_must_be_there),
           UNIT (a_read_tells_what_was_there),
           UNIT (a_read_may_have_seen_what_comes_later),
           UNIT (so_may_a_part_of_it),
           UNIT (reads_that_wait_for_each_other_are_not_used),
           UNIT (what_numbers_put_after_it_was_not_seen),
           UNIT (a_failed_try_orders_nothing_that_came_before_it),
           UNIT (sums_of_what_is_not_known_tell_nothing),
           UNIT (the_first_moment_that_is_whole_counts),
           UNIT (a_moment_is_not_believed_if_numbers_say_otherwise))
