/* Any bytes as a file of suppressions, and as a baseline: refused with a
   reason, or asked of a finding. */
#include "fuzz.h"

#include "base/mem.h"
#include "file.h"
#include "io/text_read.h"
#include "predict/predict.h"
#include "report/baseline.h"
#include "report/suppress.h"

#include <string.h>

static const char traced[] = "T1|enter(first)|a/one.c:1\nT1|w(x=1)|a/one.c:3\n"
                             "T2|enter(second)|b/two.c:1\nT2|w(x=2)|b/two.c:9\n"
                             "T2|exit(second)|\nT1|exit(first)|\n";

static bool
keep (void *context, omen_finding *finding)
{
  *(omen_finding *)context = *finding;
  return false;
}

static void
ask (omen_suppressions *suppressions, omen_baseline *baseline)
{
  omen_err err = { 0 };
  omen_finding finding = { 0 };
  omen_sink sink = { keep, NULL, &finding };
  omen_predict_stats stats = { 0 };
  const omen_predict_options options
      = { .jobs = 1, .engine.budget.steps = OMEN_DEFAULT_STEPS };
  omen_trace *trace = omen_text_parse ("t", traced, sizeof traced - 1, &err);
  omen_model *model = omen_model_new (trace, &err);
  omen_reporter *reporter = omen_reporter_new (trace);
  omen_predict_race (model, &options, &sink, &stats);
  OMEN_ASSERT (finding.witness.claim.events.count == 2);
  if (suppressions)
    omen_suppressed (suppressions, reporter, &finding);
  omen_baseline_has (baseline, reporter, &finding);
  omen_finding_fini (&finding);
  omen_predict_stats_fini (&stats);
  omen_reporter_free (reporter);
  omen_model_free (model);
  omen_trace_free (trace);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  fuzz_file file = fuzz_file_of (data, size);
  omen_err first = { 0 }, second = { 0 };
  omen_suppressions *suppressions = omen_suppressions_load (file.path, &first);
  omen_baseline *baseline = omen_baseline_load (file.path, &second);
  OMEN_ASSERT (suppressions ? !first.set : first.set && first.what[0]);
  OMEN_ASSERT (baseline ? !second.set : second.set && second.what[0]);
  if (suppressions || baseline)
    ask (suppressions, baseline);
  omen_suppressions_free (suppressions);
  omen_baseline_free (baseline);
  close (file.fd);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
