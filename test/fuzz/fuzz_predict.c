/* Any text that is a run, to all detectors: no crash, and whatever is reported
   has a witness that holds. */
#include "fuzz.h"

#include "base/mem.h"
#include "io/text_read.h"
#include "predict/predict.h"
#include "report/report.h"
#include "repaired.h"
#include "witness/verify.h"

#include <stdlib.h>

typedef bool (*detector) (const omen_model *model,
                          const omen_predict_options *options,
                          const omen_sink *sink, omen_predict_stats *stats);

static const detector detectors[]
    = { omen_predict_race,      omen_predict_lifetime, omen_predict_deadlock,
        omen_predict_atomicity, omen_predict_observed, omen_predict_nondet,
        omen_predict_final,     omen_predict_misuse,   omen_predict_failure };

typedef struct judging {
  omen_verifier *verifier;
  omen_reporter *reporter;
  FILE *out;
} judging;

static bool
judge (void *context, omen_finding *finding)
{
  judging *j = context;
  omen_err err = { 0 };
  if (omen_finding_has_witness (finding)
      && finding->status == OMEN_STATUS_PREDICTED) {
    OMEN_ASSERT (omen_verify (j->verifier, &finding->witness, &err));
    omen_finding_verified (finding);
    omen_report_text (j->reporter, finding, 1, j->out);
  }
  omen_finding_fini (finding);
  return true;
}

static bool
is_small (const omen_trace *trace)
{
  return trace->events.count <= 200 && trace->threads.count <= 16;
}

static void
predict (const omen_trace *trace, unsigned how)
{
  omen_err err = { 0 };
  char *text;
  size_t size;
  omen_model *model = omen_model_new (trace, &err);
  omen_verifier *verifier = model ? omen_verifier_new (trace, &err) : NULL;
  if (verifier) {
    judging j = { verifier, omen_reporter_new (trace),
                  open_memstream (&text, &size) };
    omen_sink sink = { judge, NULL, &j };
    const omen_predict_options options
        = { .model = how % 2 ? OMEN_MODEL_VALUE : OMEN_MODEL_RF,
            .identity = omen_trace_identity (trace),
            .group = OMEN_GROUP_LOCATION,
            .jobs = 1,
            .asks = 20,
            .engine.budget.steps = 300 };
    omen_predict_stats stats = { 0 };
    for (size_t i = 0; i < OMEN_COUNT (detectors); i++)
      detectors[i](model, &options, &sink, &stats);
    omen_predict_stats_fini (&stats);
    fclose (j.out);
    free (text);
    omen_reporter_free (j.reporter);
  }
  omen_verifier_free (verifier);
  omen_model_free (model);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  omen_err err = { 0 };
  omen_trace *trace = omen_text_parse ("fuzz", (const char *)data, size, &err);
  if (trace && is_small (trace))
    trace = repaired (trace);
  if (trace && is_small (trace))
    predict (trace, (unsigned)size);
  omen_trace_free (trace);
  OMEN_ASSERT (!omen_mem_live ());
  return 0;
}
