#include "driver/explore/foretell.h"
#include "driver/explore/violated.h"
#include "driver/replay/plan.h"
#include "predict/predict.h"

#include <string.h>

/* Seconds for each kind of question; limit of plans of all kinds. */
#define SECONDS 0.5
#define MOST_PLANS 2000u

typedef struct foretelling {
  const omen_model *model;
  const omen_histories *histories;
  omen_foretold *foretold;
} foretelling;

/* What each thread has observed after these events, or before the last one of
   them that it does. */
static omen_beginning *
pasts_of (const foretelling *f, const omen_ids *events, bool but_last)
{
  const omen_model *m = f->model;
  uint32_t *taken = omen_zalloc (m->thread_count + 1, sizeof *taken);
  omen_beginning *threads
      = omen_alloc ((m->thread_count + 1) * sizeof *threads);
  for (size_t i = 0; i < events->count; i++)
    taken[omen_model_thread (m, events->data[i])]++;
  for (omen_tid t = 0; t < m->thread_count; t++) {
    taken[t] -= but_last && taken[t];
    bool all = taken[t] == m->trace->threads.data[t].count;
    threads[t] = (omen_beginning){
      f->histories->names[t],
      all ? f->histories->all[t]
          : f->histories->before[omen_trace_nth (m->trace, t, taken[t])]
    };
  }
  omen_free (taken);
  return threads;
}

static omen_beginning *
pasts_after (const foretelling *f, const omen_ids *events)
{
  return pasts_of (f, events, false);
}

/* What the read observes after these events. */
static uint64_t
observed_after (const foretelling *f, const omen_ids *events, omen_eid read,
                bool *known)
{
  const omen_model *m = f->model;
  omen_span span = omen_model_atoms (m, read);
  omen_eid *writers = omen_alloc ((span.count + 1) * sizeof *writers);
  for (uint32_t i = 0; i < span.count; i++)
    writers[i] = OMEN_NONE;
  for (size_t k = 0; k < events->count; k++) {
    const omen_event *event = omen_model_event (m, events->data[k]);
    if (omen_kind_class (event->kind) != OMEN_CLASS_ACCESS
        || !omen_kind_writes (event->kind))
      continue;
    omen_span its = omen_model_atoms (m, events->data[k]);
    for (uint32_t a = its.first; a < its.first + its.count; a++)
      if (a - span.first < span.count)
        writers[a - span.first] = events->data[k];
  }
  uint64_t observed = omen_history_seen (f->histories, read, writers, known);
  omen_free (writers);
  return observed;
}

static void
write_plan (foretelling *f, const omen_ids *events, omen_eid last,
            omen_explore_plan *plan)
{
  omen_err err = { 0 };
  FILE *out = open_memstream (&plan->text, &plan->length);
  bool ok = omen_plan_write_beginning (f->model->trace, events, last, 1, false,
                                       "explore", out, &err);
  fclose (out);
  if (ok)
    OMEN_VEC_PUSH (*f->foretold, *plan);
  else
    omen_explore_plan_fini (plan);
}

static bool
add_foretold (void *context, omen_finding *finding)
{
  foretelling *f = context;
  omen_ids *events = &finding->witness.sequence;
  omen_explore_plan plan
      = { .count = f->model->thread_count, .mover = OMEN_NONE };
  omen_eid read = OMEN_NONE;
  if (finding->kind == OMEN_FINDING_NONDET) {
    read = finding->witness.claim.events.data[0];
    while (events->count && OMEN_VEC_LAST (*events) != read)
      events->count--; /* nothing after the read */
    OMEN_ASSERT (events->count);
    events->count--;
  }
  plan.threads = pasts_after (f, events);
  if (read != OMEN_NONE) {
    omen_observed *past;
    omen_eid rival = finding->witness.claim.events.data[1];
    plan.mover = omen_model_thread (f->model, read);
    past = &plan.threads[plan.mover].past;
    *past = omen_observed_and (*past,
                               observed_after (f, events, read, &plan.known));
    plan.instead = past->hash;
    plan.pair = OMEN_PAIR (omen_model_event (f->model, read)->location,
                           rival == OMEN_NONE
                               ? OMEN_NONE
                               : omen_model_event (f->model, rival)->location);
  }
  write_plan (f, events, read, &plan);
  omen_finding_fini (finding);
  return f->foretold->count < MOST_PLANS;
}

