/* OMEN_ASK_READS_FROM: can a read see a write that it must not see? */
#include "predict/asker_round.h"

/* The thread's next write of the atom after this one, or OMEN_NONE. */
static omen_eid
next_write (const omen_model *m, omen_eid write, uint32_t atom)
{
  for (uint32_t c = m->atoms[atom].first_cell;
       c < m->atoms[atom + 1].first_cell; c++) {
    const omen_cell *cell = &m->cells[c];
    if (cell->thread != omen_model_thread (m, write))
      continue;
    for (uint32_t i = cell->first_write; i < cell->first_read; i++)
      if (m->members[i] > write)
        return m->members[i];
  }
  return OMEN_NONE;
}

#define MOST_STEPS 4096u

/* Is it the last write of the atom in the cut, in the order of the trace?
   False also if more than MOST_STEPS accesses would have to be examined. */
static bool
is_last_in (const omen_model *m, const uint32_t *cut, omen_eid write,
            uint32_t atom)
{
  uint32_t first = m->atoms[atom].first, steps = 0;
  for (uint32_t i = m->atoms[atom + 1].first; i-- > first;) {
    omen_eid e = m->accesses[i];
    if (omen_kind_writes (omen_model_event (m, e)->kind)
        && m->trace->index[e] < cut[omen_model_thread (m, e)])
      return e == write;
    if (++steps == MOST_STEPS)
      return false;
  }
  return false;
}

/* Can the thread of the read come after the write? */
static bool
can_see (omen_ask_worker *w, omen_eid write, omen_eid read)
{
  const omen_quick *quick = w->round->asker->quick;
  return omen_model_thread (w->round->asker->model, write)
             == omen_model_thread (w->round->asker->model, read)
         || omen_quick_after (quick, write, read, w->cut) != OMEN_ABSENT;
}

omen_verdict
omen_reads_from_quick (omen_ask_worker *w, const omen_eid *events,
                       uint32_t count)
{
  const omen_asker *asker = w->round->asker;
  const omen_model *m = asker->model;
  omen_eid read = events[1], write = count > 2 ? events[2] : events[0];
  omen_span span = omen_model_atoms (m, read);
  bool open = false;
  omen_verdict verdict;
  OMEN_ASSERT (count == 2 || span.count == 1);
  if (count > 2 && !can_see (w, write, read))
    return OMEN_ABSENT;
  verdict = omen_quick_after (asker->quick, events[0], read, w->cut);
  if (verdict == OMEN_ABSENT)
    return verdict;
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    omen_eid next;
    if (count == 2 && !w->round->inquiry->bad (m, write, read, a))
      continue;
    if (verdict == OMEN_FOUND && is_last_in (m, w->cut, write, a))
      return OMEN_FOUND;
    next = next_write (m, write, a);
    open |= next == OMEN_NONE
            || !omen_quick_must_before (asker->quick, next, read);
  }
  return open ? OMEN_UNKNOWN : OMEN_ABSENT;
}

bool
omen_reads_from_question (omen_ask_worker *w, const omen_ask_tuple *t,
                          uint32_t atom, omen_question *q)
{
  const omen_model *m = w->round->asker->model;
  const omen_eid *events = t->events;
  atom += omen_model_atoms (m, events[1]).first;
  if (t->count == 2 && !w->round->inquiry->bad (m, events[0], events[1], atom))
    return false;
  w->seen = (omen_seen){ events[1], events[t->count > 2 ? 2 : 0], atom };
  q->rf = &w->seen;
  q->rf_count = 1;
  q->last = &w->seen.read;
  q->lasts = 1;
  if (t->count > 2) {
    q->take = events;
    q->takes = 2;
    q->order = events;
    q->orders = 1;
  }
  return true;
}
