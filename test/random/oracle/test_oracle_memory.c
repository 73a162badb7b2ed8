/* The oracle on traces worked out by hand: what reads see, memory, atomics,
   blocks, dependences. */
#include "expect.h"

#define RF OMEN_MODEL_RF
#define VALUE OMEN_MODEL_VALUE
#define SLICED OMEN_MODEL_SLICED

/* ---- reads ---- */
static void
join_needs_the_last_read_preserved (void **state)
{
  const char *text = "T1|fork(T2); T2|r(x=0); T1|join(T2); T3|w(x=1);";
  expect_pattern (text, RF, "3 1", true);
  expect_pattern (text, RF, "3 1 2", false);
  expect_pattern (text, RF, "1 3 2", true);
  text = "T1|fork(T2); T2|r(x=0); T1|join(T2); T3|w(x=0);";
  expect_pattern (text, RF, "3 1 2", false);
  expect_pattern (text, VALUE, "3 1 2", true);
}

static void
an_rmw_that_read_something_else (void **state)
{
  const char *text = "T1|rmw(x=0:1); T2|rmw(x=1:2); T3|r(x=2); T3|w(y);";
  expect_pattern (text, RF, "1 2 3", true); /* 0 before all of it */
  expect_pattern (text, RF, "1 2 3 0", false);
  expect_pattern (text, RF, "1 0", true);
  expect_pattern (text, VALUE, "1 2 3 0", false);
  expect_claims (text, RF, ORACLE_NONDET,
                 "nondet 0 1 wcr; nondet 1 -1 crw; nondet 2 -1 crw; "
                 "nondet 2 0 wcr");
  expect_claims (text, RF, ORACLE_RACE, "race 0 2; race 1 2");
}

#define SAME_VALUE                                                             \
  "T1|w(x=1); T2|w(y=1); T2|w(x=1); T3|r(x=1); "                               \
  "T3|w(y=2); "

static void
values_allow_more_than_writers (void **state)
{
  expect_claims (SAME_VALUE, RF, ORACLE_RACE, "race 0 2; race 0 3; race 2 3");
  expect_claims (SAME_VALUE, VALUE, ORACLE_RACE,
                 "race 0 2; race 0 3; race 1 4; race 2 3");
  expect_claims (SAME_VALUE, SLICED, ORACLE_RACE,
                 "race 0 2; race 0 3; race 1 4; race 2 3");
  expect_claims (SAME_VALUE, RF, ORACLE_NONDET,
                 "nondet 3 -1 crw; nondet 3 0 wcr");
  expect_claims (SAME_VALUE, VALUE, ORACLE_NONDET, "nondet 3 -1 crw");
}

static void
initial_values (void **state)
{
  const char *seen = "T1|r(x=0); T1|w(y=1); T2|w(x=0);";
  expect_pattern (seen, RF, "2 0 1", false);
  expect_pattern (seen, VALUE, "2 0 1", true);
  /* told by an init line; a later write of the same value will do */
  expect_pattern ("*|init(x=5); T1|w(x=6); T1|w(x=5); T2|r(x=5); T2|w(y=1);",
                  VALUE, "2 3 0", true);
  expect_pattern ("T1|w(x=6); T1|w(x=5); T2|r(x=5); T2|w(y=1);", VALUE, "2 3 0",
                  false);
  /* unknown values only match their own writer */
  expect_pattern ("T1|r(x); T1|w(y=1); T2|w(x=0);", VALUE, "2 0 1", false);
}

static void
byte_ranges_overlap_where_they_do (void **state)
{
  expect_claims ("T1|w(x+0:4=1); T2|w(x+4:4=2); T3|r(x+0:8=8589934593);", RF,
                 ORACLE_RACE, "race 0 2; race 1 2");
  /* each atom has its own writer: the low half can come from either */
  expect_claims ("T1|w(x+0:4=1); T2|w(x+4:4=2); T3|r(x+0:8=8589934593);", RF,
                 ORACLE_NONDET, "nondet 2 -1 crw");
  /* bytes compare across sizes */
  expect_pattern ("T1|w(x+0:4=1); T2|w(x+0:2=1); T3|r(x+0:2=1); T3|w(y);",
                  VALUE, "2 3 1", true);
  expect_pattern ("T1|w(x+0:4=1); T2|w(x+0:2=1); T3|r(x+0:2=1); T3|w(y);", RF,
                  "2 3 1", false);
  /* the rest of x, which no range covers, is whole writes' alone */
  expect_pattern ("T1|w(x); T2|w(x+0:4); T3|r(x); T3|w(y);", RF, "2 3 0",
                  false);
}

