/* trace: which traces are well-formed, and what is said of the others. */
#include "unit.h"
#include "words.h"

#include "trace/wellformed.h"

#include <stdio.h>

/* ---- helpers ---- */

static void
good (const char *words)
{
  omen_trace *trace = words_parse (words);
  omen_base_order base;
  omen_err err = { 0 };
  if (!omen_wellformed (trace, &base, &err))
    fail_msg ("%s\n  in %s", err.what, words);
  assert_string_equal (base.warning, "");
  assert_null (base.order);
  omen_base_order_fini (&base);
  assert_true (omen_wellformed (trace, NULL, NULL));
  omen_trace_free (trace);
}

static void
bad (const char *words, const char *what)
{
  omen_trace *trace = words_parse (words);
  omen_base_order base;
  omen_err err = { 0 };
  if (omen_wellformed (trace, &base, &err))
    fail_msg ("taken for well-formed: %s", words);
  assert_string_equal (err.where, "t");
  assert_string_equal (err.what, what);
  omen_trace_free (trace);
}

/* The events in the base order, as text. */
static void
reordered (const char *words, const char *order, const char *warning)
{
  omen_trace *trace = words_parse (words);
  omen_base_order base;
  omen_err err = { 0 };
  char got[512] = "";
  if (!omen_wellformed (trace, &base, &err))
    fail_msg ("%s\n  in %s", err.what, words);
  assert_non_null (base.order);
  for (uint32_t i = 0; i < trace->events.count; i++) {
    snprintf (got + strlen (got), sizeof got - strlen (got), "%s%u",
              i ? " " : "", base.order[i]);
    assert_int_equal (base.position[base.order[i]], i);
  }
  assert_string_equal (got, order);
  assert_string_equal (base.warning, warning);
  omen_base_order_fini (&base);
  omen_trace_free (trace);
}

/* ---- threads ---- */

static void
threads_fork_and_join (void **state)
{
  good ("");
  good ("T1|w(x) T2|w(x)");
  good ("T1|fork(T2) T2|w(x) T1|join(T2) T1|r(x)");
  good ("T1|fork(T2) T1|join(T2)");
  good ("T1|join(T2) T3|join(T2)");
  bad ("T2|w(x)|f.c:7 T1|fork(T2)",
       "event 0 (T2:0 w(x) at f.c:7): event of T2 before its fork");
  bad ("T1|fork(T2) T2|w(x) T1|join(T2) T2|w(x)",
       "event 3 (T2:1 w(x)): event of T2 after its join");
  bad ("T1|fork(T2) T1|fork(T2)",
       "event 1 (T1:1 fork(T2)): T2 is forked twice");
  bad ("T1|fork(T1)", "event 0 (T1:0 fork(T1)): a thread that forks itself");
  bad ("T1|fork(T2) T2|fork(T2)",
       "event 1 (T2:0 fork(T2)): a thread that forks itself");
  bad ("T1|join(T1)", "event 0 (T1:0 join(T1)): a thread that joins itself");
  bad ("T1|join(T2) T1|fork(T2)",
       "event 0 (T1:0 join(T2)): join of T2 before its fork");
}

/* ---- locks ---- */

static void
locks_are_released_by_holders (void **state)
{
  good ("T1|acq(l) T1|rel(l) T2|acq(l)");
  good ("T1|acq(l) T1|acq(l) T1|rel(l) T1|rel(l) T2|acq(l) T2|rel(l)");
  good ("T1|racq(l) T2|racq(l) T2|racq(l) T1|rrel(l) T2|rrel(l) T2|rrel(l) "
        "T3|acq(l) T3|rel(l)");
  good ("T1|acq(l) T2|req(l) T2|lockfail(l) T1|rel(l)");
  bad ("T1|acq(l) T1|rel(l)|f.c:1 T2|rel(l)|f.c:7",
       "event 2 (T2:0 rel(l) at f.c:7): release of a lock that nobody holds");
  bad ("T1|rrel(l)",
       "event 0 (T1:0 rrel(l)): release of a lock that nobody holds");
  bad ("T1|acq(l) T1|acq(l) T1|rel(l) T1|rel(l) T1|rel(l)",
       "event 4 (T1:4 rel(l)): release of a lock that nobody holds");
  good ("T1|acq(l) T1|rel(l) T1|wait(c,l)");
}

