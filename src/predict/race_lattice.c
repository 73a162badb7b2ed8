/* Races on the lattice: two conflicting accesses that are next and enabled at a
   cut of the walk. One walk finds all; then a path is made to the cut of each
   group's first pair. */
#include "base/map.h"
#include "predict/lattice.h"
#include "predict/race.h"

typedef struct found_race {
  omen_eid events[2];
  uint32_t instances; /* pairs of the group found so far */
  omen_spot spot;
} found_race;

typedef struct hunt {
  const omen_model *model;
  const omen_predict_options *options;
  uint8_t *shared; /* by event: accesses what other threads do, too */
  omen_map pairs;  /* pairs of events found so far */
  omen_map groups; /* group -> index in found */
  OMEN_VEC (found_race) found;
} hunt;

static bool
access_is_shared (const omen_model *m, omen_eid e)
{
  omen_span span;
  if (omen_kind_class (omen_model_event (m, e)->kind) != OMEN_CLASS_ACCESS)
    return false;
  span = omen_model_atoms (m, e);
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    if (m->atoms[a + 1].first_cell - m->atoms[a].first_cell > 1)
      return true;
  return false;
}

/* The group of a pair; one report for each. */
static uint64_t
group_of (const hunt *h, omen_eid a, omen_eid b)
{
  const omen_model *m = h->model;
  uint32_t x = omen_model_event (m, a)->location;
  uint32_t y = omen_model_event (m, b)->location;
  OMEN_ASSERT (a < b);
  switch (h->options->group) {
  case OMEN_GROUP_LOCATION:
    return x < y ? OMEN_PAIR (x, y) : OMEN_PAIR (y, x);
  case OMEN_GROUP_EVENT:
    return omen_model_position (m, a) < omen_model_position (m, b) ? b : a;
  case OMEN_GROUP_VARIABLE:
    return m->trace->places.data[omen_model_event (m, a)->object].variable;
  default:
    return OMEN_PAIR (a, b);
  }
}

static void
note_race (hunt *h, omen_eid a, omen_eid b, const omen_lattice *plan,
           const uint64_t *cut, uint32_t level)
{
  omen_eid low = a < b ? a : b, high = a < b ? b : a;
  uint32_t *pair = omen_map_at (&h->pairs, OMEN_PAIR (low, high)), *group;
  found_race race = { .events = { low, high }, .instances = 1 };
  if (*pair != OMEN_NONE)
    return;
  *pair = 1;
  group = omen_map_at (&h->groups, group_of (h, low, high));
  if (*group != OMEN_NONE) {
    h->found.data[*group].instances++;
    return;
  }
  *group = (uint32_t)h->found.count;
  omen_spot_take (plan, cut, level, &race.spot);
  OMEN_VEC_PUSH (h->found, race);
}

/* The thread's next step, if it is a shared access and enabled, else NULL. */
static const omen_lattice_step *
next_access (const hunt *h, const omen_lattice *plan, const uint64_t *cut,
             omen_tid t)
{
  const omen_lattice_step *step = omen_cut_next (plan, cut, t);
  return step && h->shared[step->event]
                 && omen_lattice_enabled (plan, cut, step)
             ? step
             : NULL;
}

/* Would e, which is next, see the writes that it saw? Their atomic sets have e,
   so nothing is written after them. */
static bool
sees_the_same (const hunt *h, const omen_lattice *plan, const uint64_t *cut,
               omen_eid e)
{
  const omen_model *m = h->model;
  omen_span atoms = omen_model_atoms (m, e);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    omen_eid w = m->from[omen_model_read_slot (m, e, a)];
    omen_tid t = w == OMEN_NONE ? 0 : omen_model_thread (m, w);
    if (w != OMEN_NONE
        && omen_cut_done (plan, cut, t)
               < omen_lattice_among (plan, t, m->trace->index[w] + 1))
      return false;
  }
  return true;
}

static bool
may_race (const hunt *h, const omen_lattice *plan, const uint64_t *cut,
          omen_eid a, omen_eid b)
{
  omen_eid swap;
  if (!omen_model_may_race (h->model, a, b))
    return false;
  swap = omen_model_swap (h->model, a, b);
  return swap == OMEN_NONE || sees_the_same (h, plan, cut, swap);
}

static void
visit_cut (void *context, const omen_lattice *plan, const uint64_t *cut,
           uint32_t level)
{
  hunt *h = context;
  for (omen_tid t = 0; t < plan->threads; t++) {
    const omen_lattice_step *a = next_access (h, plan, cut, t);
    for (omen_tid u = t + 1; a && u < plan->threads; u++) {
      const omen_lattice_step *b = next_access (h, plan, cut, u);
      if (b && may_race (h, plan, cut, a->event, b->event)
          && omen_cut_together (plan, cut, a, b))
        note_race (h, a->event, b->event, plan, cut, level);
    }
  }
}

static bool
report_races (const hunt *h, const omen_lattice *plan,
              const omen_lattice_options *walk, const omen_sink *sink,
              omen_predict_stats *stats)
{
  bool go_on = true;
  for (size_t i = 0; go_on && i < h->found.count; i++) {
    const found_race *race = &h->found.data[i];
    omen_ids sequence = { 0 };
    omen_finding finding;
    if (omen_race_is_of_lifetime (h->model, h->options, race->events))
      continue;
    if (!omen_lattice_path (plan, walk, &race->spot, OMEN_NONE, &sequence)) {
      stats->undecided++;
      OMEN_VEC_FINI (sequence);
      continue;
    }
    omen_lattice_lead (plan, race->events, 2, &sequence);
    omen_predict_finding (h->model, h->options, OMEN_FINDING_RACE,
                          OMEN_CLAIM_RACE, race->events, 2, &sequence,
                          &finding);
    finding.count = race->instances;
    go_on = sink->found (sink->context, &finding);
  }
  return go_on;
}

bool
omen_predict_race_lattice (const omen_model *model,
                           const omen_predict_options *options,
                           const omen_sink *sink, omen_predict_stats *stats)
{
  hunt h = { .model = model, .options = options };
  omen_lattice *plan = omen_lattice_new (model, NULL);
  omen_lattice_options walk = omen_predict_lattice (options);
  bool go_on;
  h.shared = omen_zalloc (model->event_count, 1);
  for (omen_eid e = 0; e < model->event_count; e++)
    h.shared[e] = access_is_shared (model, e);
  omen_map_init (&h.pairs);
  omen_map_init (&h.groups);
  walk.visit = visit_cut;
  walk.context = &h;
  omen_predict_walk (plan, &walk, stats);
  stats->candidates += h.found.count;
  go_on = report_races (&h, plan, &walk, sink, stats);
  for (size_t i = 0; i < h.found.count; i++)
    omen_spot_fini (&h.found.data[i].spot);
  OMEN_VEC_FINI (h.found);
  omen_map_fini (&h.pairs);
  omen_map_fini (&h.groups);
  omen_free (h.shared);
  omen_lattice_free (plan);
  return go_on;
}
