/* Verdicts on the lattice: one walk carries the monitor states of many
   bindings. A category is reached at the first cut with a state that landed in
   it; the path to that cut is found by a second walk with only that binding's
   states.

   A binding's state is added to a cut at the first event that it sees, and
   dropped when all cuts of the level are past its last one, so that cuts carry
   only the states of bindings with events nearby. If some event is seen by all
   bindings, each cut would carry all of them, so only a few are walked with at
   a time.

   If the formula asks for parallel events (`||`, `(.)`), a state is paired with
   the directly preceding event if the binding saw it, so that the next event
   can be parallel to it. */
#include "base/map.h"
#include "predict/lattice.h"
#include "predict/property/property.h"
#include "predict/property/binding_index.h"

#include <string.h>

/* How many bindings share a walk if some event is seen by all of them. */
#define TOGETHER 4u

typedef struct landing {
  uint32_t binding, category, state;
  omen_spot spot;
} landing;

typedef struct joint_walk {
  const omen_property_hunt *hunt;
  const omen_lattice *lattice;
  const omen_binding_index *index;
  uint32_t first, count; /* in thetas; bindings are numbered from `first` */
  omen_ids starts;       /* by binding: start state in the tracks */
  omen_ids binding_of;   /* by state of the tracks, or OMEN_NONE */
  bool parallel;
  omen_map pair_of; /* (state, last event) -> pair */
  OMEN_VEC (uint64_t) pairs;
  uint32_t *letters;
  OMEN_VEC (landing) landings;
  omen_map landed_by; /* state of the tracks -> an event that leads to it */
  omen_ids reached;   /* by binding: categories */
  /* adding and dropping bindings */
  bool adds;                /* else all states are there from the first cut */
  omen_ids left;            /* by binding: its events that not all cuts have */
  uint32_t *passed, *least; /* by thread: steps that all cuts have; of the
                               previous and of the current level */
  uint32_t level;           /* the current one */
  omen_ids observers;       /* those that see `marked`, or scratch */
  omen_ids sees;   /* by binding: the last marked letter that it sees */
  uint32_t marked; /* letter marked last, seen by `observers` */
  OMEN_VEC (uint8_t) has_state; /* scratch, by binding; all 0 between uses */
} joint_walk;

/* The machine state for a state of the tracks: itself, or the number of its
   pair with the last event. */
static uint32_t
machine_state (joint_walk *r, uint32_t state, omen_eid last)
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
track_of (const joint_walk *r, uint32_t machine)
{
  OMEN_ASSERT (!r->parallel || machine < r->pairs.count);
  return r->parallel ? (uint32_t)(r->pairs.data[machine] >> 32) : machine;
}

/* The number of the binding that a state belongs to. */
static uint32_t
binding_of (joint_walk *r, uint32_t state)
{
  const omen_tracks *tracks = r->hunt->tracks;
  uint32_t *known;
  while (r->binding_of.count <= state)
    OMEN_VEC_PUSH (r->binding_of, OMEN_NONE);
  known = &r->binding_of.data[state];
  if (*known == OMEN_NONE)
    *known = omen_tracks_binding (tracks, state)
             - omen_tracks_binding (tracks, r->starts.data[0]);
  OMEN_ASSERT (*known < r->count);
  return *known;
}

static const omen_theta *
theta_of (const joint_walk *r, uint32_t binding)
{
  return &r->hunt->thetas.data[r->first + binding];
}

/* Mark the bindings that see the letter, once, since a set has thousands of
   states and few see it. */
static void
mark_observers (joint_walk *r, uint32_t letter)
{
  if (r->marked == letter)
    return;
  r->marked = letter;
  omen_binding_index_thetas (r->index, letter, &r->observers);
  for (size_t i = 0; i < r->observers.count; i++)
    r->sees.data[r->observers.data[i] - r->first] = letter;
}

static bool
binding_sees (joint_walk *r, uint32_t binding, uint32_t letter)
{
  if (!r->adds)
    return omen_tracks_sees (r->hunt->tracks, theta_of (r, binding), letter);
  mark_observers (r, letter);
  return r->sees.data[binding] == letter;
}

static uint32_t
step_machine (void *context, uint32_t machine, uint32_t letter)
{
  joint_walk *r = context;
  omen_tracks *tracks = r->hunt->tracks;
  uint32_t from = track_of (r, machine), binding = binding_of (r, from), to;
  if (r->adds && !r->left.data[binding])
    return OMEN_NONE;
  if (!binding_sees (r, binding, letter))
    return machine_state (r, from, OMEN_NONE);
  to = omen_tracks_step (tracks, from, letter,
                         r->parallel ? (uint32_t)r->pairs.data[machine]
                                     : OMEN_NONE);
  if (omen_tracks_landed (tracks, to))
    *omen_map_at (&r->landed_by, to) = letter;
  return machine_state (r, to, letter);
}

