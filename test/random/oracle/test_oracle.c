/* The oracle on traces whose answers were worked out by hand: the lattice,
   locks, deadlocks, conditions, other synchronisation. */
#include "expect.h"

#define RF OMEN_MODEL_RF
#define VALUE OMEN_MODEL_VALUE
#define LATTICE OMEN_MODEL_LATTICE

/* ---- the known example (JMPaX paper, Example 1) ---- */
#define EXAMPLE                                                                \
  "t1|w(x=-1)|1\n"                                                             \
  "t1|r(x=-1)|2\n"                                                             \
  "t1|w(z=2)|2\n"                                                              \
  "t2|w(x=1)|3\n"                                                              \
  "t2|r(x=1)|4\n"                                                              \
  "t2|r(z=2)|4\n"                                                              \
  "t2|w(y=3)|4\n"

static void
jmpax_example_races (void **state)
{
  expect_claims (EXAMPLE, RF, ORACLE_RACE,
                 "race 0 3; race 0 4; race 1 3; race 2 5");
}

static void
jmpax_example_reads (void **state)
{
  expect_claims (EXAMPLE, RF, ORACLE_NONDET,
                 "nondet 1 3 wcr; nondet 4 0 wcr; nondet 5 -1 crw");
}

static void
expect_shape (const char *text, uint64_t cuts, uint64_t runs,
              const unsigned *widths, unsigned levels)
{
  omen_trace *trace = expect_trace (text);
  omen_err err = { 0 };
  oracle *o = oracle_new (trace, LATTICE, &(oracle_request){ 0 }, &err);
  const oracle_shape *shape;
  assert_non_null (o);
  shape = oracle_shape_of (o);
  assert_int_equal (shape->cuts, cuts);
  assert_int_equal (shape->runs, runs);
  assert_int_equal (shape->levels, levels);
  for (unsigned i = 0; i < levels; i++)
    assert_int_equal (shape->width[i], widths[i]);
  oracle_free (o);
  omen_trace_free (trace);
}

static void
jmpax_example_lattice (void **state)
{
  expect_shape (EXAMPLE, 13, 4, (unsigned[]){ 1, 2, 2, 3, 2, 1, 1, 1 }, 8);
}

/* ---- lattice ---- */
static void
lattice_leaves_out_what_does_not_count (void **state)
{
  static const char *const inside
      = "T1|enter(f)|\nT1|w(x=1)|\nT1|exit(f)|\nT2|w(x=2)|\nT2|fence()|\n";
  char whole[500];
  snprintf (whole, sizeof whole,
            "T0|w(x=0)|\nT0|fork(T1)|\nT0|fork(T2)|\n%s"
            "T0|join(T1)|\nT0|join(T2)|\nT0|r(x=2)|\n",
            inside);
  expect_shape (inside, 4, 2, (unsigned[]){ 1, 2, 1 }, 3);
  /* the read says who came last; the other order ends nowhere */
  expect_shape (whole, 4, 1, (unsigned[]){ 1, 2, 1 }, 3);
}

static void
lattice_reads_stay_with_their_write (void **state)
{
  /* the write of T2 must wait for the read of the initial value */
  expect_shape ("T1|r(x); T2|w(x);", 3, 1, (unsigned[]){ 1, 1, 1 }, 3);
  /* an rmw completes the set that it reads and starts another */
  expect_shape ("T1|rmw(x); T2|r(x); T3|w(y);", 6, 3,
                (unsigned[]){ 1, 2, 2, 1 }, 4);
  /* two writes nobody reads: any order */
  expect_shape ("T1|w(x); T2|w(x);", 4, 2, (unsigned[]){ 1, 2, 1 }, 3);
}

static void
lattice_keeps_sets_apart (void **state)
{
  /* {} 0 2 | 01 23 | 012 023 | all: T2 after 0 alone is barred, and so is T1
     after 2 alone */
  expect_shape ("T1|w(x); " /* 0 */
                "T1|r(x); " /* 1 */
                "T2|w(x); " /* 2 */
                "T3|r(x);", /* 3, saw 2 */
                8, 2, (unsigned[]){ 1, 2, 2, 2, 1 }, 5);
}