/* ---- memory ---- */
static void
blocks_live_between_alloc_and_free (void **state)
{
  const char *text = "T1|alloc(p,8); T1|w(p); T2|r(p); T1|free(p);";
  expect_claims (text, RF, ORACLE_RACE, "race 1 2; race 2 3");
  expect_pattern (text, RF, "2 0", false);
  expect_pattern (text, RF, "3 2", true);
  /* the same name, another block */
  expect_claims ("T1|w(p); T2|alloc(p,8); T2|w(p);", RF, ORACLE_RACE, "");
}

static void
external_changes_keep_their_place (void **state)
{
  const char *text = "T1|w(x=1); T2|ext(x); T3|r(x); T3|w(y);";
  expect_claims (text, RF, ORACLE_RACE | ORACLE_NONDET, "");
  expect_pattern (text, RF, "1 0", false);
  expect_pattern (text, RF, "2 1", false);
}

/* ---- atomics ---- */
static void
atomics_do_not_race_with_each_other (void **state)
{
  expect_claims ("T1|aw(f=1); T2|ar(f=1); T3|r(f=1);", RF, ORACLE_RACE,
                 "race 0 2");
}

/* Message passing; the data is 0 and the last event. */
#define MESSAGE(store, load) "T1|w(x=1)|\n" store load "T2|r(x=1)|\n"

static void
weak_stores_do_not_publish (void **state)
{
  unsigned kinds = ORACLE_RACE | ORACLE_RACE_ORDER;
  expect_claims (MESSAGE ("T1|aw.rlx(f=1)|\n", "T2|ar.acq(f=1)|\n"), RF, kinds,
                 "race-order 0 3");
  expect_claims (MESSAGE ("T1|aw.rel(f=1)|\n", "T2|ar.rlx(f=1)|\n"), RF, kinds,
                 "race-order 0 3");
  expect_claims (MESSAGE ("T1|aw.rel(f=1)|\n", "T2|ar.acq(f=1)|\n"), RF, kinds,
                 "");
  expect_claims (MESSAGE ("T1|aw(f=1)|\n", "T2|ar(f=1)|\n"), RF, kinds, "");
}

static void
fences_make_up_for_weak_orders (void **state)
{
  unsigned kinds = ORACLE_RACE | ORACLE_RACE_ORDER;
  expect_claims (MESSAGE ("T1|fence.rel()|\nT1|aw.rlx(f=1);",
                          "T2|ar.rlx(f=1)|\nT2|fence.acq();"),
                 RF, kinds, "");
  expect_claims (MESSAGE ("T1|fence.rel()|\nT1|aw.rlx(f=1);",
                          "T2|ar.rlx(f=1)|\nT2|fence.rel();"),
                 RF, kinds, "race-order 0 5");
  expect_claims (MESSAGE ("T1|aw.rlx(f=1)|\nT1|fence.rel();",
                          "T2|ar.rlx(f=1)|\nT2|fence.acq();"),
                 RF, kinds, "race-order 0 5");
}

static void
an_acquire_fence_releases_nothing (void **state)
{
  expect_claims (MESSAGE ("T1|fence.acq(); T1|aw.rlx(f=1);", "T2|ar.acq(f=1);"),
                 RF, ORACLE_RACE_ORDER, "race-order 0 4");
}

static void
a_plain_write_ends_a_release_sequence (void **state)
{
  /* 3 is ordered after 1 by what 2 sees, but passes nothing on */
  expect_claims ("T1|w(x); T1|aw.rel(f=1); T3|ar.rlx(f=1); T3|w(f=2); "
                 "T2|ar.acq(f=2); T2|w(x);",
                 RF, ORACLE_RACE_ORDER,
                 "race-order 0 5; race-order 1 3; race-order 3 4; "
                 "race-order 4 3");
}

