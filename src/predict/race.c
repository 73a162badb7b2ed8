/* Races: two conflicting accesses, both next after one reordering. */
#include "predict/pairs.h"

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  const omen_sink *sink;
} hunt;

static bool
report (void *context, uint32_t group, const omen_eid *events, uint32_t count,
        omen_ids *sequence)
{
  const hunt *h = context;
  omen_finding finding;
  omen_predict_finding (h->model, h->options, OMEN_FINDING_RACE,
                        OMEN_CLAIM_RACE, events, count, sequence, &finding);
  return h->sink->found (h->sink->context, &finding);
}

bool
omen_predict_race (const omen_model *model,
                   const omen_predict_options *options, const omen_sink *sink,
                   omen_predict_stats *stats)
{
  hunt h = { model, options, sink };
  omen_pairs *pairs = omen_pairs_new (model, options->group);
  omen_asker *asker = omen_asker_new (model, options, sink);
  omen_inquiry inquiry = { .what = "race",
                           .candidates = pairs,
                           .groups = omen_pairs_groups (pairs),
                           .all = options->group == OMEN_GROUP_NONE,
                           .enumerate = omen_pairs_each,
                           .answered = report,
                           .context = &h };
  bool go_on = omen_asker_run (asker, &inquiry, stats);
  omen_asker_free (asker);
  omen_pairs_free (pairs);
  return go_on;
}
