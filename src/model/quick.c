#include "model/quick_clocks.h"

#include <string.h>

/* The last write section at or before each section in its cell. */
static uint32_t *
last_writes (const omen_model *m)
{
  uint32_t *last = omen_alloc (m->section_count * sizeof *last);
  uint32_t cells = m->lock_cells_first[m->lock_count];
  for (uint32_t cell = 0; cell < cells; cell++) {
    uint32_t write = OMEN_NONE;
    for (uint32_t i = m->lock_cells[cell].first;
         i < m->lock_cells[cell + 1].first; i++) {
      if (m->sections[m->lock_members[i]].mode == OMEN_LOCK_WRITE)
        write = m->lock_members[i];
      last[i] = write;
    }
  }
  return last;
}

static omen_quick *
quick_without_clocks (const omen_model *model, omen_preserve how)
{
  omen_quick *quick = omen_zalloc (1, sizeof *quick);
  bool by_value = how != OMEN_PRESERVE_RF;
  /* sliced: no read is known to be relevant, so none needs its write */
  bool keeps_reads
      = how != OMEN_PRESERVE_NOTHING
        && (how != OMEN_PRESERVE_SLICED || !omen_model_depends (model));
  quick->single = !by_value     ? NULL
                  : keeps_reads ? omen_quick_single (model)
                                : omen_zalloc (model->slot_count, 1);
  quick->model = model;
  quick->keeps_reads = keeps_reads;
  quick->threads = model->thread_count;
  quick->by_value = by_value;
  return quick;
}

omen_quick *
omen_quick_new (const omen_model *model, omen_preserve how)
{
  omen_quick *quick = quick_without_clocks (model, how);
  quick->last_write = last_writes (model);
  omen_quick_walk (quick, &quick->must, OMEN_QUICK_MUST, quick->single);
  omen_quick_walk (quick, &quick->observed, OMEN_QUICK_OBSERVED, NULL);
  OMEN_CHECK (omen_quick_clocks_valid (quick, &quick->must));
  OMEN_CHECK (omen_quick_clocks_valid (quick, &quick->observed));
  return quick;
}

omen_quick *
omen_quick_sync_new (const omen_model *model, omen_preserve how)
{
  omen_quick *quick = quick_without_clocks (model, how);
  omen_quick_walk (quick, &quick->must, OMEN_QUICK_SYNC, quick->single);
  OMEN_CHECK (omen_quick_clocks_valid (quick, &quick->must));
  return quick;
}

void
omen_quick_free (omen_quick *quick)
{
  if (!quick)
    return;
  omen_free (quick->last_write);
  omen_free (quick->single);
  omen_free (quick->must.of);
  omen_free (quick->must.firm);
  omen_free (quick->observed.firm);
  omen_free (quick->observed.of);
  OMEN_VEC_FINI (quick->must.words);
  OMEN_VEC_FINI (quick->observed.words);
  omen_free (quick);
}

/* ---- asking ---- */

typedef struct closing {
  const omen_quick *quick;
  const omen_quick_clocks *clocks;
  const omen_eid *next;
  uint32_t count;
  uint32_t *cut;
  bool failed, changed;
} closing;

/* Add f and its clock to the cut; failed if that includes a target. */
static void
close_over (closing *c, omen_eid f)
{
  const omen_model *m = c->quick->model;
  const uint32_t *theirs = omen_quick_words (c->clocks, c->quick->threads, f);
  omen_tid u = omen_model_thread (m, f);
  uint32_t count = m->trace->index[f] + 1;
  OMEN_ASSERT (count <= m->trace->threads.data[u].count);
  if (c->cut[u] >= count)
    return;
  for (uint32_t i = 0; i < c->quick->threads; i++)
    if (c->cut[i] < theirs[i])
      c->cut[i] = theirs[i];
  if (c->cut[u] < count)
    c->cut[u] = count;
  c->changed = true;
  for (uint32_t i = 0; i < c->count; i++)
    c->failed |= c->cut[omen_model_thread (m, c->next[i])]
                 > m->trace->index[c->next[i]];
}

