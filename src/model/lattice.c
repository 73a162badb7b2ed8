#include "model/lattice.h"
#include "base/big.h"
#include "base/now.h"
#include "model/lattice_walk.h"

#include <string.h>

void
omen_walker_init (omen_lattice_walker *w, const omen_lattice *plan,
                  const omen_lattice_options *options, const uint32_t *most)
{
  omen_ids starts = { 0 }; /* starting states are not reported as new */
  bool fresh;
  *w = (omen_lattice_walker){ .plan = plan, .options = options, .most = most };
  omen_state_sets_init (&w->state_sets, options->machine);
  while (w->from < plan->step_count
         && omen_model_position (plan->model, plan->observed[w->from])
                < options->from)
    w->from++;
  w->observed = omen_zalloc (plan->threads, sizeof *w->observed);
  w->key = omen_zalloc (plan->key_words, sizeof *w->key);
  if (options->reached)
    omen_state_sets_news (&w->state_sets, 0, &starts);
  OMEN_VEC_FINI (starts);
  omen_level_init (&w->now, plan, 1, options->runs);
  omen_level_add (&w->now, plan, plan->start, &fresh);
  memcpy (w->now.cuts, plan->start, plan->words * sizeof *plan->start);
  w->now.sets[0] = 0;
  if (options->runs)
    w->now.ways[0] = 1;
}

void
omen_walker_fini (omen_lattice_walker *w)
{
  omen_state_sets_fini (&w->state_sets);
  omen_level_fini (&w->now);
  omen_free (w->observed);
  omen_free (w->key);
}

/* ---- a step ---- */

static void
take_step (omen_lattice_walker *w, uint32_t i, const omen_lattice_step *step,
           omen_level *next)
{
  const omen_lattice *plan = w->plan;
  const uint64_t *cut = omen_level_cut (&w->now, plan, i);
  uint32_t set = w->now.sets[i], to;
  bool fresh;
  omen_cut_advance (plan, cut, step, w->key);
  to = omen_level_add (next, plan, w->key, &fresh);
  if (fresh)
    omen_cut_finish (plan, cut, step, omen_level_cut (next, plan, to));
  if (w->options->machine)
    set = omen_state_sets_step (&w->state_sets, set,
                                w->options->machine->letters[step->event]);
  next->sets[to]
      = fresh ? set
              : omen_state_sets_join (&w->state_sets, next->sets[to], set);
  if (w->now.way_words)
    omen_level_add_ways (next, to, w->now.ways + (size_t)i * w->now.way_words,
                         w->now.way_words);
}

static void
take_steps (omen_lattice_walker *w, uint32_t i, omen_level *next)
{
  const omen_lattice *plan = w->plan;
  const uint64_t *cut = omen_level_cut (&w->now, plan, i);
  for (omen_tid t = 0; t < plan->threads; t++) {
    const omen_lattice_step *step = omen_cut_next (plan, cut, t);
    if (step && (!w->most || omen_cut_done (plan, cut, t) < w->most[t])
        && omen_cut_passes (plan, cut, step->needs, step->keys))
      take_step (w, i, step, next);
  }
}

void
omen_walker_next (omen_lattice_walker *w, omen_level *next)
{
  uint32_t breadth = w->level < w->from ? 1 : w->options->breadth;
  omen_level_init (next, w->plan, w->now.count, w->now.way_words);
  for (uint32_t i = 0; i < w->now.count; i++)
    take_steps (w, i, next);
  if (w->level < w->plan->step_count)
    w->observed[omen_model_thread (w->plan->model,
                                   w->plan->observed[w->level])]++;
  if (breadth)
    w->pruned |= omen_level_prune (next, w->plan, breadth, w->observed);
  if (w->options->reached) {
    /* Report the states that no cut of an earlier level had. */
    omen_ids states = { 0 };
    for (uint32_t i = 0; i < next->count; i++) {
      omen_spot spot = { w->level + 1, omen_level_cut (next, w->plan, i) };
      OMEN_VEC_CLEAR (states);
      omen_state_sets_news (&w->state_sets, next->sets[i], &states);
      for (size_t k = 0; k < states.count; k++)
        w->options->reached (w->options->context, states.data[k], &spot);
    }
    OMEN_VEC_FINI (states);
  }
}

/* ---- the walk ---- */

static bool
at_limit (const omen_lattice_options *o, const omen_lattice_counts *counts)
{
  return (o->most_width && OMEN_VEC_LAST (counts->widths) > o->most_width)
         || omen_is_past (&o->deadline);
}

/* Number of complete runs: the cuts of the last level hold all steps. */
static char *
count_runs (omen_lattice_walker *w)
{
  uint32_t words = w->now.way_words;
  uint64_t nothing = 0;
  if (w->level < w->plan->step_count)
    return omen_big_text (&nothing, 1);
  for (uint32_t i = 1; i < w->now.count; i++) {
    words = w->now.way_words;
    omen_level_add_ways (&w->now, 0, w->now.ways + (size_t)i * words, words);
  }
  return omen_big_text (w->now.ways, w->now.way_words);
}

static void
note_peak (const omen_lattice_walker *w, const omen_level *next,
           omen_lattice_counts *counts)
{
  size_t bytes = omen_level_bytes (&w->now, w->plan)
                 + omen_level_bytes (next, w->plan)
                 + omen_state_sets_bytes (&w->state_sets);
  counts->peak = bytes > counts->peak ? bytes : counts->peak;
}

void
omen_lattice_walk (const omen_lattice *plan,
                   const omen_lattice_options *options,
                   omen_lattice_counts *counts)
{
  double start = omen_now ();
  omen_lattice_walker w;
  *counts = (omen_lattice_counts){ 0 };
  omen_walker_init (&w, plan, options, NULL);
  for (;;) {
    omen_level next;
    uint64_t width = omen_level_width (&w.now, plan);
    counts->cuts += width;
    OMEN_VEC_PUSH (counts->widths, width);
    for (uint32_t i = 0; options->visit && i < w.now.count; i++)
      options->visit (options->context, plan, omen_level_cut (&w.now, plan, i),
                      w.level);
    counts->unfinished = at_limit (options, counts);
    if (counts->unfinished)
      break;
    omen_walker_next (&w, &next);
    note_peak (&w, &next, counts);
    if (!next.count) {
      omen_level_fini (&next);
      break;
    }
    omen_level_fini (&w.now);
    w.now = next;
    w.level++;
    if (options->machine)
      omen_state_sets_keep (&w.state_sets, w.now.sets, w.now.count);
  }
  if (options->runs && !counts->unfinished)
    counts->runs = count_runs (&w);
  counts->pruned = w.pruned;
  counts->seconds = omen_now () - start;
  omen_walker_fini (&w);
}

void
omen_lattice_counts_fini (omen_lattice_counts *counts)
{
  OMEN_VEC_FINI (counts->widths);
  omen_free (counts->runs);
  *counts = (omen_lattice_counts){ 0 };
}

bool
omen_lattice_enabled (const omen_lattice *plan, const uint64_t *cut,
                      const omen_lattice_step *step)
{
  return omen_cut_passes (plan, cut, step->needs, step->sees);
}

void
omen_spot_take (const omen_lattice *plan, const uint64_t *cut, uint32_t level,
                omen_spot *spot)
{
  spot->level = level;
  spot->key = omen_alloc (plan->key_words * sizeof *spot->key + 1);
  memcpy (spot->key, cut, plan->key_words * sizeof *spot->key);
}

void
omen_spot_fini (omen_spot *spot)
{
  omen_free (spot->key);
  spot->key = NULL;
}
