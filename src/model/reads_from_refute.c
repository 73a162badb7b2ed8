/* Why a read cannot see a write: what must happen, and what must come before
   the read. */
#include "model/reads_from_search.h"

#include <string.h>

typedef struct refuting {
  omen_rf_search *s;
  const omen_model *m;
  const omen_triple *q;
  omen_rf_order order;
  omen_tid thread; /* of the read */
  uint32_t index;
  uint32_t *before; /* cut: known to be before the read */
  uint32_t *there;  /* cut: known to happen; the same array unless crw */
  bool refuted, changed;
} refuting;

static bool
must_precede (const refuting *r, omen_eid a, omen_eid b)
{
  return omen_model_thread (r->m, a) == omen_model_thread (r->m, b)
             ? omen_index (r->m, a) < omen_index (r->m, b)
             : omen_index (r->m, a) < omen_quick_must (
                   r->s->quick, b)[omen_model_thread (r->m, a)];
}

static void
put_before (refuting *r, omen_eid e)
{
  const uint32_t *words = omen_quick_must (r->s->quick, e);
  OMEN_ASSERT (e != OMEN_NONE && e != r->q->read);
  r->changed |= omen_cut_take (r->m, r->before, words, e);
  if (r->there != r->before)
    omen_cut_take (r->m, r->there, words, e);
  r->refuted |= r->before[r->thread] > r->index;
  OMEN_ASSERT (omen_cut_has (r->m, r->before, e));
}

/* The reordering ends inside the sections around the read, so those of other
   threads end before. */
static void
end_sections (refuting *r)
{
  const omen_model *m = r->m;
  const omen_set *set = &m->sets[m->set_of[r->q->read]];
  for (uint32_t h = set[0].first; h < set[1].first && !r->refuted; h++)
    for (uint32_t c = m->lock_cells_first[m->held[h].lock];
         c < m->lock_cells_first[m->held[h].lock + 1] && !r->refuted; c++) {
      omen_tid u = m->lock_cells[c].thread;
      uint32_t id = u == r->thread
                        ? OMEN_NONE
                        : omen_model_last_section (m, c, r->there[u]);
      if (id == OMEN_NONE
          || !omen_modes_conflict (m->sections[id].mode, m->held[h].mode))
        continue;
      if (m->sections[id].release == OMEN_NONE)
        r->refuted = true;
      else
        put_before (r, m->sections[id].release);
    }
}

/* Event e comes before the rival; if both are in critical sections of one lock,
   that of e ends before. */
static void
put_before_rival (refuting *r, omen_eid e)
{
  const omen_model *m = r->m;
  omen_eid c = r->q->rival;
  const omen_set *mine = &m->sets[m->set_of[e]];
  OMEN_ASSERT (c != OMEN_NONE && e != c);
  if (must_precede (r, c, e)) {
    r->refuted = true;
    return;
  }
  if (omen_model_thread (m, e) == omen_model_thread (m, c))
    return;
  for (uint32_t h = mine[0].first; h < mine[1].first && !r->refuted; h++) {
    uint32_t other = omen_model_holds (m, c, m->held[h].lock);
    omen_eid release = m->sections[m->held[h].section].release;
    if (other == OMEN_NONE
        || !omen_modes_conflict (m->held[h].mode, m->sections[other].mode))
      continue;
    if (release == OMEN_NONE
        || must_precede (r, m->sections[other].acquire, release))
      r->refuted = true;
    else
      put_before (r, release);
  }
}

/* Writes before the read come before the rival. */
static void
order_writes (refuting *r, const omen_cell *cell)
{
  const omen_model *m = r->m;
  const omen_eid *writes = m->members + cell->first_write;
  uint32_t n = omen_rf_below (m, writes, cell->first_read - cell->first_write,
                              r->before[cell->thread]);
  if (!n || writes[n - 1] == r->q->rival)
    return;
  if (r->q->rival == OMEN_NONE)
    r->refuted = true;
  else
    put_before_rival (r, writes[n - 1]);
}

/* A preserved read of another write sees it before the rival overwrites it:
   that write is before the read, hence before the rival. */
static void
order_reads (refuting *r, const omen_cell *cell)
{
  const omen_model *m = r->m;
  const omen_triple *q = r->q;
  const omen_eid *reads = m->members + cell->first_read;
  uint32_t end = r->before[cell->thread], n;
  omen_eid e, saw;
  if (cell->thread != r->thread)
    end -= end > 0; /* the last read may have no successor: then it may see
                       anything */
  n = omen_rf_below (m, reads, cell[1].first_write - cell->first_read, end);
  if (!n || q->rival == OMEN_NONE)
    return;
  e = reads[n - 1];
  OMEN_ASSERT (omen_cut_has (m, r->before, e) && e != q->read);
  saw = m->from[omen_model_read_slot (m, e, q->atom)];
  if (e != q->rival && saw != q->rival)
    put_before_rival (r, e);
}

static void
order_accesses (refuting *r)
{
  const omen_model *m = r->m;
  for (uint32_t c = m->atoms[r->q->atom].first_cell;
       c < m->atoms[r->q->atom + 1].first_cell && !r->refuted; c++) {
    order_writes (r, &m->cells[c]);
    if (!r->refuted && !r->s->by_value)
      order_reads (r, &m->cells[c]);
  }
}

/* Must the read precede the rival, or the write that it saw lie between them?
   This decides most pairs of threads that fork and join separate, without a
   walk over the threads. */
static bool
is_out_of_order (const refuting *r)
{
  const omen_triple *q = r->q;
  if (q->rival != OMEN_NONE && must_precede (r, q->read, q->rival))
    return true;
  return q->writer != OMEN_NONE && must_precede (r, q->writer, q->read)
         && (q->rival == OMEN_NONE || must_precede (r, q->rival, q->writer));
}

static void
start_refuting (refuting *r)
{
  const omen_triple *q = r->q;
  const omen_quick *quick = r->s->quick;
  memcpy (r->before, omen_quick_must (quick, q->read),
          r->s->threads * sizeof *r->before);
  OMEN_ASSERT (r->before[r->thread] <= r->index);
  r->before[r->thread] = r->index;
  if (q->rival != OMEN_NONE)
    put_before (r, q->rival);
  if (q->writer != OMEN_NONE && r->order == OMEN_RF_WCR)
    put_before (r, q->writer);
  if (r->order != OMEN_RF_CRW)
    return;
  OMEN_ASSERT (r->s->more != r->before);
  r->there = r->s->more;
  memcpy (r->there, r->before, r->s->threads * sizeof *r->there);
  omen_cut_take (r->m, r->there, omen_quick_must (quick, q->writer), q->writer);
  r->refuted |= r->there[r->thread] > r->index + 1;
}

bool
omen_rf_refuted (omen_rf_search *s, const omen_triple *q, omen_rf_order order)
{
  const omen_model *m = s->m;
  refuting r = { .s = s,
                 .m = m,
                 .q = q,
                 .order = order,
                 .thread = omen_model_thread (m, q->read),
                 .index = omen_index (m, q->read),
                 .before = s->cut,
                 .there = s->cut };
  if (order == OMEN_RF_WCR ? q->rival == OMEN_NONE : q->writer == OMEN_NONE)
    return true;
  if (is_out_of_order (&r))
    return true;
  start_refuting (&r);
  do {
    r.changed = false;
    if (order != OMEN_RF_WCR && !r.refuted)
      r.refuted = omen_cut_has (m, r.before, q->writer);
    if (!r.refuted)
      end_sections (&r);
    if (!r.refuted)
      order_accesses (&r);
  } while (r.changed && !r.refuted);
  return r.refuted;
}