static void
start_closing (closing *c)
{
  const omen_model *m = c->quick->model;
  uint32_t threads = c->quick->threads;
  memset (c->cut, 0, threads * sizeof *c->cut);
  for (uint32_t i = 0; i < c->count; i++) {
    const uint32_t *theirs = omen_quick_words (c->clocks, threads, c->next[i]);
    omen_tid t = omen_model_thread (m, c->next[i]);
    for (uint32_t u = 0; u < threads; u++)
      if (c->cut[u] < theirs[u])
        c->cut[u] = theirs[u];
    if (c->cut[t] < m->trace->index[c->next[i]])
      c->cut[t] = m->trace->index[c->next[i]];
  }
  for (uint32_t i = 0; i < c->count; i++)
    c->failed |= c->cut[omen_model_thread (m, c->next[i])]
                 > m->trace->index[c->next[i]];
  OMEN_ASSERT (!c->changed);
}

static bool
modes_conflict (const omen_section *a, const omen_section *b)
{
  return a->mode == OMEN_LOCK_WRITE || b->mode == OMEN_LOCK_WRITE;
}

/* Conflicting sections of a lock held at a target come before it, so they
   end. */
static void
end_before_held (closing *c, omen_tid t, const omen_held *held)
{
  const omen_model *m = c->quick->model;
  for (uint32_t cell = m->lock_cells_first[held->lock];
       cell < m->lock_cells_first[held->lock + 1] && !c->failed; cell++) {
    omen_tid u = m->lock_cells[cell].thread;
    uint32_t id
        = u == t ? OMEN_NONE : omen_model_last_section (m, cell, c->cut[u]);
    if (id == OMEN_NONE
        || !modes_conflict (&m->sections[id], &m->sections[held->section]))
      continue;
    if (m->sections[id].release == OMEN_NONE)
      c->failed = true;
    else
      close_over (c, m->sections[id].release);
  }
}

static void
start_with (closing *c, omen_eid taken)
{
  start_closing (c);
  if (taken != OMEN_NONE && !c->failed)
    close_over (c, taken);
}

static bool
refuted (closing *c, omen_eid taken)
{
  const omen_model *m = c->quick->model;
  start_with (c, taken);
  do {
    c->changed = false;
    for (uint32_t i = 0; i < c->count && !c->failed; i++) {
      const omen_set *set = &m->sets[m->set_of[c->next[i]]];
      for (uint32_t h = set[0].first; h < set[1].first && !c->failed; h++)
        end_before_held (c, omen_model_thread (m, c->next[i]), &m->held[h]);
    }
  } while (c->changed && !c->failed);
  return c->failed;
}

/* Does the cut have, in this cell, a section that conflicts with section a and
   is later? Section ids are in trace order. */
static bool
has_later (const closing *c, uint32_t cell, uint32_t a)
{
  const omen_model *m = c->quick->model;
  uint32_t first = m->lock_cells[cell].first, last;
  uint32_t n
      = omen_model_sections_begun (m, cell, c->cut[m->lock_cells[cell].thread]);
  if (!n)
    return false;
  last = m->sections[a].mode == OMEN_LOCK_WRITE
             ? m->lock_members[first + n - 1]
             : c->quick->last_write[first + n - 1];
  return last != OMEN_NONE && last > a;
}

/* The locks that thread t holds after its part of the cut. */
static const omen_set *
held_after (const closing *c, omen_tid t)
{
  const omen_model *m = c->quick->model;
  uint32_t count = c->cut[t];
  OMEN_ASSERT (count <= m->trace->threads.data[t].count);
  return &m->sets[count < m->trace->threads.data[t].count
                      ? m->set_of[omen_trace_nth (m->trace, t, count)]
                      : m->end_set[t]];
}

/* Section a of thread t, open in the cut or closed since this round began, must
   end if a conflicting one comes later. */
