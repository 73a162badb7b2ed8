/* The engine's question put to traces worked by hand: figures of the papers,
   windows, what each part of a question means. */
#include "unit.h"
#include "modelled.h"

#include "model/engine.h"

#include <unistd.h>

typedef struct fixture {
  modelled on;
  omen_window *window;
  omen_engine *engine;
} fixture;

static fixture
build (const char *words, bool by_value, uint32_t from)
{
  static const omen_engine_options options = { .budget = { .steps = 10000 } };
  fixture f = { .on = modelled_init (words) };
  f.window = omen_window_new (f.on.m, by_value, from, f.on.m->event_count);
  f.engine = omen_engine_new (f.window, &options);
  return f;
}

static void
drop (fixture *f)
{
  omen_engine_free (f->engine);
  omen_window_free (f->window);
  modelled_fini (&f->on);
}

/* Ask; the stage goes to *stage if it is not NULL. */
static omen_verdict
ask (fixture *f, const omen_question *q, omen_stage *stage)
{
  omen_engine_answer answer;
  omen_verdict verdict = omen_engine_ask (f->engine, q, &answer);
  if (stage)
    *stage = answer.stage;
  OMEN_VEC_FINI (answer.events);
  return verdict;
}

/* Can these two be next together, in the window from `from` on? */
static omen_verdict
race (const char *words, bool by_value, uint32_t from, omen_eid a, omen_eid b)
{
  fixture f = build (words, by_value, from);
  omen_question q = { .next = (omen_eid[]){ a, b }, .nexts = 2 };
  omen_verdict verdict = ask (&f, &q, NULL);
  drop (&f);
  return verdict;
}

/* ---- the nondeterminism paper ---- */

/* Figure 4: r is to come between c and w, but it only happens behind e4, which
   read what was written in the lock after w: r w e1 e2 e4 e5 r. */
static void
figure_4_is_a_cycle (void **state)
{
  fixture f = build ("T1|w(x) T1|w(x) T1|acq(l) T1|w(y) T1|rel(l) "
                     "T2|r(y) T2|acq(l) T2|r(x) T2|rel(l)",
                     false, 0);
  omen_eid c = 0, w = 1, r = 7;
  omen_question q = { .take = (omen_eid[]){ c, r, w },
                      .takes = 3,
                      .order = (omen_eid[]){ c, r, r, w },
                      .orders = 2,
                      .last = &r,
                      .lasts = 1 };
  omen_stage stage;
  (void)state;
  assert_int_equal (ask (&f, &q, &stage), OMEN_ABSENT);
  assert_int_equal (stage, OMEN_STAGE_CLOSURE);
  drop (&f);
}

/* The same without the read of y: nothing keeps r back. */
static void
figure_4_without_its_couple (void **state)
{
  fixture f = build ("T1|w(x) T1|w(x) T1|acq(l) T1|w(y) T1|rel(l) "
                     "T2|w(y) T2|acq(l) T2|r(x) T2|rel(l)",
                     false, 0);
  omen_eid c = 0, w = 1, r = 7;
  omen_question q = {
    .order = (omen_eid[]){ c, r, r, w }, .orders = 2, .last = &r, .lasts = 1
  };
  (void)state;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  drop (&f);
}

/* Figure 5: [a1 b1] and [a2 b2] in l1, [a3 b3] and [a4 b4] in l2. x comes
   before b1 and b2; a1 and a2 before b3 and b4; a3 and a4 before y. So
   whichever of the scopes of l1 and of l2 is first, there is a path from x to y
   over two of them; but none without these choices. */
#define SCOPE(t, l, own, r)                                                    \
  t "|acq(" l ") " t "|w(" own ") " r " " t "|rel(" l ") "
#define FIGURE_5(lock4)                                                        \
  "T0|w(p) " SCOPE ("T1", "l1", "q1", "T1|r(p)")                               \
      SCOPE ("T2", "l1", "q2", "T2|r(p)")                                      \
          SCOPE ("T3", "l2", "s3", "T3|r(q1) T3|r(q2)")                        \
              SCOPE ("T4", lock4, "s4",                                        \
                     "T4|r(q1) T4|r(q2)") "T5|r(s3) T5|r(s4) T5|w(z) T6|w(z)"

