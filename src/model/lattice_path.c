/* A path to a cut: walk again, keeping as many of the last levels as memory
   allows, go back through them, and repeat for the rest, from the nearest of
   the levels that were stored on the way:

     level  0 . . . . 1024 . . . . 2048 . . . [kept] cut
            stored     stored       stored

   So narrow lattices of millions of levels take two walks and little memory.
   Cuts that are not below the given one are skipped (unless the breadth is
   limited: then the same cuts must be kept as before). */
#include "base/now.h"
#include "model/lattice_walk.h"

#include <string.h>

/* Memory limits of the levels kept (at least two) and of the levels stored. At
   first, one level in STRIDE is stored. */
#define KEPT_BYTES OMEN_HARD_OR (1024u, 256u << 20)
#define STORED_BYTES OMEN_HARD_OR (4096u, 64u << 20)
#define STRIDE OMEN_HARD_OR (2u, 1024u)

/* A level to begin a walk at. */
typedef struct stored {
  uint32_t level;
  omen_level cuts;
  uint32_t *observed; /* the walker's */
} stored;

typedef struct search {
  const omen_lattice *plan;
  const omen_lattice_options *options;
  omen_lattice_walker walker;
  OMEN_VEC (stored) starts; /* ascending; level 0 is the first */
  size_t starts_bytes;
  uint32_t stride;
  OMEN_VEC (omen_level) levels; /* those kept, consecutive, up to `level` */
  uint32_t base;                /* number of the first level in the list */
  size_t kept;                  /* bytes */
  size_t dropped; /* index of the first level that is still kept */
  /* the earliest cut of the path so far */
  uint64_t *key;
  uint32_t level, state;
  omen_ids *events; /* in reverse */
} search;

/* ---- levels to begin at ---- */

static size_t
stored_bytes (const search *s, const stored *start)
{
  return sizeof *start + omen_level_bytes (&start->cuts, s->plan)
         + s->plan->threads * sizeof *start->observed;
}

static void
forget_start (search *s, stored *start)
{
  s->starts_bytes -= stored_bytes (s, start);
  omen_level_fini (&start->cuts);
  omen_free (start->observed);
}

static void
store (search *s)
{
  const omen_lattice_walker *w = &s->walker;
  size_t bytes = s->plan->threads * sizeof *w->observed;
  stored start = { .level = w->level, .observed = omen_alloc (bytes + 1) };
  omen_level_copy (&w->now, s->plan, &start.cuts);
  memcpy (start.observed, w->observed, bytes);
  OMEN_VEC_PUSH (s->starts, start);
  s->starts_bytes += stored_bytes (s, &start);
  if (s->starts_bytes > STORED_BYTES && s->starts.count > 2) {
    /* Too many: drop every second one, but not the first. */
    size_t left = 0;
    for (size_t i = 0; i < s->starts.count; i++)
      if (i % 2)
        forget_start (s, &s->starts.data[i]);
      else
        s->starts.data[left++] = s->starts.data[i];
    s->starts.count = left;
    s->stride *= 2;
  }
}

/* Put the walker on the last stored level below the path. */
static void
go_to_start (search *s)
{
  omen_lattice_walker *w = &s->walker;
  const stored *start;
  while (OMEN_VEC_LAST (s->starts).level >= s->level)
    forget_start (s, &OMEN_VEC_POP (s->starts));
  start = &OMEN_VEC_LAST (s->starts);
  omen_level_fini (&w->now);
  omen_level_copy (&start->cuts, s->plan, &w->now);
  memcpy (w->observed, start->observed, s->plan->threads * sizeof *w->observed);
  w->level = start->level;
}

/* ---- walks ---- */

static void
drop_level (search *s)
{
  omen_level *level = &s->levels.data[s->dropped++];
  s->kept -= omen_level_bytes (level, s->plan);
  omen_level_fini (level);
}

/* Is memory exhausted, or is a stored level near enough to restart from? */
static bool
are_too_many (const search *s)
{
  size_t count = s->levels.count - s->dropped;
  return count > 2 && (s->kept > KEPT_BYTES || count > 2 * s->stride);
}

static void
drop_levels (search *s)
{
  while (are_too_many (s))
    drop_level (s);
  if (s->dropped <= s->levels.count / 2)
    return;
  s->levels.count -= s->dropped;
  memmove (s->levels.data, s->levels.data + s->dropped,
           s->levels.count * sizeof *s->levels.data);
  s->base += (uint32_t)s->dropped;
  s->dropped = 0;
}

