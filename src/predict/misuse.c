/* Misuse of locks, as observed: the trace itself is the witness. */
#include "base/map.h"
#include "predict/predict.h"

static void
observed_before (const omen_model *model, omen_eid e, omen_ids *sequence)
{
  uint32_t end = omen_model_position (model, e);
  OMEN_VEC_RESERVE (*sequence, end);
  for (uint32_t i = 0; i < end; i++)
    OMEN_VEC_PUSH (*sequence, omen_model_nth (model, i));
}

bool
omen_predict_misuse (const omen_model *model,
                     const omen_predict_options *options,
                     const omen_sink *sink, omen_predict_stats *stats)
{
  omen_map seen; /* (location, word): one report, unless all are asked for */
  bool go_on = true;
  omen_map_init (&seen);
  for (uint32_t i = 0; i < model->misuse_count && go_on; i++) {
    const omen_misused *misused = &model->misuses[i];
    uint32_t location = omen_model_event (model, misused->event)->location;
    omen_ids sequence = { 0 };
    omen_finding finding;
    uint32_t *slot = omen_map_at (&seen, OMEN_PAIR (misused->word, location));
    stats->candidates++;
    if (*slot != OMEN_NONE && options->group != OMEN_GROUP_NONE)
      continue;
    *slot = 1;
    observed_before (model, misused->event, &sequence);
    omen_predict_finding (model, options, OMEN_FINDING_MISUSE,
                          OMEN_CLAIM_MISUSE, &misused->event, 1, &sequence,
                          &finding);
    finding.witness.claim.word = misused->word;
    go_on = sink->found (sink->context, &finding);
  }
  omen_map_fini (&seen);
  return go_on;
}
