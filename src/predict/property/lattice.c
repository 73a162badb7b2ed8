/* Verdicts on the lattice: the states of a few bindings ride along at a time. A
   category counts as reached at the first cut to which a run brings a state
   that landed in it.

   If the formula has `||`, what rides is a state and the event that has just
   come if the binding saw it, so that the next one knows what it came right
   after. */
#include "base/map.h"
#include "predict/lattice.h"
#include "predict/property/property.h"

#include <string.h>

/* Bindings that ride together: their states multiply the sets, walks take the
   time of the lattice. */
#define TOGETHER 4u

typedef struct landing {
  uint32_t theta, category, state;
  omen_spot spot;
} landing;

typedef struct ride {
  const omen_property_hunt *hunt;
  const omen_lattice *lattice;
  uint32_t first, count;     /* thetas */
  uint32_t starts[TOGETHER]; /* of the tracks */
  bool parallel;
  omen_map pair_of; /* (state, last event) -> pair */
  OMEN_VEC (uint64_t) pairs;
  uint32_t *letters;
  OMEN_VEC (landing) landings;
} ride;

/* What rides for a state. */
static uint32_t
seat (ride *r, uint32_t state, omen_eid last)
{
  uint64_t pair = OMEN_PAIR (state, last);
  uint32_t *slot;
  if (!r->parallel)
    return state;
  slot = omen_map_at (&r->pair_of, pair);
  if (*slot == OMEN_NONE) {
    *slot = (uint32_t)r->pairs.count;
    OMEN_VEC_PUSH (r->pairs, pair);
  }
  return *slot;
}

static uint32_t
state_of (const ride *r, uint32_t machine)
{
  OMEN_ASSERT (!r->parallel || machine < r->pairs.count);
  return r->parallel ? (uint32_t)(r->pairs.data[machine] >> 32) : machine;
}

static const omen_theta *
theta_of (const ride *r, uint32_t state)
{
  uint32_t number = omen_tracks_binding (r->hunt->tracks, state)
                    - omen_tracks_binding (r->hunt->tracks, r->starts[0]);
  OMEN_ASSERT (number < r->count);
  return &r->hunt->thetas.data[r->first + number];
}

static uint32_t
step_machine (void *context, uint32_t machine, uint32_t letter)
{
  ride *r = context;
  omen_tracks *tracks = r->hunt->tracks;
  uint32_t state = state_of (r, machine), last;
  if (!r->parallel)
    return omen_tracks_step (tracks, state, letter, OMEN_NONE);
  if (!omen_tracks_sees (tracks, theta_of (r, state), letter))
    return seat (r, state, OMEN_NONE);
  last = (uint32_t)r->pairs.data[machine];
  return seat (r, omen_tracks_step (tracks, state, letter, last), letter);
}

static bool
is_known (const ride *r, uint32_t theta, uint32_t category)
{
  for (size_t i = 0; i < r->landings.count; i++)
    if (r->landings.data[i].theta == theta
        && r->landings.data[i].category == category)
      return true;
  return false;
}

static void
reached (void *context, uint32_t machine, const omen_spot *spot)
{
  ride *r = context;
  uint32_t state = state_of (r, machine);
  uint32_t landed = omen_tracks_landed (r->hunt->tracks, state);
  uint32_t theta = (uint32_t)(theta_of (r, state) - r->hunt->thetas.data);
  for (; landed; landed &= landed - 1) {
    uint32_t category = (uint32_t)__builtin_ctz (landed);
    landing new = { theta, category, machine, { 0 } };
    if (is_known (r, theta, category))
      continue;
    omen_spot_take (r->lattice, spot->key, spot->level, &new.spot);
    OMEN_VEC_PUSH (r->landings, new);
  }
}

/* An event is a letter if one of the bindings sees it; all are if it matters
   what comes between two. */