static void
failed_tries_need_a_holder (void **state)
{
  good ("T1|acq(l) T2|tryfail(l) T2|rtryfail(l) T1|rel(l)");
  good ("T1|racq(l) T2|tryfail(l) T1|tryfail(l) T1|rrel(l)");
  bad ("T1|tryfail(l)",
       "event 0 (T1:0 tryfail(l)): failed try of a lock that nobody holds");
  bad ("T1|acq(l) T1|rel(l) T2|tryfail(l)",
       "event 2 (T2:0 tryfail(l)): failed try of a lock that nobody holds");
  bad ("T1|racq(l) T2|rtryfail(l)",
       "event 1 (T2:0 rtryfail(l)): failed try of a lock that no writer holds");
}

/* ---- conditions ---- */

static void
waits_are_followed_by_wakes (void **state)
{
  good ("T1|acq(l) T1|wait(c,l) T2|acq(l) T2|notify(c) T2|rel(l) T1|wake(c,l) "
        "T1|rel(l)");
  good ("T1|acq(l) T1|acq(l) T1|wait(c,l) T2|acq(l) T2|rel(l) "
        "T1|wake(c,l,timeout) T1|rel(l) T1|rel(l)");
  good ("T1|acq(l) T1|wait(c,l) T1|wake(c,l,spurious) T1|rel(l)");
  good ("T1|acq(l) T1|rel(l) T1|wait(c) T2|notify(c) T1|acq(l)");
  good ("T1|acq(l) T1|rel(l) T1|wait(c) T2|notify(c) T1|wake(c,l) T1|rel(l)");
  good ("T1|wait(c) T2|notify(c) T1|wake(c)");
  good ("T1|wait(c)");
  bad ("T1|wake(c)", "event 0 (T1:0 wake(c)): wake without a wait");
  bad ("T1|acq(l) T1|wait(c,l) T2|notify(c) T1|wake(c,l) T1|wake(c,l)",
       "event 4 (T1:3 wake(c,l)): wake without a wait");
  bad ("T1|acq(l) T1|wait(c,l) T1|w(x) T1|wake(c,l)",
       "event 2 (T1:2 w(x)): another event between a wait and its wake");
  bad ("T1|acq(l) T1|wait(c,l) T2|notify(d) T1|wake(d,l)",
       "event 3 (T1:2 wake(d,l)): wake does not match the wait before it");
  bad ("T1|acq(l) T1|wait(c,l) T2|notify(c) T1|wake(c,k)",
       "event 3 (T1:2 wake(c,k)): wake does not match the wait before it");
  bad ("T1|acq(l) T1|wait(c,l) T2|notify(c) T1|wake(c)",
       "event 3 (T1:2 wake(c)): wake does not match the wait before it");
  bad ("T1|wait(c) T2|notify(d) T1|wake(d)",
       "event 2 (T1:1 wake(d)): wake does not match the wait before it");
}

static void
each_return_has_its_notify (void **state)
{
  good ("T1|wait(c) T2|wait(c) T3|notifyall(c) T1|w(x) T2|w(x)");
  good ("T1|wait(c) T3|notify(c) T2|wait(c) T3|notify(c) T2|w(x) T1|w(x)");
  good ("T1|wait(c) T3|notify(c) T1|wait(c) T3|notify(c) T1|w(x)");
  /* the second return needs what the first one leaves */
  good ("T1|wait(c) T3|notify(c) T2|wait(c) T3|notify(c) T1|w(x) T2|w(x)");
  bad ("T1|notify(c) T2|wait(c) T2|w(x)",
       "event 2 (T2:1 w(x)): return from a wait that no notify explains");
  bad ("T1|wait(c) T2|wait(c) T3|notify(c) T1|w(x) T2|w(x)",
       "event 4 (T2:1 w(x)): return from a wait that no notify explains");
  bad ("T1|wait(c) T3|notifyall(c) T2|wait(c) T1|w(x) T2|w(x)",
       "event 4 (T2:1 w(x)): return from a wait that no notify explains");
  bad ("T1|wait(c) T2|notify(d) T1|w(x)",
       "event 2 (T1:1 w(x)): return from a wait that no notify explains");
}

/* ---- blocks ---- */

static void
blocks_are_opened_first (void **state)
{
  good ("T1|begin(A) T1|begin(B) T1|end(A) T1|end(B) T1|enter(f) T1|begin(A)");
  good ("T1|enter(f) T1|enter(f) T1|exit(f) T1|exit(f)");
  bad ("T1|begin(A) T1|end(B)", "event 1 (T1:1 end(B)): end without begin");
  bad ("T1|begin(A) T2|end(A)", "event 1 (T2:0 end(A)): end without begin");
  bad ("T1|begin(f) T1|exit(f)", "event 1 (T1:1 exit(f)): exit without enter");
  bad ("T1|enter(f) T1|exit(f) T1|exit(f)",
       "event 2 (T1:2 exit(f)): exit without enter");
}

