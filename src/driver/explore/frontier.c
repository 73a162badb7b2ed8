#include "driver/explore/frontier.h"

#include <stdlib.h>

void
omen_explore_plan_fini (omen_explore_plan *p)
{
  free (p->text); /* of a stream in memory */
  omen_free (p->threads);
  *p = (omen_explore_plan){ 0 };
}

void
omen_frontier_fini (omen_frontier *f)
{
  for (size_t i = f->first; i < f->plans.count; i++)
    omen_explore_plan_fini (&f->plans.data[i]);
  OMEN_VEC_FINI (f->plans);
}

size_t
omen_frontier_count (const omen_frontier *f)
{
  return f->plans.count - f->first;
}

bool
omen_explore_plan_is_done (const omen_explore_plan *p, const omen_known *known)
{
  if (p->unseen)
    return false;
  if (p->mover == OMEN_NONE)
    return omen_known_ended (known, p->threads, p->count);
  omen_observed *past = &p->threads[p->mover].past;
  uint64_t usual = past->hash;
  bool done = omen_known_has (known, p->threads, p->count);
  if (!done && p->instead != usual) {
    past->hash = p->instead;
    done = omen_known_has (known, p->threads, p->count);
    past->hash = usual;
  }
  return done;
}
