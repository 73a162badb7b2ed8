/* Properties: which verdicts of the user's monitors can other runs reach?
   Decided for each formula, and each binding that can have a monitor. */
#include "predict/property/property.h"
#include "base/map.h"

#include <stdio.h>
#include <string.h>

/* ---- findings ---- */

typedef struct finder {
  const omen_property_hunt *hunt;
  const omen_sink *sink;
  const omen_predict_options *options;
  omen_map groups; /* (category, location) -> index in found */
  OMEN_VEC (omen_finding) found;
} finder;

static void
name_binding (const finder *t, const omen_theta *theta, omen_about *about)
{
  const omen_property_hunt *h = t->hunt;
  for (uint32_t rest = theta->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    omen_bound bound
        = { omen_strdup (h->property->parameter[p]),
            omen_strdup (omen_observer_text (h->observer, theta->values[p])) };
    OMEN_VEC_PUSH (about->binding, bound);
  }
}

/* Extend the run by the emits that the program makes for its last event, so
   that a monitor in the replayed program gets them, too. Stops where the
   binding would see another event, or one that is no emit. If the last event
   saw another value, nothing is added: what its thread does next is unknown. */
static void
append_emits (const omen_property_hunt *h, const omen_theta *theta,
              omen_ids *sequence)
{
  const omen_trace *trace = h->model->trace;
  omen_eid last = OMEN_VEC_LAST (*sequence);
  uint32_t distance = omen_observer_emit_distance (h->observer, last);
  size_t count = sequence->count;
  for (uint32_t i = 1; i <= distance; i++) {
    omen_eid e = omen_trace_nth (trace, omen_model_thread (h->model, last),
                                 trace->index[last] + i);
    if (omen_model_event (h->model, e)->kind != OMEN_EMIT
        || omen_tracks_sees (h->tracks, theta, e))
      return; /* only emits are always enabled */
    OMEN_VEC_PUSH (*sequence, e);
  }
  if (distance && h->options->model != OMEN_MODEL_LATTICE
      && !omen_property_kept (h, theta, sequence))
    sequence->count = count;
}

/* The claim has the events that the binding sees in the sequence. */
static void
fill_in (const finder *t, const omen_theta *theta, uint32_t category,
         omen_ids *sequence, omen_finding *finding)
{
  const omen_property_hunt *h = t->hunt;
  omen_ids seen = { 0 };
  omen_about *about = omen_zalloc (1, sizeof *about);
  for (size_t i = 0; i < sequence->count; i++)
    if (omen_tracks_sees (h->tracks, theta, sequence->data[i]))
      OMEN_VEC_PUSH (seen, sequence->data[i]);
  OMEN_ASSERT (seen.count && OMEN_VEC_LAST (seen) == OMEN_VEC_LAST (*sequence));
  append_emits (h, theta, sequence);
  omen_predict_finding (h->model, t->options, OMEN_FINDING_PROPERTY,
                        OMEN_CLAIM_PROPERTY, seen.data, (uint32_t)seen.count,
                        sequence, finding);
  about->property = omen_strdup (h->property->name);
  about->category
      = omen_strdup (h->property->formula[h->formula].category[category]);
  about->logic = omen_strdup (h->property->formula[h->formula].logic);
  about->spec = t->options->spec->identity;
  name_binding (t, theta, about);
  finding->witness.claim.word = h->formula;
  finding->witness.claim.about = about;
  OMEN_VEC_FINI (seen);
}

static uint32_t *
group_of (finder *t, uint32_t category, omen_eid last)
{
  uint32_t place = omen_model_event (t->hunt->model, last)->location;
  bool fold = t->options->group == OMEN_GROUP_LOCATION;
  return omen_map_at (&t->groups,
                      OMEN_PAIR (category, fold ? place : t->found.count));
}

static bool
fold (void *context, uint32_t category, omen_eid last)
{
  finder *t = context;
  uint32_t *group = group_of (t, category, last);
  if (t->options->group != OMEN_GROUP_LOCATION || *group == OMEN_NONE)
    return false;
  t->found.data[*group].count++;
  return true;
}