static void
lattice_counts_dead_ends (void **state)
{
  /* 0 and 3 alone: 1 waits for the reader 5 of 3, which comes after 4, which
     waits for the reader 2 of 0, which comes after 1 */
  expect_shape ("T1|w(x); T2|w(y); T2|r(x); " /* saw 0 */
                "T3|w(y); T3|w(x); T3|r(y);", /* saw 3 */
                20, 11, (unsigned[]){ 1, 3, 4, 5, 4, 2, 1 }, 7);
}

/* ---- mutexes ---- */
static void
sections_exclude (void **state)
{
  expect_claims ("T1|acq(l); T1|w(x); T1|rel(l); T2|acq(l); T2|w(x); "
                 "T2|rel(l);",
                 RF, ORACLE_RACE | ORACLE_RACE_ORDER, "");
}

#define SWAP                                                                   \
  "T1|acq(l); T1|w(x=1); T1|rel(l); T2|acq(l); T2|rel(l); "                    \
  "T2|w(x=2); "

static void
race_behind_a_swap_of_sections (void **state)
{
  expect_claims (SWAP, RF, ORACLE_RACE, "race 1 5");
  expect_kept_claims (SWAP, RF, ORACLE_RACE, "");
  /* with T2 out of its lock before T1 takes it, nothing orders 1 and 5 */
  expect_claims (SWAP, RF, ORACLE_RACE_ORDER, "race-order 1 5; race-order 5 1");
  expect_kept_claims (SWAP, RF, ORACLE_RACE_ORDER, "");
  /* sections of different locks, or of readers, have no order to keep */
  expect_kept_claims ("T1|acq(l); T1|w(x); T1|rel(l); "
                      "T2|acq(m); T2|rel(m); T2|w(x);",
                      RF, ORACLE_RACE, "race 1 5");
  expect_kept_claims ("T1|racq(l); T1|w(x); T1|rrel(l); "
                      "T2|racq(l); T2|rrel(l); T2|w(x);",
                      RF, ORACLE_RACE, "race 1 5");
}

static void
nested_acquires_count_depth (void **state)
{
  expect_claims ("T1|acq(l); T1|acq(l); T1|rel(l); T1|w(x); T1|rel(l); "
                 "T2|acq(l); T2|w(x); T2|rel(l);",
                 RF, ORACLE_RACE, "");
}

static void
irregular_locks_keep_their_order (void **state)
{
  const char *text = "T1|acq(l); T2|rel(l); T1|w(x); T2|w(x); T3|acq(m);";
  expect_claims (text, RF, ORACLE_RACE, "race 2 3");
  expect_pattern (text, RF, "1 0", false);
  expect_pattern (text, RF, "4 0", true);
}

static void
base_order_replaces_the_file (void **state)
{
  const char *text
      = "T1|acq(l); T1|w(x=1); T2|acq(l); " /* delayed until T1 is out */
        "T1|rel(l); T2|rel(l);";
  expect_pattern (text, RF, "0 2", true);
  expect_pattern (text, RF, "2 0", true);
  expect_pattern (text, RF, "0 2 3", false);
}

static void
failed_tries_need_a_holder (void **state)
{
  const char *text = "T1|acq(l); T1|w(x); T2|tryfail(l); T2|w(x); "
                     "T1|rel(l);";
  expect_claims (text, RF, ORACLE_RACE, "race 1 3");
  expect_pattern (text, RF, "2 0", false);
  expect_pattern (text, RF, "4 2", false);
  text = "T1|racq(l); T2|tryfail(l); T1|rrel(l); T1|acq(l); T3|rtryfail(l); "
         "T1|rel(l); T3|lockfail(l);";
  expect_pattern (text, RF, "2 1", true); /* once T1 has it as a writer */
  expect_pattern (text, RF, "2 1 3", false);
  expect_pattern (text, RF, "4 3", false); /* a reader does not do */
  expect_pattern (text, RF, "4 6 5", true);
}