static void
note_landing (void *context, uint32_t machine, const omen_spot *spot)
{
  joint_walk *r = context;
  uint32_t state = track_of (r, machine), binding = binding_of (r, state);
  uint32_t landed
      = omen_tracks_landed (r->hunt->tracks, state) & ~r->reached.data[binding];
  r->reached.data[binding] |= landed;
  for (; landed; landed &= landed - 1) {
    landing new = { binding, (uint32_t)__builtin_ctz (landed), machine, { 0 } };
    omen_spot_take (r->lattice, spot->key, spot->level, &new.spot);
    OMEN_VEC_PUSH (r->landings, new);
  }
}

/* ---- on and off ---- */

/* Compute the set after the letter. Of its thousands of states, the few that
   see the letter are stepped; the others are kept. Bindings that see it and
   have no state in the set start. */
static void
step_all (void *context, const uint32_t *states, uint32_t count,
          uint32_t letter, omen_ids *stayed, omen_ids *moved)
{
  joint_walk *r = context;
  mark_observers (r, letter);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t state = states[i], binding = binding_of (r, track_of (r, state)),
             to;
    if (!r->left.data[binding])
      continue;
    r->has_state.data[binding] |= r->sees.data[binding] == letter;
    if (r->sees.data[binding] != letter && !r->parallel) {
      OMEN_VEC_PUSH (*stayed, state);
      continue;
    }
    to = step_machine (r, state, letter); /* also forgets the last event */
    OMEN_VEC_PUSH (*moved, to);
  }
  for (size_t i = 0; i < r->observers.count; i++) {
    uint32_t binding = r->observers.data[i] - r->first;
    if (!r->has_state.data[binding])
      OMEN_VEC_PUSH (
          *moved, step_machine (
                      r, machine_state (r, r->starts.data[binding], OMEN_NONE),
                      letter));
    r->has_state.data[binding] = 0;
  }
}

/* Count down the events that all cuts have now; bindings with none left are
   dropped at their next step. */
static void
drop_passed (joint_walk *r)
{
  const omen_lattice *plan = r->lattice;
  for (omen_tid t = 0; t < plan->threads; t++) {
    for (; r->passed[t] < r->least[t]; r->passed[t]++) {
      uint32_t step = plan->first_step[t] + r->passed[t];
      mark_observers (r, plan->steps[step].event);
      for (size_t i = 0; i < r->observers.count; i++)
        r->left.data[r->observers.data[i] - r->first]--;
    }
    r->least[t] = UINT32_MAX;
  }
}

static void
visit (void *context, const omen_lattice *plan, const uint64_t *cut,
       uint32_t level)
{
  joint_walk *r = context;
  if (level != r->level)
    drop_passed (r);
  r->level = level;
  for (omen_tid t = 0; t < plan->threads; t++) {
    uint32_t done = omen_cut_done (plan, cut, t);
    r->least[t] = done < r->least[t] ? done : r->least[t];
  }
}

static void
count_left (joint_walk *r)
{
  size_t bytes = r->lattice->threads * sizeof *r->least;
  r->passed = omen_zalloc (bytes + 1, 1);
  r->least = omen_alloc (bytes + 1);
  memset (r->least, 0xff, bytes);
  r->level = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    omen_binding_index_events (r->index, r->first + i, &r->observers);
    OMEN_VEC_PUSH (r->left, (uint32_t)r->observers.count);
  }
}

/* ---- walks ---- */

/* Give each event its letter: itself if one of the bindings [from, to) sees it.
   All events have one if it matters which events are adjacent. */
static void
spell (joint_walk *r, uint32_t from, uint32_t to)
{
  uint32_t events = r->hunt->model->event_count;
  for (omen_eid e = 0; e < events; e++)
    r->letters[e] = r->parallel ? e : OMEN_NONE;
  for (uint32_t i = from; i < to && !r->parallel; i++) {
    omen_binding_index_events (r->index, r->first + i, &r->observers);
    for (size_t k = 0; k < r->observers.count; k++)
      r->letters[r->observers.data[k]] = r->observers.data[k];
  }
}

/* Find the path to a landing, with the states of its binding alone, and report
   it. */
static bool
report_landing (joint_walk *r, omen_lattice_options walk, const landing *at)
{
  const omen_property_hunt *h = r->hunt;
  uint32_t start = machine_state (r, r->starts.data[at->binding], OMEN_NONE);
  omen_state_machine machine = { .letters = r->letters,
                                 .step = step_machine,
                                 .context = r,
                                 .starts = &start,
                                 .start_count = 1 };
  omen_ids sequence = { 0 };
  bool go_on = true;
  if (h->fold (h->context, at->category,
               omen_map_get (&r->landed_by, track_of (r, at->state))))
    return true;
  spell (r, at->binding, at->binding + 1);
  walk.machine = &machine;
  if (omen_lattice_path (r->lattice, &walk, &at->spot, at->state, &sequence))
    go_on = h->found (h->context, theta_of (r, at->binding), at->category,
                      &sequence);
  else
    h->stats->undecided++;
  OMEN_VEC_FINI (sequence);
  return go_on;
}

