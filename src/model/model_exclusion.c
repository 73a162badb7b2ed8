/* Must-happen-before by exclusion: if a thread is inside a section of a lock,
   and the acquire of a conflicting section must have come before, then so must
   its release.

     T1 acq(l)  T1 fork(T2)  T1 rel(l)     T2 acq(l)  T2 w(x)

   Here rel(l) of T1 comes before w(x). It does not count as coming before the
   acq(l) of T2 itself: in a deadlock that acquire is next in its thread while
   T1 still holds l. */
#include "model/model_walk.h"

#define MOST_CELLS 64 /* locks used by more threads are skipped */
#define MOST_STEPS 16 /* sections skipped, as they do not conflict */

static bool
excludes (const omen_section *a, const omen_section *b)
{
  return a->mode == OMEN_LOCK_WRITE || b->mode == OMEN_LOCK_WRITE;
}

/* The last section of the cell that conflicts with `own` and whose acquire is
   in the work clock. Some that do not conflict are skipped. */
static const omen_section *
last_begun (const omen_model_walk *w, const omen_lock_cell *cell,
            const omen_section *own)
{
  const omen_model *model = w->model;
  uint32_t known = w->clocks.work[cell->thread];
  uint32_t low;
  if (!known)
    return NULL;
  low = OMEN_FIRST_NOT (
      i, cell->first, cell[1].first,
      w->trace->index[model->sections[model->lock_members[i]].acquire] < known);
  for (int steps = 0; low > cell->first && steps < MOST_STEPS; steps++, low--) {
    const omen_section *s = &model->sections[model->lock_members[low - 1]];
    if (excludes (s, own))
      return s;
  }
  return NULL;
}

/* Join the releases of sections that must have ended before `own`; true if the
   clock grew. */
static bool
join_releases (omen_model_walk *w, const omen_section *own)
{
  const omen_model *model = w->model;
  uint32_t first = model->lock_cells_first[own->lock];
  uint32_t end = model->lock_cells_first[own->lock + 1];
  bool news = false;
  if (end - first > MOST_CELLS)
    return false;
  for (uint32_t c = first; c < end; c++) {
    const omen_section *s;
    if (model->lock_cells[c].thread == own->thread)
      continue;
    s = last_begun (w, &model->lock_cells[c], own);
    if (!s)
      continue;
    OMEN_ASSERT (s->release != OMEN_NONE);
    if (w->trace->index[s->release] < w->clocks.work[s->thread])
      continue;
    omen_walk_include (w, s->release);
    news = true;
  }
  return news;
}

/* The cell of a section in its lock. */
static uint32_t
cell_of (const omen_model *model, const omen_section *s)
{
  uint32_t low = OMEN_FIRST_NOT (i, model->lock_cells_first[s->lock],
                                 model->lock_cells_first[s->lock + 1],
                                 model->lock_cells[i].thread < s->thread);
  OMEN_ASSERT (model->lock_cells[low].thread == s->thread);
  return low;
}

static omen_cid *
memo (const omen_model_walk *w, uint32_t section)
{
  const omen_section *s = &w->model->sections[section];
  return &w->entered[2 * (size_t)cell_of (w->model, s) + s->mode];
}

bool
omen_walk_may_exclude (const omen_model_walk *w, omen_eid e)
{
  omen_tid t = w->trace->events.data[e].thread;
  return w->took[t] != OMEN_NONE && *memo (w, w->took[t]) != w->own[t];
}

void
omen_walk_exclude (omen_model_walk *w, omen_eid e)
{
  const omen_model *model = w->model;
  const omen_set *set = &model->sets[model->set_of[e]];
  bool news = set->first < set[1].first;
  while (news) {
    news = false;
    for (uint32_t i = set->first; i < set[1].first; i++)
      news |= join_releases (w, &model->sections[model->held[i].section]);
  }
}

void
omen_walk_entered (omen_model_walk *w, omen_eid e, omen_cid c)
{
  omen_tid t = w->trace->events.data[e].thread;
  if (w->took[t] != OMEN_NONE)
    *memo (w, w->took[t]) = c;
}

/* The section that e begins, or OMEN_NONE. */
uint32_t
omen_walk_takes (const omen_model_walk *w, omen_eid e)
{
  switch (w->trace->events.data[e].kind) {
  case OMEN_ACQUIRE:
  case OMEN_READ_ACQUIRE:
    return w->model->at[e];
  case OMEN_WAKE:
    return w->model->waits[w->model->at[e]].begins;
  default:
    return OMEN_NONE;
  }
}