/* The plan: everything before the use, then the use, if its thread reaches
   it. */
static bool
take_use (void *context, omen_finding *finding)
{
  foretelling *f = context;
  omen_ids *events = &finding->witness.sequence;
  omen_eid use = finding->witness.claim.events.data[1];
  if (events->count && OMEN_VEC_LAST (*events) == use)
    events->count--;
  omen_explore_plan plan
      = { .count = f->model->thread_count,
          .mover = omen_model_thread (f->model, use),
          .unseen = true,
          .pair = OMEN_PAIR (
              omen_model_event (f->model, use)->location,
              omen_model_event (f->model, finding->witness.claim.events.data[0])
                  ->location),
          .threads = pasts_after (f, events) };
  write_plan (f, events, use, &plan);
  omen_finding_fini (finding);
  return f->foretold->count < MOST_PLANS;
}

/* The plan: all that leads to the verdict. The last read of a thread may see
   another value if the verdict does not depend on it. */
static bool
take_verdict (void *context, omen_finding *finding)
{
  foretelling *f = context;
  const omen_claim *claim = &finding->witness.claim;
  omen_ids *events = &finding->witness.sequence;
  omen_eid last = OMEN_VEC_LAST (claim->events);
  omen_explore_plan plan = { .count = f->model->thread_count,
                             .mover = omen_model_thread (f->model, last),
                             .unseen = true,
                             .pair = omen_violation_key (
                                 claim->about->property, claim->about->category,
                                 omen_trace_location (f->model->trace, last)),
                             .threads = pasts_of (f, events, true) };
  write_plan (f, events, OMEN_NONE, &plan);
  omen_finding_fini (finding);
  return f->foretold->count < MOST_PLANS;
}

static omen_predict_options
options_for (const omen_model *m)
{
  return (omen_predict_options){
    .model = OMEN_MODEL_VALUE,
    .identity = omen_trace_identity (m->trace),
    .jobs = 1,
    .timeout = SECONDS,
    .asks = OMEN_DEFAULT_ASKS,
    .engine = { .budget = { .steps = OMEN_DEFAULT_STEPS } }
  };
}

void
omen_foretell_uses (const omen_model *m, const omen_histories *histories,
                    omen_foretold *foretold)
{
  foretelling f = { m, histories, foretold };
  omen_sink sink = { take_use, NULL, &f };
  omen_predict_stats stats = { 0 };
  omen_predict_options options = options_for (m);
  if (omen_predict_begin (&options))
    omen_predict_lifetime (m, &options, &sink, &stats);
}

bool
omen_foretell_verdicts (const omen_model *m, const omen_histories *histories,
                        const omen_spec_list *specs, omen_foretold *foretold)
{
  foretelling f = { m, histories, foretold };
  omen_sink sink = { take_verdict, NULL, &f };
  omen_predict_stats stats = { 0 };
  omen_predict_options options = options_for (m);
  bool all = true;
  for (size_t i = 0; i < specs->predict.count; i++) {
    options.spec = &specs->predict.data[i];
    all = omen_predict_begin (&options)
          && omen_predict_property (m, &options, &sink, &stats) && all;
  }
  all = all && !stats.undecided;
  omen_predict_stats_fini (&stats);
  return all;
}

void
omen_foretell (const omen_model *m, const omen_histories *histories,
               omen_foretold *foretold)
{
  foretelling f = { m, histories, foretold };
  omen_sink sink = { add_foretold, NULL, &f };
  omen_predict_stats stats = { 0 };
  omen_predict_options options = options_for (m);
  if (omen_predict_begin (&options)
      && omen_predict_deadlock (m, &options, &sink, &stats)
      && omen_predict_begin (&options))
    omen_predict_nondet (m, &options, &sink, &stats);
}