static void
release_sequences_carry_on (void **state)
{
  /* an rmw of another thread continues the sequence, a store does not; a
     store of the same thread does */
  expect_claims (
      MESSAGE ("T1|aw.rel(f=1)|\nT3|rmw.rlx(f=1:2)|\n", "T2|ar.acq(f=2)|\n"),
      RF, ORACLE_RACE_ORDER, "");
  expect_claims (MESSAGE ("T1|aw.rel(f=1)|\nT3|ar.rlx(f=1)|\nT3|aw.rlx(f=2);",
                          "T2|ar.acq(f=2);"),
                 RF, ORACLE_RACE_ORDER, "race-order 0 5");
  expect_claims (
      MESSAGE ("T1|aw.rel(f=1)|\nT1|aw.rlx(f=2)|\n", "T2|ar.acq(f=2)|\n"), RF,
      ORACLE_RACE_ORDER, "");
  expect_claims (MESSAGE ("T1|rmw.rlx(f=0:1)|\n", "T2|rmw(f=1:2)|\n"), RF,
                 ORACLE_RACE_ORDER, "race-order 0 3");
}

static void
plain_flags_race_themselves (void **state)
{
  /* the flag is reported, the data that it guards is not */
  expect_claims (MESSAGE ("T1|w(f=1)|\n", "T2|r(f=1)|\n"), RF,
                 ORACLE_RACE | ORACLE_RACE_ORDER,
                 "race 1 2; race-order 1 2; race-order 2 1");
}

/* ---- atomicity ---- */
static void
an_access_in_the_middle_of_a_block (void **state)
{
  expect_claims ("T1|begin(A); T1|r(x=0); T1|w(x=1); T1|end(A); T2|w(x=5);", RF,
                 ORACLE_ATOMICITY, "atomicity 0 1 2 -1 4 4");
  expect_claims ("T1|enter(f); T1|r(x=0); T1|exit(f); T1|w(x=1); T2|w(x=5);",
                 RF, ORACLE_ATOMICITY, "");
}

static void
a_lock_given_up_in_a_block (void **state)
{
  expect_claims ("T1|begin(A); T1|acq(l); T1|r(x); T1|rel(l); T1|acq(l); "
                 "T1|w(x); T1|rel(l); T1|end(A); T2|acq(l); T2|w(x); "
                 "T2|rel(l);",
                 RF, ORACLE_ATOMICITY, "atomicity 0 2 5 -1 9 9");
  expect_claims ("T1|acq(l); T1|begin(A); T1|r(x); T1|w(x); T1|end(A); "
                 "T1|rel(l); T2|acq(l); T2|w(x); T2|rel(l);",
                 RF, ORACLE_ATOMICITY, "");
}

static void
two_blocks_that_cross (void **state)
{
  expect_claims ("T2|begin(B); T2|r(y); T2|r(x); T2|end(B); T1|begin(A); "
                 "T1|w(x); T1|w(y); T1|end(A);",
                 RF, ORACLE_ATOMICITY,
                 "atomicity 0 1 2 4 6 5; atomicity 4 5 6 0 2 1");
  /* the reads see what was written: the first must stay after both writes */
  expect_claims ("T1|begin(A); T1|w(x); T1|w(y); T1|end(A); T2|begin(B); "
                 "T2|r(y); T2|r(x); T2|end(B);",
                 RF, ORACLE_ATOMICITY, "");
}

static void
inner_blocks_belong_to_outer_ones (void **state)
{
  expect_claims ("T1|begin(A); T1|begin(B); T1|w(x); T1|end(B); T1|w(x); "
                 "T1|end(A); T2|r(x);",
                 RF, ORACLE_ATOMICITY, "atomicity 0 2 4 -1 6 6");
  expect_claims ("T1|begin(A); T1|begin(A); T1|w(x); T1|end(A); T1|w(x); "
                 "T1|end(A); T1|w(x); T2|r(x);",
                 RF, ORACLE_ATOMICITY, "atomicity 0 2 4 -1 7 7");
}

/* ---- sliced ---- */
/* Figure 7 of the RV paper: e1 = 0, e2 = 1, e3 = 2 with its branch 3, e4 = 4,
   e5 = 5 behind the branch, e6 = 6. */
