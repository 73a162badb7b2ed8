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
omen_explore_plan_archive (omen_explore_plan *p, omen_archive *archive)
{
  omen_archive_text (archive, &p->text, &p->length);
  omen_archive_bytes (archive, &p->mover, sizeof p->mover);
  omen_archive_bytes (archive, &p->instead, sizeof p->instead);
  omen_archive_bool (archive, &p->known);
  omen_archive_bool (archive, &p->unseen);
  omen_archive_bytes (archive, &p->pair, sizeof p->pair);
  p->count = (uint32_t)omen_archive_count (archive, p->count);
  if (archive->reading)
    p->threads = omen_zalloc (p->count + 1u, sizeof *p->threads);
  for (uint32_t i = 0; i < p->count; i++) {
    omen_beginning *its = &p->threads[i];
    omen_archive_bytes (archive, &its->name, sizeof its->name);
    omen_archive_bytes (archive, &its->past.hash, sizeof its->past.hash);
    omen_archive_bytes (archive, &its->past.count, sizeof its->past.count);
  }
  archive->ok = archive->ok && p->text
                && (p->mover < p->count || p->mover == OMEN_NONE);
}

void
omen_frontier_archive (omen_frontier *f, omen_archive *archive)
{
  size_t count = omen_archive_count (archive, omen_frontier_count (f));
  for (size_t i = 0; i < count && archive->ok; i++) {
    if (archive->reading)
      OMEN_VEC_PUSH (f->plans, (omen_explore_plan){ 0 });
    omen_explore_plan_archive (&f->plans.data[f->first + i], archive);
  }
}