/* ---- read-write locks ---- */
static void
readers_share_writers_exclude (void **state)
{
  expect_claims ("T1|racq(l); T1|w(x); T1|rrel(l); T2|racq(l); T2|w(x); "
                 "T2|rrel(l);",
                 RF, ORACLE_RACE, "race 1 4");
  expect_claims ("T1|racq(l); T1|w(x); T1|rrel(l); T2|acq(l); T2|w(x); "
                 "T2|rel(l);",
                 RF, ORACLE_RACE | ORACLE_RACE_ORDER, "");
}

/* ---- deadlocks ---- */
static void
two_locks_in_both_orders (void **state)
{
  expect_claims ("T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); T2|acq(b); "
                 "T2|acq(a); T2|rel(a); T2|rel(b);",
                 RF, ORACLE_DEADLOCK, "deadlock 1 5");
}

static void
a_gate_around_both_prevents (void **state)
{
  expect_claims ("T1|acq(g); T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); "
                 "T1|rel(g); T2|acq(g); T2|acq(b); T2|acq(a); T2|rel(a); "
                 "T2|rel(b); T2|rel(g);",
                 RF, ORACLE_DEADLOCK, "");
}

static void
a_gate_around_one_does_not (void **state)
{
  const char *text = "T2|acq(g); T2|acq(b); T2|acq(a); T2|rel(a); "
                     "T2|rel(b); T2|rel(g); T1|acq(g); T1|rel(g); "
                     "T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a);";
  expect_claims (text, RF, ORACLE_DEADLOCK, "deadlock 2 9");
  expect_kept_claims (text, RF, ORACLE_DEADLOCK, "");
}

static void
three_locks_in_a_circle (void **state)
{
  expect_claims ("T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); T2|acq(b); "
                 "T2|acq(c); T2|rel(c); T2|rel(b); T3|acq(c); T3|acq(a);",
                 RF, ORACLE_DEADLOCK, "deadlock 1 5 9");
}

static void
fork_and_values_prevent_deadlocks (void **state)
{
  expect_claims ("T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); T1|fork(T2); "
                 "T2|acq(b); T2|acq(a);",
                 RF, ORACLE_DEADLOCK, "");
  expect_claims ("T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); T1|w(x=1); "
                 "T2|r(x=1); T2|acq(b); T2|acq(a);",
                 VALUE, ORACLE_DEADLOCK, "");
}

static void
requests_that_block (void **state)
{
  /* a request that never came back */
  expect_claims ("T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); T2|acq(b); "
                 "T2|req(a);",
                 RF, ORACLE_DEADLOCK, "deadlock 1 5");
  /* a try does not block */
  expect_claims ("T1|acq(a); T1|acq(b); T1|rel(b); T1|rel(a); T2|acq(b); "
                 "T2|acq(a,try);",
                 RF, ORACLE_DEADLOCK, "");
  /* readers do not wait for readers */
  expect_claims ("T1|racq(a); T1|acq(b); T1|rel(b); T1|rrel(a); T2|acq(b); "
                 "T2|racq(a);",
                 RF, ORACLE_DEADLOCK, "");
  expect_claims ("T1|racq(a); T1|acq(b); T1|rel(b); T1|rrel(a); T2|acq(b); "
                 "T2|acq(a);",
                 RF, ORACLE_DEADLOCK, "deadlock 1 5");
}

static void
a_wake_waits_for_its_lock (void **state)
{
  expect_claims ("T1|acq(l); T1|acq(m); T1|wait(c,m); T2|notify(c); "
                 "T1|wake(c,m); "                               /* 4 */
                 "T1|rel(m); T1|rel(l); T2|acq(m); T2|acq(l); " /* 8 */
                 "T2|rel(l); T2|rel(m);",
                 RF, ORACLE_DEADLOCK, "deadlock 1 8; deadlock 4 8");
}

/* ---- conditions ---- */
#define TWO_WAITS(first)                                                       \
  "T1|acq(l); T1|wait(c,l); T2|acq(l); T2|wait(c,l); "                         \
  "T3|" first "(c)|\n"        /* 4 */                                          \
  "T1|wake(c,l); "            /* 5 */                                          \
  "T1|rel(l); T3|notify(c); " /* 7 */                                          \
  "T2|wake(c,l); "            /* 8 */                                          \
  "T2|rel(l); "