static void
end_if_not_last (closing *c, omen_tid t, uint32_t a)
{
  const omen_model *m = c->quick->model;
  const omen_section *section = &m->sections[a];
  bool later = false;
  if (section->release != OMEN_NONE
      && m->trace->index[section->release] < c->cut[t])
    return;
  for (uint32_t cell = m->lock_cells_first[section->lock];
       cell < m->lock_cells_first[section->lock + 1] && !later; cell++)
    later = m->lock_cells[cell].thread != t && has_later (c, cell, a);
  if (!later)
    return;
  if (section->release == OMEN_NONE)
    c->failed = true;
  else
    close_over (c, section->release);
}

/* Of conflicting sections of a lock in the cut, all but the last in trace order
   must end. The open ones are those of held locks. */
static void
end_sections (closing *c)
{
  const omen_model *m = c->quick->model;
  do {
    c->changed = false;
    for (omen_tid t = 0; t < c->quick->threads && !c->failed; t++) {
      const omen_set *set;
      if (!c->cut[t])
        continue;
      set = held_after (c, t);
      for (uint32_t h = set[0].first; h < set[1].first && !c->failed; h++)
        end_if_not_last (c, t, m->held[h].section);
    }
  } while (c->changed && !c->failed);
}

static omen_verdict
ask_closures (const omen_quick *quick, omen_eid taken, const omen_eid *next,
              uint32_t count, uint32_t *cut)
{
  closing must = { quick, &quick->must, next, count, cut, false, false };
  closing observed
      = { quick, &quick->observed, next, count, cut, false, false };
  if (refuted (&must, taken))
    return OMEN_ABSENT;
  start_with (&observed, taken);
  end_sections (&observed);
  if (!observed.failed)
    return OMEN_FOUND;
  must.changed = false;
  refuted (&must, taken); /* for the cut */
  for (uint32_t i = 0; i < count; i++)
    if (omen_quick_reads_refute (quick, next[i], cut))
      return OMEN_ABSENT;
  return OMEN_UNKNOWN;
}

omen_verdict
omen_quick_next (const omen_quick *quick, const omen_eid *next, uint32_t count,
                 uint32_t *cut)
{
  OMEN_REQUIRE (count > 0 && cut);
  return ask_closures (quick, OMEN_NONE, next, count, cut);
}

omen_verdict
omen_quick_after (const omen_quick *quick, omen_eid first, omen_eid next,
                  uint32_t *cut)
{
  OMEN_REQUIRE (cut
                && omen_model_thread (quick->model, first)
                       != omen_model_thread (quick->model, next));
  return ask_closures (quick, first, &next, 1, cut);
}

bool
omen_quick_must_before (const omen_quick *quick, omen_eid a, omen_eid b)
{
  const omen_model *m = quick->model;
  omen_tid t = omen_model_thread (m, a);
  return t == omen_model_thread (m, b)
             ? a < b
             : m->trace->index[a]
                   < omen_quick_words (&quick->must, quick->threads, b)[t];
}

void
omen_quick_taken (const omen_quick *quick, const omen_eid *events,
                  uint32_t count, uint32_t *cut)
{
  closing c = { quick, &quick->observed, NULL, 0, cut, false, false };
  memset (cut, 0, quick->threads * sizeof *cut);
  for (uint32_t i = 0; i < count; i++)
    close_over (&c, events[i]);
  end_sections (&c);
  OMEN_ASSERT (!c.failed);
}

void
omen_quick_sequence (const omen_quick *quick, const uint32_t *cut,
                     omen_ids *events)
{
  const omen_model *m = quick->model;
  uint32_t left = 0;
  for (uint32_t t = 0; t < quick->threads; t++)
    left += cut[t];
  OMEN_VEC_RESERVE (*events, events->count + left);
  for (uint32_t i = 0; left; i++) {
    omen_eid e = omen_model_nth (m, i);
    OMEN_ASSERT (i < m->event_count);
    if (m->trace->index[e] < cut[omen_model_thread (m, e)]) {
      OMEN_VEC_PUSH (*events, e);
      left--;
    }
  }
}

const uint32_t *
omen_quick_must (const omen_quick *quick, omen_eid e)
{
  return omen_quick_words (&quick->must, quick->threads, e);
}

const uint32_t *
omen_quick_observed (const omen_quick *quick, omen_eid e)
{
  return omen_quick_words (&quick->observed, quick->threads, e);
}
