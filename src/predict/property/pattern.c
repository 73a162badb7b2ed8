/* Patterns as questions to the engine: a binding matches in some run if the
   events of one of the pattern's shapes can occur in its order. Three rounds:

     1  what the observed run shows: one pass of the monitor
     2  for each other binding and shape, the asker: can these events come so?
     3  what has neither been shown nor refuted is left to the machine search

   The binding's monitor is run over each sequence that the engine finds, and
   says where it matches. It may not match, for reasons that shapes do not
   cover: objects that ended between, instances that were never created. Then
   the search over cuts decides (search.c), which is exact but slow. */
#include "predict/property/pattern_tuples.h"
#include "predict/property/property.h"
#include "monitor/heap.h"

/* Limit of events considered for one binding and shape. */
#define WORK_MAX (1u << 24)

typedef struct asking {
  const omen_property_hunt *hunt;
  omen_property_fate *fates; /* by theta */
  omen_map by_hash;          /* of thetas: newest with that hash */
  omen_ids older;
  omen_tuples tuples;
  uint64_t work;  /* left for the current group */
  omen_ids asked; /* thetas; a group is one of them and a shape */
  bool go_on;
} asking;

/* ---- what the observed run shows ---- */

static uint64_t
hash_binding (uint32_t set, const uint64_t *values)
{
  uint64_t hash = set;
  for (; set; set &= set - 1)
    hash = omen_mix (hash, values[__builtin_ctz (set)]);
  return hash >> 1;
}

static void
index_thetas (asking *a)
{
  const omen_thetas *thetas = &a->hunt->thetas;
  omen_map_init (&a->by_hash);
  for (uint32_t i = 0; i < thetas->count; i++) {
    const omen_theta *theta = &thetas->data[i];
    uint32_t *slot
        = omen_map_at (&a->by_hash, hash_binding (theta->set, theta->values));
    OMEN_VEC_PUSH (a->older, *slot);
    *slot = i;
  }
}

/* The index of the reported binding, or OMEN_NONE. */
static uint32_t
theta_of (const asking *a, const omen_landing_report *r)
{
  uint32_t i = omen_map_get (&a->by_hash, hash_binding (r->bound, r->values));
  for (; i != OMEN_NONE; i = a->older.data[i]) {
    const omen_theta *theta = &a->hunt->thetas.data[i];
    bool same = theta->set == r->bound;
    for (uint32_t rest = theta->set; same && rest; rest &= rest - 1)
      same = theta->values[__builtin_ctz (rest)]
             == r->values[__builtin_ctz (rest)];
    if (same)
      break;
  }
  return i;
}

typedef struct listener {
  asking *asking;
  uint32_t position;
} listener;

static bool
take_landing (void *self, const omen_landing_report *r)
{
  const listener *l = self;
  asking *a = l->asking;
  const omen_property_hunt *h = a->hunt;
  uint32_t theta = theta_of (a, r);
  omen_ids sequence = { 0 };
  if (theta != OMEN_NONE && a->fates[theta] == OMEN_PROPERTY_OPEN && a->go_on) {
    a->fates[theta] = OMEN_PROPERTY_DONE;
    if (!h->fold (h->context, 0, omen_model_nth (h->model, l->position))) {
      omen_model_prefix (h->model, l->position + 1, &sequence);
      a->go_on = h->found (h->context, &h->thetas.data[theta], 0, &sequence);
      OMEN_VEC_FINI (sequence);
    }
  }
  return r->categories & h->property->formula[h->formula].resets;
}

static void
run_monitor (asking *a)
{
  const omen_property_hunt *h = a->hunt;
  omen_slicer *slicer = omen_slicer_new (h->property, h->formula, &omen_heap);
  for (uint32_t i = 0; i < h->model->event_count && a->go_on; i++) {
    omen_eid e = omen_model_nth (h->model, i);
    listener l = { a, i };
    uint64_t dead[OMEN_DEAD_MAX];
    uint32_t count;
    const omen_occurrence *at = omen_tracks_at (h->tracks, e, &count);
    bool good = true;
    for (uint32_t k = 0; k < count; k++)
      good &= omen_slicer_event (slicer, &at[k], take_landing, &l);
    OMEN_ASSERT (good);
    count = h->property->parameters ? omen_observe_dead (h->observer, e, dead)
                                    : 0;
    for (uint32_t k = 0; k < count; k++)
      omen_slicer_dead (slicer, dead[k]);
  }
  omen_slicer_free (slicer);
}

/* ---- what other runs show ---- */

static const omen_shape *
shape_of (const asking *a, uint32_t group, uint32_t *theta)
{
  const omen_shapes *shapes = a->tuples.shapes;
  OMEN_ASSERT (group / shapes->list.count < a->asked.count);
  *theta = a->asked.data[group / shapes->list.count];
  return &shapes->list.data[group % shapes->list.count];
}

static void
enumerate (const void *candidates, uint32_t group, omen_asker_each each,
           void *context)
{
  asking *a = *(asking *const *)candidates;
  uint32_t theta;
  const omen_shape *shape = shape_of (a, group, &theta);
  a->work = a->hunt->options->asks ? WORK_MAX : UINT64_MAX;
  omen_tuples_each (&a->tuples, &a->hunt->thetas.data[theta], shape, each,
                    context);
  if (!a->work && a->fates[theta] == OMEN_PROPERTY_OPEN)
    a->fates[theta] = OMEN_PROPERTY_TIRED;
}