/* Walk to s->level, keeping the last levels. False: out of time. */
static bool
walk_up (search *s)
{
  omen_lattice_walker *w = &s->walker;
  go_to_start (s);
  OMEN_VEC_CLEAR (s->levels);
  s->base = w->level;
  s->dropped = 0;
  s->kept = 0;
  for (;; w->level++) {
    omen_level next = { 0 };
    if (w->level % s->stride == 0 && w->level > OMEN_VEC_LAST (s->starts).level)
      store (s);
    if (w->level < s->level)
      omen_walker_next (w, &next);
    s->kept += omen_level_bytes (&w->now, s->plan);
    OMEN_VEC_PUSH (s->levels, w->now);
    w->now = next;
    if (w->level == s->level)
      return true;
    drop_levels (s);
    if (omen_is_past (&s->options->deadline))
      return false;
  }
}

/* Does the step lead from this cut to the earliest cut of the path so far? */
static bool
leads_here (search *s, const omen_level *level, uint32_t i,
            const omen_lattice_step *step, uint64_t *scratch)
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
  letter = s->options->machine->letters[step->event];
  from = omen_state_sets_origin (&s->walker.state_sets, level->sets[i], letter,
                                 s->state);
  if (from == OMEN_NONE)
    return false;
  s->state = from;
  return true;
}

/* Extend the path one level down, by the last event of the thread. */
static bool
step_back (search *s, const omen_level *below, omen_tid t, uint64_t *scratch)
{
  const omen_lattice *plan = s->plan;
  uint32_t done = omen_cut_done (plan, s->key, t), probe = 0, i;
  const omen_lattice_step *step;
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

/* From the spot back to the start, the events in reverse. */
static bool
go_back (search *s, uint32_t *most, uint64_t *scratch)
{
  bool narrow = s->options->breadth || s->options->from, ok = true;
  omen_walker_init (&s->walker, s->plan, s->options, narrow ? NULL : most);
  store (s);
  while (ok && s->level) {
    for (omen_tid t = 0; t < s->plan->threads; t++)
      most[t] = omen_cut_done (s->plan, s->key, t);
    ok = walk_up (s);
    if (ok) {
      /* Down through the levels that are kept. */
      while (s->level > s->base + s->dropped) {
        const omen_level *below = &s->levels.data[s->level - 1 - s->base];
        bool found = false;
        for (omen_tid t = 0; !found && t < s->plan->threads; t++)
          found = step_back (s, below, t, scratch);
        OMEN_ASSERT (found);
        s->level--;
      }
    }
    while (s->dropped < s->levels.count)
      drop_level (s);
  }
  while (s->starts.count)
    forget_start (s, &OMEN_VEC_POP (s->starts));
  OMEN_ASSERT (!s->starts_bytes && !s->kept);
  omen_walker_fini (&s->walker);
  return ok;
}

bool
omen_lattice_path (const omen_lattice *plan,
                   const omen_lattice_options *options, const omen_spot *spot,
                   uint32_t state, omen_ids *events)
{
  omen_lattice_options quiet = *options;
  search s = { .plan = plan,
               .options = &quiet,
               .level = spot->level,
               .state = state,
               .events = events,
               .stride = STRIDE };
  uint32_t *most = omen_alloc (plan->threads * sizeof *most + 1);
  uint64_t *scratch = omen_alloc (plan->key_words * sizeof *scratch + 1);
  bool ok;
  quiet.runs = false;
  quiet.visit = NULL;
  quiet.reached = NULL;
  s.key = omen_alloc (plan->key_words * sizeof *s.key + 1);
  memcpy (s.key, spot->key, plan->key_words * sizeof *s.key);
  OMEN_VEC_CLEAR (*events);
  ok = go_back (&s, most, scratch);
  for (size_t i = 0; i < events->count / 2; i++) {
    uint32_t other = events->data[i];
    events->data[i] = events->data[events->count - 1 - i];
    events->data[events->count - 1 - i] = other;
  }
  if (ok)
    omen_lattice_fill (plan, events);
  OMEN_VEC_FINI (s.starts);
  OMEN_VEC_FINI (s.levels);
  omen_free (s.key);
  omen_free (most);
  omen_free (scratch);
  return ok;
}