static omen_verdict
ask_figure_5 (const char *words, bool y_first, omen_stage *stage)
{
  fixture f = build (words, false, 0);
  omen_eid x = 0, y = 21;
  omen_question q = { .take = (omen_eid[]){ x, y, 4, 8, 12, 17 },
                      .takes = 6,
                      .order = (omen_eid[]){ y, x },
                      .orders = y_first };
  omen_verdict verdict;
  verdict = ask (&f, &q, stage);
  drop (&f);
  return verdict;
}

static void
figure_5_has_no_choice_left (void **state)
{
  omen_stage stage;
  (void)state;
  assert_int_equal (ask_figure_5 (FIGURE_5 ("l2"), true, &stage), OMEN_ABSENT);
  assert_int_equal (stage, OMEN_STAGE_SEARCH);
  assert_int_equal (ask_figure_5 (FIGURE_5 ("l2"), false, NULL), OMEN_FOUND);
  /* with one pair of scopes less there is a way */
  assert_int_equal (ask_figure_5 (FIGURE_5 ("l3"), true, NULL), OMEN_FOUND);
}

/* ---- GPredict, section III ---- */

#define TWO_WAITS(first)                                                       \
  "T1|acq(l) T1|wait(g,l) T2|acq(l) T2|wait(g,l) T3|" first "(g) "             \
  "T1|wake(g,l) T1|w(a) T1|rel(l) T3|w(x) T3|notify(g) T2|wake(g,l) "          \
  "T2|r(a) T2|rel(l) T2|w(x)"

static void
one_notify_serves_one_wait (void **state)
{
  (void)state;
  assert_int_equal (race (TWO_WAITS ("notify"), false, 0, 8, 13), OMEN_ABSENT);
  assert_int_equal (race (TWO_WAITS ("notifyall"), false, 0, 8, 13),
                    OMEN_FOUND);
}

/* ---- windows: what was before them has happened ----
   What they then do not allow is not refuted. */

static void
windows_start_with_past_values (void **state)
{
  const char *words = "T1|w(f=1) T1|w(f=2) T2|w(x=1) T2|w(f=1) T3|r(f=1) "
                      "T3|w(x=2)";
  (void)state;
  assert_int_equal (race (words, true, 0, 2, 5), OMEN_FOUND);
  assert_int_equal (race (words, true, 1, 2, 5), OMEN_FOUND);
  assert_int_equal (race (words, true, 2, 2, 5), OMEN_UNKNOWN);
}

static void
windows_start_with_past_counts (void **state)
{
  const char *words = "T1|seminit(s,1) T1|down(s) T2|up(s) T2|w(x) T3|down(s) "
                      "T3|w(x)";
  (void)state;
  assert_int_equal (race (words, false, 0, 3, 5), OMEN_FOUND);
  assert_int_equal (race (words, false, 3, 3, 5), OMEN_FOUND);
  words = "T1|seminit(s,1) T1|down(s) T2|w(x) T2|up(s) T3|down(s) T3|w(x)";
  assert_int_equal (race (words, false, 0, 2, 5), OMEN_FOUND);
  assert_int_equal (race (words, false, 2, 2, 5), OMEN_UNKNOWN);
}

static void
windows_start_with_locks_held (void **state)
{
  const char *words = "T1|w(x) T1|acq(m) T2|w(x) T1|rel(m) T2|acq(m) T2|rel(m) "
                      "T2|w(y) T1|w(y)";
  (void)state;
  assert_int_equal (race (words, false, 2, 6, 7), OMEN_FOUND);
  words = "T1|acq(m) T1|w(y) T1|rel(m) T2|acq(m) T2|rel(m) T2|w(y)";
  assert_int_equal (race (words, false, 0, 1, 5), OMEN_FOUND);
  assert_int_equal (race (words, false, 1, 1, 5), OMEN_UNKNOWN);
}