static void
one_notify_wakes_one (void **state)
{
  expect_pattern (TWO_WAITS ("notify"), RF, "5 8 7", false);
  expect_pattern (TWO_WAITS ("notify"), RF, "8 7", true);
  expect_pattern (TWO_WAITS ("notify"), RF, "8 5", true);
  expect_pattern (TWO_WAITS ("notify"), RF, "4 7 8 5", true);
  expect_pattern (TWO_WAITS ("notify"), RF, "7 3 8 5", false);
  expect_pattern (TWO_WAITS ("notifyall"), RF, "5 8 7", true);
  expect_pattern (TWO_WAITS ("notifyall"), RF, "4 3 5 8 7", false);
}

static void
a_notify_before_the_wait_is_lost (void **state)
{
  expect_pattern ("T1|acq(l); T1|wait(c,l); T2|notify(c); T1|wake(c,l);", RF,
                  "2 1", true);
  expect_pattern ("T1|acq(l); T1|wait(c,l); T2|notify(c); T1|wake(c,l);", RF,
                  "2 1 3", false);
  expect_pattern ("T1|acq(l); T1|wait(c,l); T2|notify(c); "
                  "T1|wake(c,l,timeout);",
                  RF, "2 1 3", true);
  expect_pattern ("T1|wait(c); T2|notify(c); T1|wake(c,spurious);", RF, "2 1",
                  true);
}

static void
whatever_follows_a_bare_wait_is_its_return (void **state)
{
  const char *text = "T1|wait(c); T2|w(x); T2|notify(c); T1|r(x);";
  expect_claims (text, RF, ORACLE_RACE | ORACLE_RACE_ORDER | ORACLE_NONDET, "");
  expect_pattern (text, RF, "2 0 3", false);
  expect_claims ("T1|wait(c); T2|notify(c); T2|w(x); T1|r(x);", RF, ORACLE_RACE,
                 "race 2 3");
}

static void
a_notifyall_leaves_notifies_to_others (void **state)
{
  /* T1 is served by 1, hence T2 by 3; were T1 given 3, T2 would have none */
  const char *text = "T1|wait(c); T3|notifyall(c); T2|wait(c); "
                     "T3|notify(c); T1|w(x); " /* 4 */
                     "T2|w(x);";               /* 5 */
  expect_claims (text, RF, ORACLE_RACE, "race 4 5");
  expect_claims (
      "T1|wait(c); T3|notifyall(c); T3|w(x); " /* 2 */
      "T3|notify(c); T1|w(x); " /* 4: served by 1, so that 2 is not before it */
      ,
      RF, ORACLE_RACE_ORDER, "race-order 2 4; race-order 4 2");
}

static void
a_notify_serves_once (void **state)
{
  /* 4 must see 3, so that T1 returns before 6 and is served by 2; hence T2 is
     served by 6, which is after 5 */
  expect_claims ("T1|wait(c); T2|wait(c); T3|notify(c); T1|aw.rlx(f=1); "
                 "T3|ar.rlx(f=1); T3|w(x); T3|notify(c); T2|w(x);",
                 RF, ORACLE_RACE | ORACLE_RACE_ORDER, "");
}

/* ---- semaphores, barriers, threads, annotations ---- */
static void
semaphores_count (void **state)
{
  expect_claims ("T1|w(x); T1|up(s); T2|down(s); T2|w(x);", RF,
                 ORACLE_RACE | ORACLE_RACE_ORDER, "");
  expect_claims ("T1|seminit(s,1); T1|w(x); T1|up(s); T2|down(s); T2|w(x);", RF,
                 ORACLE_RACE | ORACLE_RACE_ORDER,
                 "race 1 4; race-order 1 4; race-order 4 1");
}

static void
semaphores_fail_at_zero (void **state)
{
  const char *text = "T1|seminit(s,1); T2|down(s); T3|semfail(s); T3|w(x); "
                     "T2|w(x); T2|up(s);";
  expect_pattern (text, RF, "2 1", false);
  expect_pattern (text, RF, "5 2", false);
  expect_pattern (text, RF, "1 2", true);
  expect_claims (text, RF, ORACLE_RACE, "race 3 4");
  /* seminit keeps its place, the first down needs the initial unit */
  text = "T1|down(s); T2|seminit(s,2); T3|down(s);";
  expect_pattern (text, RF, "1 0", false);
  expect_pattern (text, RF, "2 0", false);
}

