/* Failures of the recorded run: the witness is the trace up to the last event
   of the thread that died. */
#include "predict/predict.h"

#include <signal.h>

/* Signals that are sent from outside to end a program. */
static bool
is_failure (uint32_t signal)
{
  return signal == SIGINT || signal == SIGTERM || signal == SIGHUP
         || signal == SIGQUIT || signal == SIGKILL;
}

bool
omen_predict_failure (const omen_model *model,
                      const omen_predict_options *options,
                      const omen_sink *sink, omen_predict_stats *stats)
{
  const omen_trace *trace = model->trace;
  const omen_interrupt *death = &trace->death;
  omen_ids sequence = { 0 };
  omen_finding finding;
  omen_eid last;
  if (death->thread == OMEN_NONE || is_failure (death->signal)
      || !trace->threads.data[death->thread].count)
    return true;
  stats->candidates++;
  last = omen_trace_nth (trace, death->thread,
                         trace->threads.data[death->thread].count - 1);
  omen_model_prefix (model, omen_model_position (model, last) + 1, &sequence);
  omen_predict_finding (model, options, OMEN_FINDING_FAILURE,
                        OMEN_CLAIM_PATTERN, &last, 1, &sequence, &finding);
  finding.signal = death->signal;
  return sink->found (sink->context, &finding);
}