static void
windows_do_not_use_a_notify_again (void **state)
{
  const char *words
      = "T1|acq(l) T1|wait(c,l) T2|acq(l) T2|wait(c,l) T3|notify(c) "
        "T1|wake(c,l) T1|rel(l) T3|w(x) T3|notify(c) T2|wake(c,l) T2|rel(l) "
        "T2|w(x)";
  (void)state;
  assert_int_equal (race (words, false, 0, 7, 11), OMEN_FOUND);
  assert_int_equal (race (words, false, 6, 7, 11), OMEN_UNKNOWN);
}

/* 1 and 5 race; 0 and 1 are before the window, 4 can go nowhere. */
static void
windows_do_not_deny_what_is_outside (void **state)
{
  fixture f
      = build ("T1|w(y) T1|w(x) T2|w(z) T3|w(z) T2|w(z) T2|w(x)", false, 2);
  omen_question outside[] = { { .next = (omen_eid[]){ 1, 5 }, .nexts = 2 },
                              { .take = (omen_eid[]){ 0, 5 }, .takes = 2 },
                              { .order = (omen_eid[]){ 5, 1 }, .orders = 1 },
                              { .last = (omen_eid[]){ 1 }, .lasts = 1 } };
  omen_question inside = { .next = (omen_eid[]){ 2, 3 }, .nexts = 2 };
  omen_question proof = { .next = (omen_eid[]){ 2, 4 }, .nexts = 2 };
  (void)state;
  for (size_t i = 0; i < OMEN_COUNT (outside); i++) {
    omen_engine_answer answer;
    assert_int_equal (omen_engine_ask (f.engine, &outside[i], &answer),
                      OMEN_UNKNOWN);
    assert_true (answer.beyond);
    OMEN_VEC_FINI (answer.events);
  }
  assert_int_equal (ask (&f, &inside, NULL), OMEN_FOUND);
  assert_int_equal (ask (&f, &proof, NULL), OMEN_ABSENT);
  drop (&f);
}

/* Marks and what only one thread accesses: in order of their threads, and
   otherwise free. Left out unless they are asked about. */
static void
windows_keep_what_is_asked_about (void **state)
{
  static const omen_engine_options options = { .budget = { .steps = 10000 } };
  omen_eid asked[] = { 1, 4, 5 };
  fixture f = build ("T1|fork(T2) T1|begin(A) T1|w(x) T1|end(A) T2|w(y) "
                     "T2|begin(B) T2|w(x) T2|end(B)",
                     false, 0);
  omen_question q = { .order = (omen_eid[]){ 5, 1 }, .orders = 1 };
  omen_engine_answer answer;
  (void)state;
  assert_int_equal (ask (&f, &q, NULL), OMEN_UNKNOWN);
  omen_engine_free (f.engine);
  omen_window_free (f.window);
  f.window = omen_window_new_asked (f.on.m, false, 0, f.on.m->event_count,
                                    asked, OMEN_COUNT (asked));
  f.engine = omen_engine_new (f.window, &options);
  assert_int_equal (omen_engine_ask (f.engine, &q, &answer), OMEN_FOUND);
  assert_int_equal (answer.events.count, 4);
  for (uint32_t i = 0; i < 4; i++)
    assert_int_equal (answer.events.data[i],
                      ((const omen_eid[]){ 0, 4, 5, 1 })[i]);
  OMEN_VEC_FINI (answer.events);
  q.order = (omen_eid[]){ 5, 4 };
  assert_int_equal (ask (&f, &q, NULL), OMEN_ABSENT);
  q = (omen_question){ .next = (omen_eid[]){ 1, 5 }, .nexts = 2 };
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  drop (&f);
}

/* ---- parts of a question ---- */

static void
a_sight_is_free (void **state)
{
  fixture f = build ("T1|w(x) T2|w(x) T3|r(x)", false, 0);
  uint32_t atom = omen_model_atoms (f.on.m, 2).first;
  omen_seen seen = { 2, 0, atom };
  omen_question q = { .rf = &seen, .rf_count = 1 };
  (void)state;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  q.without = (omen_eid[]){ 1 };
  q.withouts = 1;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  q.without = (omen_eid[]){ 0 };
  assert_int_equal (ask (&f, &q, NULL), OMEN_ABSENT);
  q.withouts = 0;
  seen.writer = OMEN_NONE;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  q.order = (omen_eid[]){ 0, 2 };
  q.orders = 1;
  assert_int_equal (ask (&f, &q, NULL), OMEN_ABSENT);
  drop (&f);
}

