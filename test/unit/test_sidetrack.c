/* SideTrack's rules beyond what a finished trace needs: locks that are
   forgotten, ids that are used again, clocks that are full. The rules
   themselves are compared with the paper's in
   test/random/engine/test_sidetrack_campaign.c. */
#include "unit.h"

#include "predict/sidetrack.h"

typedef struct fixture {
  omen_sidetrack *sidetrack;
  unsigned found;
  omen_sidetrack_report last;
  bool entry; /* is an entry function atomic? */
} fixture;

static bool
is_atomic (void *context, unsigned kind, uint32_t name, bool entry)
{
  const fixture *f = context;
  (void)kind, (void)name;
  return !entry || f->entry;
}

static void
take_report (void *context, const omen_sidetrack_report *report)
{
  fixture *f = context;
  f->found++;
  f->last = *report;
}

static void
set_up (fixture *f, uint32_t horizon)
{
  omen_sidetrack_options options = { .atomic = is_atomic,
                                     .found = take_report,
                                     .context = f,
                                     .horizon = horizon,
                                     .all = true };
  *f = (fixture){ 0 };
  f->sidetrack = omen_sidetrack_new (&options);
}

static void
push (fixture *f, omen_tid t, omen_kind kind, uint32_t object)
{
  omen_event event = { .kind = (uint8_t)kind, .thread = t, .object = object };
  omen_sidetrack_push (f->sidetrack, &event, 0);
}

static void
lock (fixture *f, omen_tid t, omen_lid l)
{
  push (f, t, OMEN_ACQUIRE, l);
  push (f, t, OMEN_RELEASE, l);
}

static void
lock_twice (fixture *f, omen_tid t, omen_lid l)
{
  push (f, t, OMEN_BEGIN, 0);
  lock (f, t, l);
  lock (f, t, l);
  push (f, t, OMEN_END, 0);
}

static void
finds_an_after_error (void **state)
{
  fixture f;
  set_up (&f, 0);
  lock_twice (&f, 0, 3);
  lock (&f, 1, 3);
  assert_int_equal (f.found, 1);
  assert_int_equal (f.last.error, OMEN_AFTER_ERROR);
  omen_sidetrack_free (f.sidetrack);
}

/* Another lock at the same address: what was done to the old one is over, also
   the first acquire of a block that is open, and who has it. */
static void
what_is_forgotten_is_not_told (void **state)
{
  fixture f;
  set_up (&f, 0);
  lock_twice (&f, 0, 3);
  omen_sidetrack_forget (f.sidetrack, 3);
  omen_sidetrack_forget (f.sidetrack, 99);
  lock (&f, 1, 3);
  push (&f, 0, OMEN_BEGIN, 0);
  push (&f, 0, OMEN_ACQUIRE, 3);
  omen_sidetrack_forget (f.sidetrack, 3);
  lock (&f, 0, 3);
  push (&f, 0, OMEN_END, 0);
  lock (&f, 1, 3);
  assert_int_equal (f.found, 0);
  lock_twice (&f, 0, 3);
  lock (&f, 1, 3);
  assert_int_equal (f.found, 2); /* before, after */
  omen_sidetrack_free (f.sidetrack);
}

/* When clocks start again nothing false is told of before, and what comes later
   is found as ever. */
static void
clocks_may_be_full (void **state)
{
  fixture f;
  set_up (&f, 8);
  push (&f, 0, OMEN_FORK, 1);
  for (int i = 0; i < 20; i++) /* ordered by m, all of it */
    for (omen_tid t = 0; t < 2; t++) {
      push (&f, t, OMEN_ACQUIRE, 0);
      lock_twice (&f, t, 1);
      push (&f, t, OMEN_RELEASE, 0);
    }
  assert_int_equal (f.found, 0);
  omen_sidetrack_free (f.sidetrack);
  set_up (&f, 8);
  for (int i = 0; i < 30; i++)
    lock (&f, 0, 0);
  lock_twice (&f, 1, 1);
  lock (&f, 2, 1);
  assert_int_equal (f.found, 1);
  omen_sidetrack_free (f.sidetrack);
}

/* Thread 1 is joined, and another has its id: its first function is one of a
   thread, too. */
static void
a_thread_may_have_an_old_id (void **state)
{
  fixture f;
  set_up (&f, 0);
  for (int i = 0; i < 2; i++) {
    push (&f, 0, OMEN_FORK, 1);
    push (&f, 1, OMEN_ENTER, 7);
    lock (&f, 1, 3);
    lock (&f, 1, 3);
    push (&f, 1, OMEN_EXIT, 7);
    push (&f, 0, OMEN_JOIN, 1);
  }
  lock (&f, 2, 3);
  assert_int_equal (f.found, 0);
  omen_sidetrack_free (f.sidetrack);
}

/* A wake whose wait nobody saw takes its lock all the same. */
static void
a_lock_may_first_be_seen_at_a_wake (void **state)
{
  omen_event wake = { .kind = OMEN_WAKE, .thread = 1, .value = 300 };
  fixture f;
  set_up (&f, 0);
  lock_twice (&f, 0, 3);
  omen_sidetrack_push (f.sidetrack, &wake, 0);
  push (&f, 1, OMEN_RELEASE, 300);
  wake.value = 3;
  omen_sidetrack_push (f.sidetrack, &wake, 0);
  assert_int_equal (f.found, 1);
  assert_int_equal (f.last.error, OMEN_AFTER_ERROR);
  omen_sidetrack_free (f.sidetrack);
}

UNIT_MAIN (UNIT (finds_an_after_error), UNIT (what_is_forgotten_is_not_told),
           UNIT (a_lock_may_first_be_seen_at_a_wake), UNIT (clocks_may_be_full),
           UNIT (a_thread_may_have_an_old_id))
