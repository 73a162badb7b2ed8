#include "driver/explore/frontier.h"

#include <stdlib.h>

void
omen_explore_plan_fini (omen_explore_plan *p)
{
  free (p->text); /* from open_memstream */
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

void
omen_explore_plan_tape (omen_explore_plan *p, omen_tape *tape)
{
  omen_tape_text (tape, &p->text, &p->length);
  omen_tape_bytes (tape, &p->mover, sizeof p->mover);
  omen_tape_bytes (tape, &p->instead, sizeof p->instead);
  omen_tape_bytes (tape, &p->known, sizeof p->known);
  omen_tape_bytes (tape, &p->unseen, sizeof p->unseen);
  omen_tape_bytes (tape, &p->pair, sizeof p->pair);
  p->count = (uint32_t)omen_tape_count (tape, p->count);
  if (tape->reading)
    p->threads = omen_zalloc (p->count + 1u, sizeof *p->threads);
  for (uint32_t i = 0; i < p->count; i++) {
    omen_beginning *its = &p->threads[i];
    omen_tape_bytes (tape, &its->name, sizeof its->name);
    omen_tape_bytes (tape, &its->past.hash, sizeof its->past.hash);
    omen_tape_bytes (tape, &its->past.count, sizeof its->past.count);
  }
  tape->ok
      = tape->ok && p->text && (p->mover < p->count || p->mover == OMEN_NONE);
}

void
omen_frontier_tape (omen_frontier *f, omen_tape *tape)
{
  size_t count = omen_tape_count (tape, omen_frontier_count (f));
  for (size_t i = 0; i < count && tape->ok; i++) {
    if (tape->reading)
      OMEN_VEC_PUSH (f->plans, (omen_explore_plan){ 0 });
    omen_explore_plan_tape (&f->plans.data[f->first + i], tape);
  }
}