static void
partial_traces_may_lack_openings (void **state)
{
  omen_trace *trace = words_parse ("T1|end(A) T1|exit(f)");
  trace->flags |= OMEN_TRACE_PARTIAL;
  assert_true (omen_wellformed (trace, NULL, NULL));
  omen_trace_free (trace);
}

/* ---- values ---- */

static void
reads_see_the_last_write (void **state)
{
  good ("T1|w(x=5) T2|r(x=5) T2|w(x) T1|r(x=6) T1|r(x=7)");
  good ("*|init(x=3)| T1|r(x=3) T1|rmw(x=3:4) T2|ar(x=4)");
  good ("T1|r(x=3) T1|ext(x) T1|r(x=4)");
  good ("T1|w(x=-1) T1|r(x=18446744073709551615)");
  good ("T1|w(x=red) T1|r(x=red) T1|w(x=&y+4) T1|r(x=&y+4)");
  good ("T1|alloc(p,8) T1|r(p=1) T1|r(p=2)");
  bad ("T1|w(x=5)|f.c:1 T2|r(x=6)|f.c:2",
       "event 1 (T2:0 r(x=6) at f.c:2): reads another value than event 0 (T1:0 "
       "w(x=5) at f.c:1) wrote");
  bad ("*|init(x=3)| T1|r(x=4)",
       "event 0 (T1:0 r(x=4)): reads another value than the initial one");
  bad ("T1|r(x=3) T2|r(x=4)",
       "event 1 (T2:0 r(x=4)): reads another value than event 0 (T1:0 r(x=3)) "
       "read before any write");
  bad ("T1|w(x=3) T2|rmw(x=4:5)",
       "event 1 (T2:0 rmw(x=4:5)): reads another value than event 0 (T1:0 "
       "w(x=3)) wrote");
  bad ("T1|rmw(x=3:4) T2|ar(x=3)",
       "event 1 (T2:0 ar(x=3)): reads another value than event 0 (T1:0 "
       "rmw(x=3:4)) wrote");
  bad ("T1|w(x=&y) T1|r(x=&y+1)",
       "event 1 (T1:1 r(x=&y+1)): reads another value than event 0 (T1:0 "
       "w(x=&y)) wrote");
}

static void
values_are_compared_by_bytes (void **state)
{
  good ("T1|w(x+0:4=258) T1|r(x+0:1=2) T1|r(x+1:1=1) T1|r(x+2:2=0)");
  good ("T1|w(x+0:2=258) T1|w(x+0:1=3) T1|r(x+0:2=259)");
  good ("T1|w(x=5) T1|r(x+0:4=6)");       /* whole and bytes: not comparable */
  good ("T1|w(x+0:8=red) T1|r(x+4:4=5)"); /* nor are a token and bytes */
  good ("T1|w(x+0:16=5) T1|r(x+0:8=6)");  /* too wide to have bytes */
  bad ("T1|w(x+0:4=258) T1|r(x+1:1=2)",
       "event 1 (T1:1 r(x+1:1=2)): reads another value than event 0 (T1:0 "
       "w(x+0:4=258)) wrote");
  bad ("T1|w(x+0:8=red) T1|r(x+0:4=red) T1|r(x+4:4=red)",
       "event 2 (T1:2 r(x+4:4=red)): reads another value than event 0 (T1:0 "
       "w(x+0:8=red)) wrote");
}

static void
blocks_of_memory_are_allocated_first (void **state)
{
  omen_trace *trace = words_parse ("T1|alloc(p,8) T1|w(p) T1|alloc(q,8)");
  omen_err err = { 0 };
  trace->events.data[2].object = 0; /* as only a binary file can say it */
  assert_false (omen_wellformed (trace, NULL, &err));
  assert_string_equal (
      err.what, "event 2 (T1:2 alloc(p,8)): alloc of a block that is in use");
  omen_trace_free (trace);
}

/* ---- semaphores and barriers ---- */

static void
semaphores_count (void **state)
{
  omen_trace *trace = words_parse (
      "T1|down(s) T2|up(s) T1|down(s) T1|down(s) T1|up(t) T1|down(t)");
  omen_base_order base;
  assert_true (omen_wellformed (trace, &base, NULL));
  assert_int_equal (base.sem_start[0], 2);
  assert_int_equal (base.sem_start[1], 0);
  omen_base_order_fini (&base);
  omen_trace_free (trace);
  good ("T1|seminit(s,1) T1|down(s) T2|semfail(s) T1|up(s)");
  good ("T1|down(s) T1|semfail(s) T1|seminit(s,0) T1|semfail(s)");
  bad ("T1|seminit(s,1) T1|down(s) T2|down(s)",
       "event 2 (T2:0 down(s)): down when the count is 0");
  bad ("T1|up(s) T1|semfail(s)",
       "event 1 (T1:1 semfail(s)): failed down when the count is 1");
  bad ("T1|semfail(s) T2|down(s)",
       "event 0 (T1:0 semfail(s)): failed down when the count is 1");
}