static void
spell (const ride *r)
{
  const omen_property_hunt *h = r->hunt;
  for (omen_eid e = 0; e < h->model->event_count; e++) {
    r->letters[e] = r->parallel ? e : OMEN_NONE;
    for (uint32_t i = 0; i < r->count && r->letters[e] == OMEN_NONE; i++)
      if (omen_tracks_sees (h->tracks, &h->thetas.data[r->first + i], e))
        r->letters[e] = e;
  }
}

static bool
report_verdicts (const ride *r, const omen_lattice_options *walk)
{
  const omen_property_hunt *h = r->hunt;
  bool go_on = true;
  for (size_t i = 0; go_on && i < r->landings.count; i++) {
    const landing *at = &r->landings.data[i];
    omen_ids sequence = { 0 };
    if (omen_lattice_path (r->lattice, walk, &at->spot, at->state, &sequence))
      go_on = h->found (h->context, &h->thetas.data[at->theta], at->category,
                        &sequence);
    else
      h->stats->undecided++;
    OMEN_VEC_FINI (sequence);
  }
  return go_on;
}

static bool
ride_along (ride *r)
{
  const omen_property_hunt *h = r->hunt;
  uint32_t starts[TOGETHER];
  omen_state_machine machine = { .letters = r->letters,
                                 .step = step_machine,
                                 .context = r,
                                 .starts = starts,
                                 .start_count = r->count };
  omen_lattice_options walk = omen_predict_lattice (h->options);
  bool go_on;
  OMEN_ASSERT (r->count > 0 && r->count <= TOGETHER && !r->landings.count);
  for (uint32_t i = 0; i < r->count; i++) {
    r->starts[i] = omen_tracks_start (h->tracks, &h->thetas.data[r->first + i]);
    starts[i] = seat (r, r->starts[i], OMEN_NONE);
  }
  spell (r);
  walk.deadline = h->deadline;
  walk.machine = &machine;
  walk.reached = reached;
  walk.context = r;
  omen_predict_walk (r->lattice, &walk, h->stats);
  go_on = report_verdicts (r, &walk);
  for (size_t i = 0; i < r->landings.count; i++)
    omen_spot_fini (&r->landings.data[i].spot);
  OMEN_VEC_CLEAR (r->landings);
  return go_on;
}

/* What the formula speaks of counts: all, if it asks what comes next to what.
 */
static omen_lattice *
make_lattice (const omen_property_hunt *h)
{
  const omen_ids *seen = omen_tracks_events (h->tracks);
  uint8_t *spoken = omen_zalloc (h->model->event_count + 1, 1);
  omen_lattice *lattice;
  for (size_t i = 0; i < seen->count; i++)
    spoken[seen->data[i]] = 1;
  if (omen_tracks_asks_parallel (h->tracks))
    memset (spoken, 1, h->model->event_count);
  lattice = omen_lattice_new (h->model, spoken);
  omen_free (spoken);
  return lattice;
}

bool
omen_property_walk (const omen_property_hunt *h)
{
  omen_lattice *lattice = make_lattice (h);
  ride r = { .hunt = h,
             .lattice = lattice,
             .parallel = omen_tracks_asks_parallel (h->tracks) };
  bool go_on = true;
  omen_map_init (&r.pair_of);
  r.letters = omen_alloc (h->model->event_count * sizeof *r.letters + 1);
  if (!h->thetas.count) { /* just the figures */
    omen_lattice_options walk = omen_predict_lattice (h->options);
    omen_predict_walk (lattice, &walk, h->stats);
  }
  for (; go_on && r.first < h->thetas.count; r.first += r.count) {
    size_t left = h->thetas.count - r.first;
    r.count = left < TOGETHER ? (uint32_t)left : TOGETHER;
    go_on = ride_along (&r);
  }
  OMEN_VEC_FINI (r.landings);
  OMEN_VEC_FINI (r.pairs);
  omen_map_fini (&r.pair_of);
  omen_free (r.letters);
  omen_lattice_free (lattice);
  return go_on;
}