/* Bindings that reach a category at one location share a report, unless
   grouping says otherwise. */
static bool
found (void *context, const omen_theta *theta, uint32_t category,
       omen_ids *sequence)
{
  finder *t = context;
  omen_finding finding;
  OMEN_ASSERT (sequence->count);
  OMEN_ASSERT (category
               < t->hunt->property->formula[t->hunt->formula].categories);
  if (fold (t, category, OMEN_VEC_LAST (*sequence)))
    return true;
  *group_of (t, category, OMEN_VEC_LAST (*sequence)) = (uint32_t)t->found.count;
  fill_in (t, theta, category, sequence, &finding);
  OMEN_VEC_PUSH (t->found, finding);
  return true;
}

static bool
report_verdicts (finder *t)
{
  bool go_on = true;
  for (size_t i = 0; i < t->found.count; i++)
    if (go_on)
      go_on = t->sink->found (t->sink->context, &t->found.data[i]);
    else
      omen_finding_fini (&t->found.data[i]);
  OMEN_VEC_FINI (t->found);
  return go_on;
}

size_t
omen_property_landing (const omen_property_hunt *h, const omen_theta *theta,
                       const omen_ids *sequence, uint32_t *categories)
{
  uint32_t state = omen_tracks_start (h->tracks, theta), wanted = *categories;
  omen_eid last = OMEN_NONE;
  for (size_t i = 0; i < sequence->count; i++) {
    omen_eid e = sequence->data[i];
    bool sees = omen_tracks_sees (h->tracks, theta, e);
    if (sees)
      state = omen_tracks_step (h->tracks, state, e, last);
    *categories = sees ? omen_tracks_landed (h->tracks, state) & wanted : 0;
    if (*categories)
      return i + 1;
    last = sees ? e : OMEN_NONE;
  }
  return 0;
}

/* ---- formulas ---- */

/* `h` has the model, options, property, statistics and deadline. */
static bool
predict_formula (omen_property_hunt h, uint32_t formula, const omen_sink *sink)
{
  const omen_predict_options *options = h.options;
  const omen_property *property = h.property;
  omen_predict_stats *stats = h.stats;
  finder t = { .hunt = &h, .sink = sink, .options = options };
  bool go_on;
  h.formula = formula;
  h.found = found;
  h.fold = fold;
  h.context = &t;
  h.tracks = omen_tracks_new (h.model, h.observer, property, formula);
  omen_map_init (&t.groups);
  if (!omen_property_bindings (h.tracks, property, formula, &h.thetas))
    stats->undecided++;
  stats->candidates += h.thetas.count * property->formula[formula].categories;
  if (options->model == OMEN_MODEL_LATTICE)
    omen_property_walk (&h);
  else
    omen_property_search (&h);
  go_on = report_verdicts (&t);
  omen_map_fini (&t.groups);
  OMEN_VEC_FINI (h.thetas);
  omen_tracks_free (h.tracks);
  return go_on;
}

bool
omen_predict_property (const omen_model *model,
                       const omen_predict_options *options,
                       const omen_sink *sink, omen_predict_stats *stats)
{
  const omen_predict_spec *spec = options->spec;
  omen_property_hunt h
      = { .model = model,
          .options = options,
          .stats = stats,
          .deadline = omen_predict_deadline (options, options->timeout) };
  bool go_on = true;
  if (omen_predict_stopped (options))
    return false;
  OMEN_REQUIRE (spec);
  for (uint32_t i = 0; go_on && i < spec->count; i++) {
    h.property = &spec->properties[i];
    h.observer = omen_observer_new (model->trace, h.property);
    for (uint32_t f = 0; go_on && f < h.property->formulas; f++) {
      go_on = predict_formula (h, f, sink);
      if (sink->progress)
        sink->progress (sink->context, "property", i + 1, spec->count);
    }
    omen_observer_free (h.observer);
  }
  return go_on;
}
