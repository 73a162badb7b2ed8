#include "predict/asker_round.h"

/* ---- quick answers ---- */

/* The last write of the cell's thread in the cut, or OMEN_NONE. */
static omen_eid
last_of_cell (const omen_model *m, const uint32_t *cut, const omen_cell *cell)
{
  uint32_t low
      = OMEN_FIRST_NOT (i, cell->first_write, cell->first_read,
                        m->trace->index[m->members[i]] < cut[cell->thread]);
  return low == cell->first_write ? OMEN_NONE : m->members[low - 1];
}

/* The last write of the atom in the cut, in the order of the trace. */
static omen_eid
last_write (const omen_model *m, const uint32_t *cut, uint32_t atom)
{
  uint32_t end = m->atoms[atom + 1].first_cell;
  omen_eid last = OMEN_NONE;
  for (uint32_t c = m->atoms[atom].first_cell; c < end; c++) {
    omen_eid write = last_of_cell (m, cut, &m->cells[c]);
    if (write != OMEN_NONE
        && (last == OMEN_NONE
            || omen_model_position (m, write) > omen_model_position (m, last)))
      last = write;
  }
  return last;
}

/* If e comes after the cut and then `before` (unless that is OMEN_NONE), does
   it see the same writes as in the trace? */
static bool
sees_the_same (const omen_model *m, const uint32_t *cut, omen_eid before,
               omen_eid e)
{
  omen_span atoms, other = { 0 };
  if (!omen_kind_reads (omen_model_event (m, e)->kind))
    return true;
  atoms = omen_model_atoms (m, e);
  if (before != OMEN_NONE
      && omen_kind_writes (omen_model_event (m, before)->kind))
    other = omen_model_atoms (m, before);
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++) {
    omen_eid write
        = a - other.first < other.count ? before : last_write (m, cut, a);
    if (!omen_model_same_write (m, e, write, a))
      return false;
  }
  return true;
}

/* Two steps that are to be adjacent. */
static omen_verdict
quick_pair (omen_ask_worker *w, const omen_eid *e)
{
  const omen_model *m = w->round->asker->model;
  const uint8_t *loose = w->round->inquiry->loose;
  omen_verdict verdict = omen_quick_next (w->round->asker->quick, e, 2, w->cut);
  OMEN_ASSERT (omen_model_thread (m, e[0]) != omen_model_thread (m, e[1]));
  if (verdict == OMEN_FOUND
      && !((loose[e[0]] || sees_the_same (m, w->cut, OMEN_NONE, e[0]))
           && (loose[e[1]] || sees_the_same (m, w->cut, e[0], e[1]))))
    return OMEN_UNKNOWN;
  return verdict;
}

omen_verdict
omen_steps_quick (omen_ask_worker *w, const omen_eid *e, uint32_t count)
{
  const omen_ask_steps *steps = &w->round->inquiry->steps[w->group];
  const omen_quick *quick = w->round->asker->quick;
  uint32_t part = 0;
  for (uint32_t i = 0; i < count; i++) {
    part = steps->first >> i & 1 ? i : part;
    for (uint32_t k = part; k < i; k++)
      if (omen_quick_must_before (quick, e[i], e[k]))
        return OMEN_ABSENT;
    if (steps->glued >> i & 1
        && omen_quick_next (quick, e + i - 1, 2, w->cut) == OMEN_ABSENT)
      return OMEN_ABSENT;
  }
  return count == 2 && steps->glued >> 1 & 1 ? quick_pair (w, e) : OMEN_UNKNOWN;
}

/* ---- windows ---- */

uint32_t
omen_steps_in_place (const omen_model *m, const omen_ask_steps *steps,
                     const omen_eid *events, uint32_t count)
{
  uint32_t k = 0;
  OMEN_REQUIRE (count > 0);
  if (steps->first != 1)
    return 0;
  OMEN_ASSERT (!(steps->glued & 1));
  for (; k + 1 < count && !(steps->glued >> k & 3); k++)
    for (uint32_t j = k + 1; j < count; j++)
      if (omen_model_position (m, events[j])
          <= omen_model_position (m, events[k]))
        return k;
  return k;
}

/* Events before the window are fixed in their order; only steps inside it are
   asked about. */
omen_question
omen_steps_question (omen_ask_worker *w, const omen_ask_tuple *t)
{
  const omen_ask_steps *steps = &w->round->inquiry->steps[t->group];
  const omen_model *m = w->round->asker->model;
  uint32_t from = w->round->view->from;
  OMEN_ASSERT (steps->first & 1); /* a part starts at the first step */
  OMEN_VEC_CLEAR (w->take);
  OMEN_VEC_CLEAR (w->kept);
  OMEN_VEC_CLEAR (w->order);
  OMEN_VEC_CLEAR (w->together);
  for (uint32_t i = 0; i < t->count; i++) {
    omen_eid before = i ? t->events[i - 1] : OMEN_NONE, e = t->events[i];
    if (omen_model_position (m, e) < from)
      continue;
    OMEN_VEC_PUSH (w->take, e);
    if (!w->round->inquiry->loose[e])
      OMEN_VEC_PUSH (w->kept, e);
    if (steps->first >> i & 1 || omen_model_position (m, before) < from)
      continue;
    OMEN_VEC_PUSH (w->order, before);
    OMEN_VEC_PUSH (w->order, e);
    if (!(steps->glued >> i & 1))
      continue;
    OMEN_VEC_PUSH (w->together, before);
    OMEN_VEC_PUSH (w->together, e);
  }
  OMEN_ASSERT (w->take.count > 0); /* needs a step in the window */
  return (omen_question){ .take = w->take.data,
                          .takes = (uint32_t)w->take.count,
                          .kept = w->kept.data,
                          .kepts = (uint32_t)w->kept.count,
                          .order = w->order.data,
                          .orders = (uint32_t)w->order.count / 2,
                          .together = w->together.data,
                          .togethers = (uint32_t)w->together.count / 2 };
}