/* The joined thread ended as it did, so its last read saw what it saw. */
static void
a_sight_must_please_a_join (void **state)
{
  fixture f = build ("T0|fork(T1) T0|w(x) T1|r(x) T0|join(T1) T0|w(y) T2|w(x)",
                     false, 0);
  omen_seen seen = { 2, 5, omen_model_atoms (f.on.m, 2).first };
  omen_eid take = 3;
  omen_question q = { .rf = &seen, .rf_count = 1 };
  (void)state;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  q.take = &take;
  q.takes = 1;
  assert_int_equal (ask (&f, &q, NULL), OMEN_ABSENT);
  seen.writer = 1;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  drop (&f);
}

/* An rmw that is seen need not have seen what it saw. */
static void
a_sight_may_be_of_anything (void **state)
{
  fixture f = build ("T1|rmw(x=0:1) T2|w(x=5) T3|r(x=5)", false, 0);
  uint32_t atom = omen_model_atoms (f.on.m, 2).first;
  omen_seen seen[2] = { { 2, 0, atom }, { 0, 1, atom } };
  omen_question q = { .rf = seen, .rf_count = 2 };
  (void)state;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  drop (&f);
}

static void
the_whole_of_it (void **state)
{
  fixture f
      = build ("T1|w(x) T1|enter(f) T2|w(x) T2|r(x) T1|exit(f)", false, 0);
  omen_eid order[2] = { 2, 0 };
  omen_question q = { .order = order, .orders = 1, .whole = true };
  omen_engine_answer answer;
  (void)state;
  assert_int_equal (omen_engine_ask (f.engine, &q, &answer), OMEN_FOUND);
  assert_int_equal (answer.events.count, 5);
  OMEN_VEC_FINI (answer.events);
  order[1] = 0;
  order[0] = 3;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND);
  order[1] = 3;
  order[0] = 0;
  assert_int_equal (ask (&f, &q, NULL), OMEN_FOUND); /* before both */
  drop (&f);
}

/* Can a come before b without being synchronised with it? */
static omen_verdict
order_race (const char *words, omen_eid a, omen_eid b)
{
  fixture f = build (words, false, 0);
  omen_eid both[] = { a, b };
  omen_question q = { .take = both,
                      .takes = 2,
                      .order = both,
                      .orders = 1,
                      .has_avoid = true,
                      .avoid = { a, b } };
  omen_verdict verdict = ask (&f, &q, NULL);
  drop (&f);
  return verdict;
}

/* The return of T0 is itself an operation on the condition: a notify, or
   another wait. In the trace T1 serves it, but T2 can. */
static void
returns_may_be_operations_on_the_condition (void **state)
{
  (void)state;
  assert_int_equal (order_race ("T0|wait(c) T1|w(x) T1|notifyall(c) "
                                "T2|notifyall(c) T0|notifyall(c) T0|w(x)",
                                1, 5),
                    OMEN_FOUND);
  assert_int_equal (order_race ("T0|wait(c) T1|w(x) T1|notify(c) T2|notify(c) "
                                "T0|wait(c) T2|notify(c) T0|w(x)",
                                1, 6),
                    OMEN_FOUND);
}

#define PAIRS(...)                                                             \
  (omen_eid[]){ __VA_ARGS__ }, sizeof ((omen_eid[]){ __VA_ARGS__ }) / 8

/* Each second event of a pair directly after the first. */
static omen_verdict
ask_together (const char *words, const omen_eid *pairs, uint32_t count,
              omen_stage *stage)
{
  fixture f = build (words, false, 0);
  omen_question q = { .take = pairs,
                      .takes = 2 * count,
                      .order = pairs,
                      .orders = count,
                      .together = pairs,
                      .togethers = count };
  omen_verdict verdict = ask (&f, &q, stage);
  drop (&f);
  return verdict;
}