static void
barriers_go_by_rounds (void **state)
{
  good ("T1|arrive(b,2) T2|arrive(b,2) T1|depart(b) T1|arrive(b,1) "
        "T2|depart(b)");
  good ("T1|arrive(b,2)");
  bad ("T1|depart(b)", "event 0 (T1:0 depart(b)): depart without arrive");
  bad ("T1|arrive(b,2) T1|depart(b)",
       "event 1 (T1:1 depart(b)): depart when 1 of 2 threads have arrived");
  bad ("T1|arrive(b,2) T2|arrive(b,3)",
       "event 1 (T2:0 arrive(b,3)): a barrier of 3 threads in a round of 2");
}

/* ---- orders and dependences ---- */

static void
memory_orders_are_those_of_c11 (void **state)
{
  good ("T1|ar.acq(x) T1|ar.rlx(x) T1|aw.rel(x) T1|aw.rlx(x) T1|rmw.acqrel(x) "
        "T1|rmw.acq(x) T1|fence.acqrel() T1|fence.rel()");
  bad ("T1|ar.rel(x)",
       "event 0 (T1:0 ar.rel(x)): an atomic read cannot have the memory order "
       "rel");
  bad ("T1|aw.acq(x)",
       "event 0 (T1:0 aw.acq(x)): an atomic write cannot have the memory order "
       "acq");
  bad ("T1|aw.acqrel(x)",
       "event 0 (T1:0 aw.acqrel(x)): an atomic write cannot have the memory "
       "order acqrel");
}

static void
dependences_point_back (void **state)
{
  good ("T1|r(x) T1|branch()|<-0 T2|w(y) T1|w(y)|<-0^1 T1|rmw(z) "
        "T1|w(y)|<-3,0");
  bad ("T1|r(x) T1|w(y)|<-1",
       "event 1 (T1:1 w(y)): depends on 1, which is no earlier read of its "
       "thread");
  bad ("T1|w(x) T1|w(y)|<-0",
       "event 1 (T1:1 w(y)): depends on 0, which is no earlier read of its "
       "thread");
  bad ("T1|r(x) T1|w(y)|^0",
       "event 1 (T1:1 w(y)): is controlled by 0, which is no earlier branch of "
       "its thread");
}

/* ---- overlaps ---- */

static void
overlaps_are_delayed (void **state)
{
  reordered ("T1|acq(l) T2|acq(l) T2|w(x) T1|w(y) T1|rel(l) T2|rel(l)",
             "0 3 4 1 2 5",
             "event 1 (T2:0 acq(l)): acquires a lock that T1 holds; read as if "
             "it came later");
  reordered (
      "T1|acq(l) T2|racq(l) T3|acq(l) T1|rel(l) T2|rrel(l) T3|rel(l)",
      "0 3 1 4 2 5",
      "event 1 (T2:0 racq(l)): acquires a lock that T1 holds; read as if "
      "it came later (and 1 more like this)");
  reordered (
      "T1|acq(l) T1|wait(c,l) T2|acq(l) T2|notify(c) T1|wake(c,l) "
      "T2|rel(l) T1|rel(l)",
      "0 1 2 3 5 4 6",
      "event 4 (T1:2 wake(c,l)): acquires a lock that T2 holds; read as if "
      "it came later");
  /* k is irregular: its operations stay where they are */
  reordered ("T1|acq(k) T2|rel(k) T3|acq(k) T1|acq(l) T2|acq(l) T1|rel(l)",
             "0 1 2 3 5 4",
             "event 4 (T2:1 acq(l)): acquires a lock that T1 holds; read as if "
             "it came later");
  bad ("T1|acq(l) T2|acq(l) T2|w(x) T1|r(x) T1|rel(l)",
       "event 1 (T2:0 acq(l)): acquires a lock that T1 holds; acquired later, "
       "event 3 (T1:1 r(x)) would not see the same");
  bad ("T1|acq(l) T2|acq(l) T2|rel(l)",
       "event 1 (T2:0 acq(l)): acquires a lock that T1 holds and never "
       "releases");
  bad ("T1|acq(l) T2|acq(l) T2|fork(T3) T3|w(x) T1|rel(l)",
       "event 3 (T3:0 w(x)): event of T3 before its fork");
}