static bool
report_verdicts (joint_walk *r, const omen_lattice_options *walk)
{
  bool go_on = true;
  r->adds = false;
  for (size_t i = 0; i < r->landings.count; i++) {
    go_on = go_on && report_landing (r, *walk, &r->landings.data[i]);
    omen_spot_fini (&r->landings.data[i].spot);
  }
  return go_on;
}

/* Count bindings with open categories as undecided if the walk was cut off; one
   less, since the walk itself counts. */
static void
count_open (const joint_walk *r)
{
  const omen_property_hunt *h = r->hunt;
  uint32_t all
      = (uint32_t)((UINT64_C (1) << h->property->formula[h->formula].categories)
                   - 1);
  uint32_t open = 0;
  for (uint32_t i = 0; i < r->count; i++)
    open += r->reached.data[i] != all;
  if (h->stats->lattice.unfinished && open)
    h->stats->undecided += open - 1;
}

static bool
walk_lattice (joint_walk *r)
{
  const omen_property_hunt *h = r->hunt;
  omen_ids starts = { 0 };
  omen_state_machine machine = { .letters = r->letters,
                                 .step = step_machine,
                                 .context = r,
                                 .step_all = r->adds ? step_all : NULL };
  omen_lattice_options walk = omen_predict_lattice (h->options);
  bool go_on;
  OMEN_ASSERT (r->count > 0 && !r->landings.count);
  for (uint32_t i = 0; i < r->count; i++) {
    OMEN_VEC_PUSH (r->starts, omen_tracks_start (h->tracks, theta_of (r, i)));
    OMEN_VEC_PUSH (r->reached, 0);
    OMEN_VEC_PUSH (r->has_state, 0);
    OMEN_VEC_PUSH (r->sees, OMEN_NONE);
    if (!r->adds)
      OMEN_VEC_PUSH (starts, machine_state (r, r->starts.data[i], OMEN_NONE));
  }
  if (r->adds)
    count_left (r);
  spell (r, 0, r->count);
  machine.starts = starts.data;
  machine.start_count = (uint32_t)starts.count;
  walk.deadline = h->deadline;
  walk.machine = &machine;
  walk.visit = r->adds ? visit : NULL;
  walk.reached = note_landing;
  walk.context = r;
  omen_predict_walk (r->lattice, &walk, h->stats);
  count_open (r);
  go_on = report_verdicts (r, &walk);
  OMEN_VEC_FINI (starts);
  return go_on;
}

/* The lattice with the events that the formula sees as steps; with all events
   if it asks which are adjacent. */
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

/* Walk with bindings [first, first + count). */
static bool
walk_with (const omen_property_hunt *h, const omen_lattice *lattice,
           const omen_binding_index *index, uint32_t first, uint32_t count)
{
  joint_walk r = { .hunt = h,
                   .lattice = lattice,
                   .index = index,
                   .first = first,
                   .count = count,
                   .adds = !index->shared.count,
                   .marked = OMEN_NONE,
                   .parallel = omen_tracks_asks_parallel (h->tracks) };
  bool go_on;
  omen_map_init (&r.pair_of);
  omen_map_init (&r.landed_by);
  r.letters = omen_alloc (h->model->event_count * sizeof *r.letters + 1);
  go_on = walk_lattice (&r);
  OMEN_VEC_FINI (r.starts);
  OMEN_VEC_FINI (r.pairs);
  OMEN_VEC_FINI (r.landings);
  OMEN_VEC_FINI (r.reached);
  OMEN_VEC_FINI (r.left);
  OMEN_VEC_FINI (r.observers);
  OMEN_VEC_FINI (r.sees);
  OMEN_VEC_FINI (r.binding_of);
  OMEN_VEC_FINI (r.has_state);
  omen_map_fini (&r.pair_of);
  omen_map_fini (&r.landed_by);
  omen_free (r.letters);
  omen_free (r.passed);
  omen_free (r.least);
  return go_on;
}

bool
omen_property_walk (const omen_property_hunt *h)
{
  omen_lattice *lattice = make_lattice (h);
  uint32_t all = (uint32_t)h->thetas.count, count;
  omen_binding_index index;
  bool go_on = true;
  omen_binding_index_init (&index, h->model, h->tracks, &h->thetas);
  if (!all) { /* no bindings: only the statistics */
    omen_lattice_options walk = omen_predict_lattice (h->options);
    omen_predict_walk (lattice, &walk, h->stats);
  }
  for (uint32_t first = 0; go_on && first < all; first += count) {
    count = all - first;
    if (index.shared.count && count > TOGETHER)
      count = TOGETHER;
    go_on = walk_with (h, lattice, &index, first, count);
  }
  omen_binding_index_fini (&index);
  omen_lattice_free (lattice);
  return go_on;
}
