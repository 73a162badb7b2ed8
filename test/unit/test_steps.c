/* What doc/engine.md promises about costs, held by counting steps instead of
   seconds: the same question about longer traces. A step is a basic block of
   the sources of model/ that test/meson.build compiles for this test with
   -fsanitize-coverage=trace-pc. */
#include "unit.h"
#include "modelled.h"

#include "model/quick.h"
#include "model/window.h"

#include <stdio.h>
#include <stdlib.h>

static uint64_t steps_taken;

void __sanitizer_cov_trace_pc (void);

void
__sanitizer_cov_trace_pc (void)
{
  steps_taken++;
}

/* ---- traces that grow ---- */

typedef void (*writer) (FILE *to, unsigned n);

static modelled
grown (writer write, unsigned n)
{
  char *words = NULL;
  size_t size = 0;
  FILE *to = open_memstream (&words, &size);
  modelled on;
  assert_non_null (to);
  write (to, n);
  fclose (to);
  on = modelled_init (words);
  free (words);
  return on;
}

/* T1 waits and T2 notifies, n times. */
static void
in_turns (FILE *to, unsigned n)
{
  while (n--)
    fputs ("T1|acq(l) T1|wait(c,l) T2|acq(l) T2|notify(c) T2|rel(l) "
           "T1|wake(c,l) T1|rel(l) ",
           to);
}

/* The same after n notifies that meet no wait. */
static void
after_lost (FILE *to, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    fputs ("T2|notify(c) ", to);
  in_turns (to, n);
}

/* The same while T3 waits, which returns last. */
static void
during_a_wait (FILE *to, unsigned n)
{
  fputs ("T3|wait(c) ", to);
  in_turns (to, n);
  fputs ("T2|notify(c) T3|w(x) ", to);
}

/* Eight threads wait and return the other way round; every 100th time a
   notifyall serves them. */
static void
in_crowds (FILE *to, unsigned n)
{
  for (unsigned i = 0; i < n; i += 8) {
    for (unsigned t = 0; t < 8; t++)
      fprintf (to, "T%u|wait(c) ", t);
    for (unsigned t = 0; t < 8; t++)
      fprintf (to, "T9|notify%s(c) ", !t && i % 800 == 792 ? "all" : "");
    for (unsigned t = 8; t-- > 0;)
      fprintf (to, "T%u|w(x) ", t);
  }
}

static const writer waits[]
    = { in_turns, after_lost, during_a_wait, in_crowds };

/* Steps may grow by a logarithm faster than the trace: to less than six times
   as many for a trace four times as long, where the square would be 16. */
static void
assert_linear (uint64_t steps, uint64_t steps_of_four)
{
  assert_true (steps > 0);
  assert_true (steps_of_four < 6 * steps);
}

/* ---- notifies ---- */

static uint64_t
steps_to_serve (writer write, unsigned n)
{
  uint64_t before = steps_taken;
  modelled on = grown (write, n);
  omen_quick *quick = omen_quick_new (on.m, OMEN_PRESERVE_RF);
  omen_quick_free (quick);
  modelled_fini (&on);
  return steps_taken - before;
}

static void
returns_are_served_in_linear_time (void **state)
{
  (void)state;
  for (size_t i = 0; i < OMEN_COUNT (waits); i++)
    assert_linear (steps_to_serve (waits[i], 1000),
                   steps_to_serve (waits[i], 4000));
}

/* Of the last events, a hundred, with all others in the past. */
static uint64_t
steps_of_window (writer write, unsigned n)
{
  modelled on = grown (write, n);
  uint64_t before = steps_taken;
  omen_window *window = omen_window_new (
      on.m, OMEN_PRESERVE_RF, on.m->event_count - 100, on.m->event_count);
  uint64_t steps = steps_taken - before;
  assert_true (window->problem.needs.count > 0);
  /* not the notifies that nothing in the window can take */
  assert_true (window->problem.providers.count < 110);
  omen_window_free (window);
  modelled_fini (&on);
  return steps;
}

static void
the_past_of_a_window_is_linear (void **state)
{
  (void)state;
  for (size_t i = 0; i < OMEN_COUNT (waits); i++)
    assert_linear (steps_of_window (waits[i], 1000),
                   steps_of_window (waits[i], 4000));
}

/* ---- quick answers ---- */

/* Two threads use n locks one after the other, then race. */
static void
many_locks (FILE *to, unsigned n)
{
  for (unsigned i = 0; i < n; i++)
    fprintf (to, "T1|acq(l%u) T1|rel(l%u) T2|acq(l%u) T2|rel(l%u) ", i, i, i,
             i);
  fputs ("T1|w(x) T2|w(x) ", to);
}

/* Two threads hold one lock as readers n times, and once more while they
   race. */
static void
many_readers (FILE *to, unsigned n)
{
  fputs ("T1|acq(l) T1|rel(l) ", to);
  for (unsigned i = 0; i < n; i++)
    fputs ("T1|racq(l) T2|racq(l) T2|rrel(l) T1|rrel(l) ", to);
  fputs ("T1|racq(l) ", to);
  for (unsigned i = 0; i < n; i++)
    fputs ("T2|racq(l) T2|rrel(l) ", to);
  fputs ("T2|racq(l) T1|w(x) T2|w(x) ", to);
}

/* Of a race of the last two events. */
static uint64_t
steps_of_race (writer write, unsigned n)
{
  modelled on = grown (write, n);
  omen_quick *quick = omen_quick_new (on.m, OMEN_PRESERVE_RF);
  uint32_t *cut = omen_alloc (on.m->thread_count * sizeof *cut);
  omen_eid next[] = { on.m->event_count - 2, on.m->event_count - 1 };
  uint64_t before = steps_taken, steps;
  assert_int_equal (omen_quick_next (quick, next, 2, cut), OMEN_FOUND);
  steps = steps_taken - before;
  assert_true (steps > 0);
  omen_free (cut);
  omen_quick_free (quick);
  modelled_fini (&on);
  return steps;
}

/* A hundred times as much of what does not matter may add to binary searches,
   no more. */
static void
assert_as_quick (writer write)
{
  assert_true (steps_of_race (write, 1000) < 3 * steps_of_race (write, 10));
}

static void
quick_answers_look_at_locks_held_alone (void **state)
{
  (void)state;
  assert_as_quick (many_locks);
}

static void
quick_answers_do_not_walk_over_readers (void **state)
{
  (void)state;
  assert_as_quick (many_readers);
}

UNIT_MAIN (UNIT (returns_are_served_in_linear_time),
           UNIT (the_past_of_a_window_is_linear),
           UNIT (quick_answers_look_at_locks_held_alone),
           UNIT (quick_answers_do_not_walk_over_readers))