#define FIGURE_7(e5)                                                           \
  "T1|w(y=1); T2|w(x=1); T1|r(x=1); T1|branch()|<-1; T2|w(x=0); "              \
  "T1|w(y=2)|" e5 "\n"                                                         \
  "T2|w(y=3); "

static void
figure_7_of_the_rv_paper (void **state)
{
  /* e6 before e1 makes e3 see e4: no such run where e5 depends on e3 */
  expect_pattern (FIGURE_7 ("^2"), SLICED, "6 0 5", false);
  expect_pattern (FIGURE_7 ("^2"), VALUE, "6 0 5", false);
  expect_pattern (FIGURE_7 (""), SLICED, "6 0 5", true);
  expect_pattern (FIGURE_7 (""), VALUE, "6 0 5", false);
  expect_pattern (FIGURE_7 ("^2"), SLICED, "0 6", true);
}

static void
synchronisation_is_relevant (void **state)
{
  /* whether the lock is taken depends on the read */
  const char *text = "T1|w(x=1); T1|w(x=0); T2|r(x=0); T2|branch()|<-0; "
                     "T2|acq(l)|^1\n"
                     "T2|w(y);";
  expect_pattern (text, SLICED, "5 1", false);
  expect_pattern (text, SLICED, "3 1", false);
  expect_pattern (text, SLICED, "2 1", true);
}

static void
what_a_relevant_read_sees_is_relevant (void **state)
{
  /* y comes from x, x from z; with z = 1 before 0, nobody knows y */
  const char *text = "T1|w(u); T1|r(z=0); T1|w(x=5)|<-1; "
                     "T2|r(x=5); T2|w(y=1)|<-0; T3|w(z=1);";
  expect_pattern (text, SLICED, "5 0 4", false);
  expect_pattern (text, SLICED, "5 0 3", true);
  text = "T1|w(u); T1|r(z=0); T1|w(x=5); "
         "T2|r(x=5); T2|w(y=1)|<-0; T3|w(z=1);";
  expect_pattern (text, SLICED, "5 0 4", true);
  expect_pattern (text, VALUE, "5 0 4", false);
}

static void
what_ended_a_joined_thread_is_relevant (void **state)
{
  const char *text = "T1|fork(T2); T3|w(u); T3|r(z=0); " /* 0 1 2 */
                     "T3|w(x=0)|<-1; "                   /* from z */
                     "T2|r(x=0); T2|branch()|<-0; "      /* 4 5 */
                     "T1|join(T2); T1|w(y=1); T4|w(z=1)";
  expect_pattern (text, SLICED, "8 1 7", false);
  expect_pattern (text, SLICED, "8 1 4", true);
  expect_pattern (text, SLICED, "1 8 7", true);
}

static void
sliced_without_dependences_is_value (void **state)
{
  const char *text = "T1|w(x=1); T1|w(x=0); T2|r(x=0); T2|w(y=1)";
  expect_pattern (text, SLICED, "2 3 1", false);
  expect_pattern (text, VALUE, "2 3 1", false);
  expect_pattern (text, SLICED, "2 1", true);
}

UNIT_MAIN (UNIT (join_needs_the_last_read_preserved),
           UNIT (an_rmw_that_read_something_else),
           UNIT (values_allow_more_than_writers), UNIT (initial_values),
           UNIT (byte_ranges_overlap_where_they_do),
           UNIT (blocks_live_between_alloc_and_free),
           UNIT (external_changes_keep_their_place),
           UNIT (atomics_do_not_race_with_each_other),
           UNIT (weak_stores_do_not_publish),
           UNIT (fences_make_up_for_weak_orders),
           UNIT (an_acquire_fence_releases_nothing),
           UNIT (a_plain_write_ends_a_release_sequence),
           UNIT (release_sequences_carry_on),
           UNIT (plain_flags_race_themselves),
           UNIT (an_access_in_the_middle_of_a_block),
           UNIT (a_lock_given_up_in_a_block), UNIT (two_blocks_that_cross),
           UNIT (inner_blocks_belong_to_outer_ones),
           UNIT (figure_7_of_the_rv_paper), UNIT (synchronisation_is_relevant),
           UNIT (what_a_relevant_read_sees_is_relevant),
           UNIT (what_ended_a_joined_thread_is_relevant),
           UNIT (sliced_without_dependences_is_value))
