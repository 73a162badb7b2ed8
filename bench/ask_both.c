/* ask_both [TRACES [SEED]]: the native search and Z3 on the same questions
   about random traces of 60 to 200 events; only questions that reach the search
   stage count. Prints "questions, median microseconds native, of Z3, median
   ratio". */
#include "gen.h"
#include "base/now.h"
#include "model/engine.h"

#include <stdio.h>
#include <stdlib.h>

#define TRIES 400u   /* pairs drawn from a trace */
#define QUESTIONS 4u /* that are put to Z3, of each trace */
#define REPEATS 5u   /* of a native question: the least time counts */

typedef struct sample {
  double native, z3, ratio;
} sample;
typedef OMEN_VEC (sample) samples;

/* Seconds that the question takes; the least of some repeats. */
static double
time_question (omen_engine *engine, const omen_question *q, unsigned repeats,
               omen_stage *stage)
{
  double least = 1e9;
  for (unsigned i = 0; i < repeats; i++) {
    omen_engine_answer answer;
    double start = omen_used (), seconds;
    omen_engine_ask (engine, q, &answer);
    seconds = omen_used () - start;
    least = seconds < least ? seconds : least;
    *stage = answer.stage;
    OMEN_VEC_FINI (answer.events);
  }
  return least;
}

static void
ask_trace (const omen_model *m, oracle_random *random, bool by_value,
           samples *list)
{
  static const omen_engine_options native = { .budget = { .steps = 50000 } };
  static const omen_engine_options z3 = { .z3_only = true, .z3_seconds = 60 };
  omen_window *window = omen_window_new (m, by_value, 0, m->event_count);
  omen_engine *one = omen_engine_new (window, &native);
  omen_engine *other = omen_engine_new (window, &z3);
  unsigned asked = 0;
  for (unsigned i = 0; i < TRIES && asked < QUESTIONS; i++) {
    omen_eid pair[2] = { oracle_below (random, m->event_count),
                         oracle_below (random, m->event_count) };
    omen_question q = { .next = pair, .nexts = 2 };
    omen_stage stage;
    sample s;
    if (!omen_model_may_race (m, pair[0], pair[1]))
      continue;
    s.native = time_question (one, &q, REPEATS, &stage);
    if (stage != OMEN_STAGE_SEARCH)
      continue;
    s.z3 = time_question (other, &q, 1, &stage);
    s.ratio = s.z3 / s.native;
    OMEN_VEC_PUSH (*list, s);
    asked++;
  }
  omen_engine_free (one);
  omen_engine_free (other);
  omen_window_free (window);
}

static int
by_number (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

static double
median (const samples *list, size_t offset)
{
  double *values = omen_alloc (list->count * sizeof *values), middle;
  for (size_t i = 0; i < list->count; i++)
    values[i] = *(const double *)((const char *)&list->data[i] + offset);
  qsort (values, list->count, sizeof *values, by_number);
  middle = values[list->count / 2];
  omen_free (values);
  return middle;
}

int
main (int argc, char **argv)
{
  uint64_t count = argc > 1 ? strtoull (argv[1], NULL, 10) : 60;
  uint64_t seed = argc > 2 ? strtoull (argv[2], NULL, 10) : 1;
  samples list = { 0 };
  for (uint64_t i = 0; i < count; i++, seed++) {
    oracle_random random = { seed };
    oracle_knobs knobs;
    omen_trace *trace;
    omen_model *model;
    oracle_knobs_default (&knobs, seed);
    knobs.threads = 4 + oracle_below (&random, 3);
    knobs.locks = 1 + oracle_below (&random, 4);
    knobs.variables = 1 + oracle_below (&random, 4);
    knobs.dependence = 0;
    knobs.shortest = 60;
    knobs.longest = 200;
    trace = oracle_generate (&knobs);
    model = omen_model_new (trace, NULL);
    if (model)
      ask_trace (model, &random, seed % 2, &list);
    omen_model_free (model);
    omen_trace_free (trace);
  }
  if (list.count)
    printf ("%zu %.1f %.1f %.1f\n", list.count,
            1e6 * median (&list, offsetof (sample, native)),
            1e6 * median (&list, offsetof (sample, z3)),
            median (&list, offsetof (sample, ratio)));
  OMEN_VEC_FINI (list);
  return 0;
}