static bool
answered (void *context, uint32_t group, const omen_eid *events, uint32_t count,
          uint32_t instances, omen_ids *sequence)
{
  asking *a = context;
  const omen_property_hunt *h = a->hunt;
  uint32_t theta, categories = UINT32_MAX;
  size_t end;
  (void)events, (void)count, (void)instances;
  shape_of (a, group, &theta);
  if (a->fates[theta] == OMEN_PROPERTY_DONE)
    return true;
  end = omen_property_landing (h, &h->thetas.data[theta], sequence,
                               &categories);
  sequence->count = end;
  if (!end || !omen_property_kept (h, &h->thetas.data[theta], sequence)) {
    a->fates[theta] = OMEN_PROPERTY_MACHINE;
    return true;
  }
  a->fates[theta] = OMEN_PROPERTY_DONE;
  if (h->fold (h->context, 0, sequence->data[end - 1]))
    return true;
  a->go_on = h->found (h->context, &h->thetas.data[theta], 0, sequence);
  return a->go_on;
}

static omen_ask_steps
steps_of (const omen_shape *shape)
{
  omen_ask_steps steps = { 0 };
  OMEN_ASSERT (shape->count <= OMEN_SHAPE_STEPS);
  for (uint32_t i = 0; i < OMEN_SHAPE_STEPS && i < shape->count; i++) {
    steps.first |= (uint32_t)shape->steps[i].first << i;
    steps.glued |= (uint32_t)shape->steps[i].glued << i;
  }
  return steps;
}

/* A binding is refuted if all its groups are. */
static void
settle_fates (asking *a, const uint8_t *fates, uint32_t groups)
{
  for (uint32_t g = 0; g < groups; g++) {
    uint32_t theta;
    shape_of (a, g, &theta);
    OMEN_ASSERT (fates[g] <= OMEN_ASK_BEYOND);
    if (a->fates[theta] == OMEN_PROPERTY_OPEN)
      a->fates[theta] = OMEN_PROPERTY_REFUTED;
    if (a->fates[theta] != OMEN_PROPERTY_REFUTED
        && a->fates[theta] != OMEN_PROPERTY_BEYOND)
      continue;
    if (fates[g] == OMEN_ASK_UNDECIDED)
      a->fates[theta] = OMEN_PROPERTY_TIRED;
    else if (fates[g] == OMEN_ASK_BEYOND)
      a->fates[theta] = OMEN_PROPERTY_BEYOND;
  }
}

static void
ask_binding (asking *a)
{
  const omen_property_hunt *h = a->hunt;
  omen_predict_options options = *h->options;
  omen_sink sink = { 0 };
  uint32_t shapes = (uint32_t)a->tuples.shapes->list.count;
  uint32_t groups = (uint32_t)a->asked.count * shapes;
  omen_ask_steps *steps = omen_alloc (groups * sizeof *steps + 1);
  uint8_t *fates = omen_zalloc (groups, 1);
  omen_inquiry inquiry = { .what = "property",
                           .candidates = &a,
                           .groups = groups,
                           .form = OMEN_ASK_STEPS,
                           .enumerate = enumerate,
                           .answered = answered,
                           .context = a,
                           .steps = steps,
                           .loose = omen_tracks_loose (h->tracks),
                           .fates = fates };
  omen_asker *asker;
  OMEN_ASSERT ((uint64_t)a->asked.count * shapes == groups);
  for (uint32_t g = 0; g < groups; g++)
    steps[g] = steps_of (&a->tuples.shapes->list.data[g % shapes]);
  options.jobs = 1; /* they share `covers` */
  if (!options.window)
    options.window = OMEN_PROPERTY_WINDOW;
  asker = omen_asker_new (h->model, &options, &sink);
  omen_asker_run (asker, &inquiry, h->stats);
  settle_fates (a, fates, groups);
  omen_asker_free (asker);
  omen_free (steps);
  omen_free (fates);
}

/* Leave all open bindings to the search over cuts. */
static void
leave_to_cuts (asking *a)
{
  for (uint32_t i = 0; i < a->hunt->thetas.count; i++)
    if (a->fates[i] == OMEN_PROPERTY_OPEN)
      a->fates[i] = OMEN_PROPERTY_MACHINE;
}

/* Not if some event of the trace is several events of the property: it might
   take several steps, which tuples do not cover. */
static void
ask_open (asking *a, const omen_shapes *shapes)
{
  const omen_property_hunt *h = a->hunt;
  omen_candidate_index index;
  omen_covers covers;
  for (uint32_t i = 0; i < h->thetas.count; i++)
    if (a->fates[i] == OMEN_PROPERTY_OPEN)
      OMEN_VEC_PUSH (a->asked, i);
  omen_candidate_index_init (&index, h->model, h->tracks, h->property);
  omen_covers_init (&covers, h->model);
  a->tuples
      = (omen_tuples){ h->model, h->tracks, shapes, &index, &covers, &a->work };
  if (index.doubles)
    leave_to_cuts (a);
  else
    ask_binding (a);
  omen_covers_fini (&covers);
  omen_candidate_index_fini (&index);
}

bool
omen_property_ask (const omen_property_hunt *h, omen_property_fate *fates)
{
  asking a = { .hunt = h, .fates = fates, .go_on = true };
  omen_shapes shapes;
  OMEN_REQUIRE (h->options->model != OMEN_MODEL_LATTICE);
  if (!omen_shapes_init (&shapes, &h->property->formula[h->formula])) {
    leave_to_cuts (&a);
    return true;
  }
  index_thetas (&a);
  if (!omen_tracks_asks_parallel (h->tracks))
    run_monitor (&a);
  if (a.go_on && shapes.list.count)
    ask_open (&a, &shapes);
  omen_shapes_fini (&shapes);
  omen_map_fini (&a.by_hash);
  OMEN_VEC_FINI (a.older);
  OMEN_VEC_FINI (a.asked);
  return a.go_on;
}
