/* Lifetimes on the lattice: at each cut of the walk, a use that is next and
   enabled whose end is in the cut. If the end precedes the use in the trace,
   the trace itself is the witness. */
#include "base/map.h"
#include "predict/lifetime/ends.h"
#include "predict/lattice.h"
#include "predict/lifetime.h"

typedef struct found_use {
  const omen_end_pair *pair;
  uint32_t instances;
  bool observed;  /* in the trace itself … */
  omen_spot spot; /* … or else at this cut */
} found_use;

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  omen_ends ends;
  omen_ids *by_use; /* by event: pairs */
  uint8_t *seen;    /* by pair */
  omen_map groups;  /* -> in found */
  OMEN_VEC (found_use) found;
} hunt;

/* Count the pair; NULL if its group was found before, or it was counted
   already. */
static found_use *
note (hunt *h, uint32_t i)
{
  const omen_end_pair *pair = &h->ends.pairs.data[i];
  uint32_t *group = omen_map_at (&h->groups, pair->group);
  if (h->seen[i])
    return NULL;
  h->seen[i] = 1;
  if (*group != OMEN_NONE) {
    h->found.data[*group].instances++;
    return NULL;
  }
  *group = (uint32_t)h->found.count;
  OMEN_VEC_PUSH (h->found, ((found_use){ .pair = pair, .instances = 1 }));
  return &OMEN_VEC_LAST (h->found);
}

static void
note_observed (hunt *h)
{
  const omen_model *m = h->model;
  for (uint32_t i = 0; i < h->ends.pairs.count; i++) {
    const omen_end_pair *pair = &h->ends.pairs.data[i];
    found_use *use = omen_model_position (m, pair->end)
                             < omen_model_position (m, pair->use)
                         ? note (h, i)
                         : NULL;
    if (use)
      use->observed = true;
  }
}

static bool
is_in_cut (const omen_lattice *plan, const uint64_t *cut, omen_eid e)
{
  const omen_model *m = plan->model;
  omen_tid t = omen_model_thread (m, e);
  return plan->role[e] & OMEN_ROLE_STEP
         && omen_lattice_among (plan, t, m->trace->index[e] + 1)
                <= omen_cut_done (plan, cut, t);
}

static void
visit (void *context, const omen_lattice *plan, const uint64_t *cut,
       uint32_t level)
{
  hunt *h = context;
  for (omen_tid t = 0; t < plan->threads; t++) {
    const omen_lattice_step *a = omen_cut_next (plan, cut, t);
    const omen_ids *pairs = a ? &h->by_use[a->event] : NULL;
    if (!a || !pairs->count || !omen_lattice_enabled (plan, cut, a))
      continue;
    for (size_t i = 0; i < pairs->count; i++) {
      found_use *use
          = is_in_cut (plan, cut, h->ends.pairs.data[pairs->data[i]].end)
                ? note (h, pairs->data[i])
                : NULL;
      if (use)
        omen_spot_take (plan, cut, level, &use->spot);
    }
  }
}

static bool
hand_out (const hunt *h, const omen_lattice *plan,
          const omen_lattice_options *walk, const omen_sink *sink,
          omen_predict_stats *stats)
{
  bool go_on = true;
  for (size_t i = 0; go_on && i < h->found.count; i++) {
    const found_use *use = &h->found.data[i];
    omen_eid events[2] = { use->pair->end, use->pair->use };
    omen_ids sequence = { 0 };
    omen_finding finding;
    if (use->observed)
      omen_model_prefix (h->model, omen_model_position (h->model, events[1]),
                         &sequence);
    else if (omen_lattice_path (plan, walk, &use->spot, OMEN_NONE, &sequence))
      omen_lattice_lead (plan, &events[1], 1, &sequence);
    else {
      stats->undecided++;
      OMEN_VEC_FINI (sequence);
      continue;
    }
    omen_predict_finding (h->model, h->options, OMEN_FINDING_LIFETIME,
                          OMEN_CLAIM_LIFETIME, events, 2, &sequence, &finding);
    finding.count = use->instances;
    go_on = sink->found (sink->context, &finding);
  }
  return go_on;
}

static void
hunt_init (hunt *h)
{
  omen_ends_init (&h->ends, h->model, h->options->group);
  h->by_use = omen_zalloc (h->model->event_count + 1, sizeof *h->by_use);
  h->seen = omen_zalloc (h->ends.pairs.count + 1, 1);
  omen_map_init (&h->groups);
  for (uint32_t i = 0; i < h->ends.pairs.count; i++)
    OMEN_VEC_PUSH (h->by_use[h->ends.pairs.data[i].use], i);
}

static void
hunt_fini (hunt *h)
{
  for (size_t i = 0; i < h->found.count; i++)
    omen_spot_fini (&h->found.data[i].spot);
  OMEN_VEC_FINI (h->found);
  for (uint32_t e = 0; e < h->model->event_count; e++)
    OMEN_VEC_FINI (h->by_use[e]);
  omen_free (h->by_use);
  omen_free (h->seen);
  omen_map_fini (&h->groups);
  omen_ends_fini (&h->ends);
}

bool
omen_predict_lifetime_lattice (const omen_model *model,
                               const omen_predict_options *options,
                               const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { .model = model, .options = options };
  omen_lattice *plan = omen_lattice_new (model, NULL);
  omen_lattice_options walk = omen_predict_lattice (options);
  bool go_on;
  hunt_init (&h);
  note_observed (&h);
  walk.visit = visit;
  walk.context = &h;
  omen_predict_walk (plan, &walk, stats);
  stats->candidates += omen_ends_groups (&h.ends);
  go_on = hand_out (&h, plan, &walk, sink, stats);
  hunt_fini (&h);
  omen_lattice_free (plan);
  return go_on;
}