/* A lock that another thread releases, or that is used in both modes. */
static void
irregular_locks_keep_their_order (void **state)
{
  static const struct {
    const char *words;
    unsigned event, word;
  } cases[] = {
    { "T1|acq(l) T2|rel(l) T3|acq(l)", 1, OMEN_WORD_NOT_HOLDER },
    { "T1|acq(l) T3|acq(l) T2|rel(l)", 2, OMEN_WORD_NOT_HOLDER },
    { "T1|racq(l) T1|rel(l)", 1, OMEN_WORD_NOT_HOLDER },
    { "T1|acq(l) T1|racq(l)", 1, OMEN_WORD_TAKEN_TWICE },
    { "T1|racq(l) T1|acq(l)", 1, OMEN_WORD_TAKEN_TWICE },
    { "T1|acq(l) T2|wait(c,l)", 1, OMEN_WORD_WAIT_WITHOUT_LOCK },
  };
  for (size_t i = 0; i < OMEN_COUNT (cases); i++) {
    omen_trace *trace = words_parse (cases[i].words);
    omen_base_order base;
    assert_true (omen_wellformed (trace, &base, NULL));
    assert_int_equal (base.irregular[0], 1);
    assert_null (base.order);
    assert_int_equal (base.misuses.count, 1);
    assert_int_equal (base.misuses.data[0].event, cases[i].event);
    assert_int_equal (base.misuses.data[0].word, cases[i].word);
    omen_base_order_fini (&base);
    omen_trace_free (trace);
  }
}

static void
misuse_is_noted (void **state)
{
  static const struct {
    const char *words;
    unsigned event, word;
  } cases[] = {
    { "T1|acq(l) T1|acq(l)", 1, OMEN_WORD_TAKEN_TWICE },
    { "T1|acq(l) T1|req(l)", 1, OMEN_WORD_TAKEN_TWICE },
    { "T1|acq(l) T1|destroy(l)", 1, OMEN_WORD_DESTROYED_HELD },
    { "T1|racq(l) T2|destroy(l) T1|rrel(l)", 1, OMEN_WORD_DESTROYED_HELD },
    { "T1|acq(l) T2|join(T1)", 1, OMEN_WORD_HELD_AT_EXIT },
    /* and what is none */
    { "T1|racq(l) T1|racq(l) T1|rrel(l) T1|rrel(l) T2|join(T1)", 9, 9 },
    { "T1|acq(l) T1|rel(l) T1|destroy(l) T1|req(l)", 9, 9 },
    { "T1|acq(l) T1|alloc(l,8) T1|alloc(l,8) T1|free(l~0) T1|free(l)", 9, 9 },
    { "T1|acq(l) T1|destroy(k) T1|rel(l)", 9, 9 },
    { "T1|acq(l) T1|req(l) T1|lockfail(l)", 9, 9 },
    { "T1|acq(l) T2|req(l)", 9, 9 },
    { "T1|racq(l) T1|req(l)", 9, 9 },
  };
  for (size_t i = 0; i < OMEN_COUNT (cases); i++) {
    omen_trace *trace = words_parse (cases[i].words);
    omen_base_order base;
    assert_true (omen_wellformed (trace, &base, NULL));
    assert_int_equal (base.misuses.count, cases[i].event != 9);
    if (base.misuses.count) {
      assert_int_equal (base.misuses.data[0].event, cases[i].event);
      assert_int_equal (base.misuses.data[0].word, cases[i].word);
    }
    assert_int_equal (base.irregular[0], 0);
    omen_base_order_fini (&base);
    omen_trace_free (trace);
  }
}

int
main (void)
{
  const struct CMUnitTest tests[] = {
    UNIT (threads_fork_and_join),
    UNIT (locks_are_released_by_holders),
    UNIT (failed_tries_need_a_holder),
    UNIT (waits_are_followed_by_wakes),
    UNIT (each_return_has_its_notify),
    UNIT (blocks_are_opened_first),
    UNIT (partial_traces_may_lack_openings),
    UNIT (reads_see_the_last_write),
    UNIT (values_are_compared_by_bytes),
    UNIT (blocks_of_memory_are_allocated_first),
    UNIT (semaphores_count),
    UNIT (barriers_go_by_rounds),
    UNIT (memory_orders_are_those_of_c11),
    UNIT (dependences_point_back),
    UNIT (overlaps_are_delayed),
    UNIT (irregular_locks_keep_their_order),
    UNIT (misuse_is_noted),
  };
  return cmocka_run_group_tests (tests, NULL, NULL);
}
