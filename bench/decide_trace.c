/* Decides every possible witness of nondeterminism of a trace, again and again
   for a second, then verifies the ones that were found for another:

     decide_trace TRACE

   prints  witnesses refuted direct chosen undecided  decided/s verified/s
           choice graphs possible and explored a chosen one  share to the engine
   Deciding includes reading the meaning of the trace (omen_model_new), but not
   loading the file. Seconds are CPU seconds. */
#include "predict/nondet_table.h"
#include "base/now.h"
#include "load/load.h"
#include "witness/verify.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static void
fail (const omen_err *err)
{
  fprintf (stderr, "decide_trace: %s: %s\n", err->where, err->what);
  exit (2);
}

/* Rows a second, the fastest of several. */
static double
decide (const omen_trace *trace, const omen_predict_options *options,
        omen_nondet_table *table)
{
  double spent = 0, best = 0;
  while (spent < 1) {
    omen_err err = { 0 };
    double start = omen_used (), seconds;
    omen_model *model = omen_model_new (trace, &err);
    if (!model)
      fail (&err);
    *table = (omen_nondet_table){ 0 };
    omen_nondet_count (model, options, false, table);
    omen_model_free (model);
    seconds = omen_used () - start;
    if (!spent || seconds < best)
      best = seconds;
    spent += seconds;
  }
  return (double)table->possible / best;
}

typedef struct verifying {
  omen_verifier *verifier;
  uint64_t count;
  double seconds;
} verifying;

static bool
take (void *context, omen_finding *finding)
{
  verifying *v = context;
  omen_err err = { 0 };
  double start = omen_used ();
  if (!omen_verify (v->verifier, &finding->witness, &err))
    fail (&err);
  v->seconds += omen_used () - start;
  v->count++;
  omen_finding_fini (finding);
  return v->seconds < 1;
}

int
main (int argc, char **argv)
{
  omen_err err = { 0 };
  omen_predict_options options
      = { .jobs = 1,
          .window = 1 << 16,
          .engine
          = { .budget = { .steps = OMEN_DEFAULT_STEPS }, .z3_seconds = 2 } };
  omen_nondet_table table = { 0 };
  omen_predict_stats stats = { 0 };
  verifying v = { 0 };
  omen_sink sink = { take, NULL, &v };
  omen_trace *trace = argc == 2 ? omen_load (argv[1], NULL, &err) : NULL;
  omen_model *model;
  double rate;
  if (!trace)
    fail (&err);
  rate = decide (trace, &options, &table);
  model = omen_model_new (trace, &err);
  table = (omen_nondet_table){ 0 };
  omen_nondet_count (model, &options, true, &table);
  v.verifier = omen_verifier_new (trace, &err);
  options.identity = omen_trace_identity (trace);
  if (!v.verifier)
    fail (&err);
  omen_predict_nondet (model, &options, &sink, &stats);
  printf (
      "%" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
      " %.0f %.0f %.4g %.4g %.4g\n",
      table.possible, table.refuted, table.direct, table.chosen,
      table.undecided, rate, v.seconds > 0 ? (double)v.count / v.seconds : 0.0,
      table.chosen ? table.graphs_possible / (double)table.chosen : 0.0,
      table.chosen ? (double)table.graphs / (double)table.chosen : 0.0,
      stats.quick_asked ? 1
                              - (double)(stats.quick_found + stats.quick_absent)
                                    / (double)stats.quick_asked
                        : 0.0);
  omen_verifier_free (v.verifier);
  omen_model_free (model);
  omen_trace_free (trace);
  return 0;
}