static void
the_second_down_needs_the_first_up (void **state)
{
  /* one unit at the start: two downs and one up */
  const char *text = "T1|w(x); T1|up(s); T2|down(s); T3|down(s); T3|w(x);";
  expect_claims (text, RF, ORACLE_RACE, "race 0 4");
  expect_pattern (text, RF, "2 3 1", false);
}

static void
barriers_hold_all (void **state)
{
  expect_claims ("T1|w(x); T1|arrive(b,2); T2|arrive(b,2); T1|depart(b); "
                 "T2|depart(b); T2|w(x);",
                 RF, ORACLE_RACE | ORACLE_RACE_ORDER, "");
  expect_claims ("T1|arrive(b,2); T2|arrive(b,2); T1|depart(b); "
                 "T2|depart(b); T1|w(x); T2|w(x);",
                 RF, ORACLE_RACE, "race 4 5");
  /* rounds as observed */
  expect_pattern ("T1|arrive(b,1); T1|depart(b); T2|arrive(b,1); "
                  "T2|depart(b);",
                  RF, "2 0", false);
}

static void
fork_and_join_order (void **state)
{
  expect_claims ("T1|w(x); T1|fork(T2); T2|w(x); T1|join(T2); T1|w(x);", RF,
                 ORACLE_RACE | ORACLE_RACE_ORDER, "");
  /* a thread without events is joined after its fork */
  expect_pattern ("T1|fork(T3); T2|join(T3);", RF, "1 0", false);
}

static void
annotations_order (void **state)
{
  const char *text = "T1|w(x); T1|hb(o); T2|ha(o); T2|w(x); T3|hb(o);";
  expect_claims (text, RF, ORACLE_RACE | ORACLE_RACE_ORDER, "");
  expect_pattern (text, RF, "4 2", true);
}

static void
what_keeps_its_place_orders (void **state)
{
  static const char *const ordered[]
      = { "T1|w(x); T2|ext(x); T2|w(x);",
          "T1|w(x); T1|ext(y); T2|w(y); T2|w(x);",
          "T1|w(x); T1|up(s); T2|seminit(s,0); T2|w(x);",
          "T1|w(x); T1|arrive(b,1); T2|arrive(b,1); T2|w(x);",
          "T1|w(x); T1|fork(T3); T2|join(T3); T2|w(x);",
          "T1|w(x); T1|acq(l); T2|rel(l); T2|w(x);" };
  for (size_t i = 0; i < OMEN_COUNT (ordered); i++)
    expect_claims (ordered[i], RF, ORACLE_RACE | ORACLE_RACE_ORDER, "");
  /* a failed try does not, even where it keeps its place */
  expect_claims ("T1|w(x); T1|acq(l); T2|tryfail(l); T2|w(x); T3|rel(l);", RF,
                 ORACLE_RACE | ORACLE_RACE_ORDER, "race-order 0 3");
}

/* ---- what is no question ---- */
static void
refuses_what_is_no_run (void **state)
{
  static const char *const bad[] = { "T1|racq(l)|\nT2|rtryfail(l);",
                                     "T1|seminit(s,0)|\nT1|down(s);",
                                     "T1|w(x=1)|\nT2|r(x=2);",
                                     "T1|depart(b);",
                                     "T1|acq(l)|\nT1|wait(c,l)|\nT1|wake(c,l);",
                                     "T1|join(T2)|\nT2|w(x);" };
  for (size_t i = 0; i < OMEN_COUNT (bad); i++) {
    omen_trace *trace = expect_trace (bad[i]);
    omen_err err = { 0 };
    assert_null (oracle_new (trace, RF, &(oracle_request){ 0 }, &err));
    assert_true (err.set);
    omen_trace_free (trace);
  }
}