static void
pairs_are_links_of_chains (void **state)
{
  const char *words = "T1|w(v) T2|w(v) T3|w(v) T1|w(v) T1|w(v)";
  (void)state;
  assert_int_equal (ask_together (words, PAIRS (2, 1, 1, 0), NULL), OMEN_FOUND);
  assert_int_equal (ask_together (words, PAIRS (1, 2, 0, 1), NULL), OMEN_FOUND);
  /* the second event of a chain that its thread has right after the first,
     and one that it has not */
  assert_int_equal (ask_together (words, PAIRS (0, 1, 1, 3), NULL), OMEN_FOUND);
  assert_int_equal (ask_together (words, PAIRS (0, 1, 1, 4), NULL),
                    OMEN_ABSENT);
  assert_int_equal (ask_together (words, PAIRS (1, 2, 2, 4, 0, 1), NULL),
                    OMEN_ABSENT);
}

/* A walk back from 2 comes to 1 and then goes round 0 and 1, none of which is
   of the thread of 2. */
static void
pairs_in_a_circle_are_refuted (void **state)
{
  const char *words = "T1|w(v) T2|w(v) T3|w(v)";
  omen_stage stage;
  (void)state;
  alarm (20); /* ends the suite if it goes round for ever */
  assert_int_equal (ask_together (words, PAIRS (1, 2, 0, 1, 1, 0), &stage),
                    OMEN_ABSENT);
  assert_int_equal (stage, OMEN_STAGE_CLOCKS);
  assert_int_equal (ask_together (words, PAIRS (0, 1, 1, 2, 2, 0), &stage),
                    OMEN_ABSENT);
  assert_int_equal (stage, OMEN_STAGE_CLOCKS);
  assert_int_equal (ask_together (words, PAIRS (0, 1, 1, 0), &stage),
                    OMEN_ABSENT);
  assert_int_equal (stage, OMEN_STAGE_CLOCKS);
  /* two events directly before one, two directly after one */
  assert_int_equal (ask_together (words, PAIRS (0, 2, 1, 2), NULL),
                    OMEN_ABSENT);
  assert_int_equal (ask_together (words, PAIRS (0, 1, 0, 2), NULL),
                    OMEN_ABSENT);
  alarm (0);
}

static void
a_small_budget_is_told (void **state)
{
  static const omen_engine_options tiny = { .budget = { .steps = 1 } };
  fixture f = build (FIGURE_5 ("l2"), false, 0);
  omen_engine *engine = omen_engine_new (f.window, &tiny);
  omen_question q = { .take = (omen_eid[]){ 0, 21, 4, 8, 12, 17 },
                      .takes = 6,
                      .order = (omen_eid[]){ 21, 0 },
                      .orders = 1 };
  omen_engine_answer answer;
  (void)state;
  assert_int_equal (omen_engine_ask (engine, &q, &answer), OMEN_UNKNOWN);
  assert_int_equal (omen_engine_counts (engine)->unknown, 1);
  OMEN_VEC_FINI (answer.events);
  omen_engine_free (engine);
  drop (&f);
}

UNIT_MAIN (UNIT (figure_4_is_a_cycle), UNIT (figure_4_without_its_couple),
           UNIT (figure_5_has_no_choice_left),
           UNIT (one_notify_serves_one_wait),
           UNIT (windows_start_with_past_values),
           UNIT (windows_start_with_past_counts),
           UNIT (windows_start_with_locks_held),
           UNIT (windows_do_not_use_a_notify_again),
           UNIT (windows_do_not_deny_what_is_outside),
           UNIT (windows_keep_what_is_asked_about), UNIT (a_sight_is_free),
           UNIT (a_sight_must_please_a_join), UNIT (a_sight_may_be_of_anything),
           UNIT (the_whole_of_it), UNIT (pairs_are_links_of_chains),
           UNIT (returns_may_be_operations_on_the_condition),
           UNIT (pairs_in_a_circle_are_refuted), UNIT (a_small_budget_is_told))
