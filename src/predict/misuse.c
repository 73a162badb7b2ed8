/* Misuse of locks in the recorded run: the witness is the trace itself. */
#include "base/map.h"
#include "predict/predict.h"
#include "trace/holds.h"

/* The lock for which the stuck thread t waits, or OMEN_NONE. */
static omen_lid
wanted_by (const omen_trace *trace, omen_tid t)
{
  uint32_t count = trace->threads.data[t].count;
  const omen_event *last
      = count ? omen_trace_event (trace, omen_trace_nth (trace, t, count - 1))
              : NULL;
  if (!last || !(last->mode & OMEN_MODE_STUCK))
    return OMEN_NONE;
  return last->kind == OMEN_REQUEST ? last->object
         : last->kind == OMEN_WAIT  ? (omen_lid)last->value
                                    : OMEN_NONE;
}

/* A thread ended holding a lock for which another one waits forever: that is
   reported as a deadlock, which says more. */
static bool
is_reported_as_hang (const omen_trace *trace, const omen_misused *misused)
{
  const omen_event *event = omen_trace_event (trace, misused->event);
  bool reported = false;
  omen_holds holds;
  if (misused->word != OMEN_WORD_HELD_AT_EXIT || event->kind != OMEN_JOIN)
    return false;
  omen_holds_init (&holds, trace);
  for (uint32_t i = 0; i < trace->threads.data[event->object].count; i++)
    omen_holds_step (
        &holds,
        omen_trace_event (trace, omen_trace_nth (trace, event->object, i)));
  for (omen_tid t = 0; t < trace->threads.count && !reported; t++) {
    omen_lid lock = wanted_by (trace, t);
    reported = lock != OMEN_NONE && omen_holds_any (&holds, lock);
  }
  omen_holds_fini (&holds);
  return reported;
}

bool
omen_predict_misuse (const omen_model *model,
                     const omen_predict_options *options, const omen_sink *sink,
                     omen_predict_stats *stats)
{
  omen_map seen; /* (location, word), reported once unless ungrouped */
  bool go_on = true;
  omen_map_init (&seen);
  for (uint32_t i = 0; i < model->misuse_count && go_on; i++) {
    const omen_misused *misused = &model->misuses[i];
    uint32_t location = omen_model_event (model, misused->event)->location;
    omen_ids sequence = { 0 };
    omen_finding finding;
    uint32_t *slot = omen_map_at (&seen, OMEN_PAIR (misused->word, location));
    stats->candidates++;
    if ((*slot != OMEN_NONE && options->group != OMEN_GROUP_NONE)
        || is_reported_as_hang (model->trace, misused))
      continue;
    *slot = 1;
    omen_model_prefix (model, omen_model_position (model, misused->event),
                       &sequence);
    omen_predict_finding (model, options, OMEN_FINDING_MISUSE,
                          OMEN_CLAIM_MISUSE, &misused->event, 1, &sequence,
                          &finding);
    finding.witness.claim.word = misused->word;
    go_on = sink->found (sink->context, &finding);
  }
  omen_map_fini (&seen);
  return go_on;
}