static void
wrong_claims_do_not_hold (void **state)
{
  static const oracle_claim wrong[]
      = { { OMEN_CLAIM_RACE, 0, 2, { 0, 1 } }, /* one thread */
          { OMEN_CLAIM_RACE, 0, 2, { 2, 6 } }, /* two variables */
          { OMEN_CLAIM_RACE, 0, 1, { 0 } },
          { OMEN_CLAIM_RACE, 0, 2, { 0, 99 } },
          { OMEN_CLAIM_NONDET, OMEN_WCR, 2, { 0, 3 } }, /* no read */
          { OMEN_CLAIM_NONDET, OMEN_WCR, 2, { 1, 0 } }, /* what it saw */
          { OMEN_CLAIM_NONDET, OMEN_CRW, 2, { 1, OMEN_NONE } },
          { OMEN_CLAIM_PATTERN, 0, 2, { 3, 3 } },
          { OMEN_CLAIM_PATTERN, 0, 2, { 1, 0 } },
          { OMEN_CLAIM_PATTERN, 0, 0, { 0 } },
          { OMEN_CLAIM_DEADLOCK, 0, 2, { 0, 3 } },
          { OMEN_CLAIM_ATOMICITY, 0, 6, { 0, 0, 1, OMEN_NONE, 3, 3 } } };
  omen_trace *trace = expect_trace (EXAMPLE);
  omen_err err = { 0 };
  oracle *o = oracle_new (trace, RF, &(oracle_request){ 0 }, &err);
  for (size_t i = 0; i < OMEN_COUNT (wrong); i++)
    assert_false (oracle_holds (o, &wrong[i]));
  oracle_free (o);
  omen_trace_free (trace);
}

static void
witnesses_are_shortest (void **state)
{
  omen_trace *trace = expect_trace (SWAP);
  omen_err err = { 0 };
  oracle *o = oracle_new (trace, RF, &(oracle_request){ .claims = ORACLE_RACE },
                          &err);
  omen_witness witness = { 0 };
  assert_true (oracle_witness (o, oracle_claim_at (o, 0), &witness));
  assert_int_equal (witness.sequence.count, 3);
  assert_int_equal (witness.sequence.data[0], 3);
  assert_int_equal (witness.sequence.data[1], 4);
  assert_int_equal (witness.sequence.data[2], 0);
  assert_int_equal (witness.identity, omen_trace_identity (trace));
  assert_int_equal (witness.trace_events, 6);
  assert_int_equal (witness.model, RF);
  assert_int_equal (witness.claim.events.count, 2);
  oracle_witness_fini (&witness);
  oracle_free (o);
  omen_trace_free (trace);
}

UNIT_MAIN (
    UNIT (jmpax_example_races), UNIT (jmpax_example_reads),
    UNIT (jmpax_example_lattice), UNIT (lattice_reads_stay_with_their_write),
    UNIT (lattice_keeps_sets_apart), UNIT (lattice_counts_dead_ends),
    UNIT (lattice_leaves_out_what_does_not_count), UNIT (sections_exclude),
    UNIT (race_behind_a_swap_of_sections), UNIT (nested_acquires_count_depth),
    UNIT (irregular_locks_keep_their_order),
    UNIT (base_order_replaces_the_file), UNIT (failed_tries_need_a_holder),
    UNIT (readers_share_writers_exclude), UNIT (two_locks_in_both_orders),
    UNIT (a_gate_around_both_prevents), UNIT (a_gate_around_one_does_not),
    UNIT (three_locks_in_a_circle), UNIT (fork_and_values_prevent_deadlocks),
    UNIT (requests_that_block), UNIT (a_wake_waits_for_its_lock),
    UNIT (one_notify_wakes_one), UNIT (a_notify_before_the_wait_is_lost),
    UNIT (whatever_follows_a_bare_wait_is_its_return),
    UNIT (a_notifyall_leaves_notifies_to_others), UNIT (a_notify_serves_once),
    UNIT (semaphores_count), UNIT (semaphores_fail_at_zero),
    UNIT (the_second_down_needs_the_first_up), UNIT (barriers_hold_all),
    UNIT (fork_and_join_order), UNIT (annotations_order),
    UNIT (what_keeps_its_place_orders), UNIT (refuses_what_is_no_run),
    UNIT (wrong_claims_do_not_hold), UNIT (witnesses_are_shortest))
