/* A path to a cut: walk again, keep as many of the last levels as there is room
   for, go back through them, and begin anew for what is left. What lies above
   the cut is left out (unless the breadth is limited: then the choice of cuts
   must be the same as before), so that each walk is shorter than the last. */
#include "base/now.h"
#include "model/lattice_walk.h"

#include <string.h>

/* Cuts that are kept at once, at least two levels. */
#define KEPT_CUTS OMEN_HARD_OR (8u, 8000000u)

typedef struct search {
  const omen_lattice *plan;
  const omen_lattice_options *options;
  OMEN_VEC (omen_level) levels; /* those kept, consecutive, up to `level` */
  omen_lattice_walker walker;
  uint64_t kept;  /* cuts in levels */
  size_t dropped; /* levels forgotten: first of those kept */
  /* where the path has come to, from its end */
  uint64_t *key;
  uint32_t level, state;
  omen_ids *events; /* in reverse */
} search;

static void
drop_levels (search *s, bool all)
{
  size_t end = all ? s->levels.count : s->levels.count - 2;
  while (s->dropped < end && (all || s->kept > KEPT_CUTS)) {
    s->kept -= s->levels.data[s->dropped].count;
    omen_level_fini (&s->levels.data[s->dropped++]);
  }
}

/* Levels 0 … s->level, the last ones kept. False: out of time. */
static bool
walk_up (search *s, const uint32_t *most)
{
  omen_lattice_walker *w = &s->walker;
  bool narrow = s->options->breadth || s->options->from;
  omen_walker_init (w, s->plan, s->options, narrow ? NULL : most);
  OMEN_VEC_CLEAR (s->levels);
  s->dropped = 0;
  s->kept = 0;
  for (;; w->level++) {
    omen_level next = { 0 };
    if (w->level < s->level)
      omen_walker_next (w, &next);
    s->kept += w->now.count;
    OMEN_VEC_PUSH (s->levels, w->now);
    w->now = next;
    if (w->level == s->level)
      return true;
    if (s->levels.count > 2)
      drop_levels (s, false);
    if (s->options->deadline > 0 && omen_now () > s->options->deadline)
      return false;
  }
}

/* Does the step lead from this cut to where the path is? */
static bool
leads_here (search *s, const omen_level *level, uint32_t i,
            const omen_step *step, uint64_t *scratch)
{
  const uint64_t *cut = omen_level_cut (level, s->plan, i);
  uint32_t letter, from;
  if (!omen_cut_passes (s->plan, cut, step->needs, step->keys))
    return false;
  omen_cut_advance (s->plan, cut, step, scratch);
  if (memcmp (scratch, s->key, s->plan->key_words * sizeof *scratch))
    return false;
  if (s->state == OMEN_NONE)
    return true;
  letter = s->options->rider->letters[step->event];
  from = omen_riders_origin (&s->walker.riders, level->sets[i], letter,
                             s->state);
  if (from == OMEN_NONE)
    return false;
  s->state = from;
  return true;
}

/* One level down, by the last event of the thread. */
static bool
step_back (search *s, const omen_level *below, omen_tid t, uint64_t *scratch)
{
  const omen_lattice *plan = s->plan;
  uint32_t done = omen_cut_done (plan, s->key, t), probe = 0, i;
  const omen_step *step;
  uint64_t *wanted;
  bool found = false;
  if (!done)
    return false;
  step = &plan->steps[plan->first_step[t] + done - 1];
  wanted = omen_alloc (plan->key_words * sizeof *wanted + 1);
  memcpy (wanted, s->key, plan->key_words * sizeof *wanted);
  omen_cut_put (plan, wanted, t, done - 1);
  while (!found
         && (i = omen_level_find (below, plan, wanted, &probe)) != OMEN_NONE)
    found = leads_here (s, below, i, step, scratch);
  omen_free (wanted);
  if (!found)
    return false;
  memcpy (s->key, omen_level_cut (below, plan, i),
          plan->key_words * sizeof *s->key);
  OMEN_VEC_PUSH (*s->events, step->event);
  return true;
}

/* Down through the levels that are kept. */
static void
walk_down (search *s, uint64_t *scratch)
{
  while (s->level > s->dropped) {
    bool found = false;
    for (omen_tid t = 0; !found && t < s->plan->threads; t++)
      found = step_back (s, &s->levels.data[s->level - 1], t, scratch);
    OMEN_ASSERT (found);
    s->level--;
  }
}

static void
reverse (omen_ids *events)
{
  for (size_t i = 0; i < events->count / 2; i++) {
    uint32_t other = events->data[i];
    events->data[i] = events->data[events->count - 1 - i];
    events->data[events->count - 1 - i] = other;
  }
}

bool
omen_lattice_path (const omen_lattice *plan, const omen_lattice_options *options,
                   const omen_spot *spot, uint32_t state, omen_ids *events)
{
  omen_lattice_options quiet = *options;
  search s = { .plan = plan, .options = &quiet, .level = spot->level,
               .state = state, .events = events };
  uint32_t *most = omen_alloc (plan->threads * sizeof *most + 1);
  uint64_t *scratch = omen_alloc (plan->key_words * sizeof *scratch + 1);
  bool ok = true;
  quiet.runs = false;
  quiet.visit = NULL;
  quiet.reached = NULL;
  s.key = omen_alloc (plan->key_words * sizeof *s.key + 1);
  memcpy (s.key, spot->key, plan->key_words * sizeof *s.key);
  OMEN_VEC_CLEAR (*events);
  while (ok && s.level) {
    for (omen_tid t = 0; t < plan->threads; t++)
      most[t] = omen_cut_done (plan, s.key, t);
    ok = walk_up (&s, most);
    if (ok)
      walk_down (&s, scratch);
    drop_levels (&s, true);
    omen_walker_fini (&s.walker);
  }
  reverse (events);
  if (ok)
    omen_lattice_fill (plan, events);
  OMEN_VEC_FINI (s.levels);
  omen_free (s.key);
  omen_free (most);
  omen_free (scratch);
  return ok;
}
