/* Plans that let a read see a write; see reads_from.h. */
#include "model/reads_from_search.h"

#include <string.h>

typedef struct planning {
  omen_rf_search *s;
  const omen_model *m;
  const omen_triple *q;
  omen_rf_order order;
  omen_rf_plan *plan;
  uint32_t *base;
  uint32_t move[OMEN_STRETCHES]; /* in moves: what each stretch moves */
  uint32_t read;                 /* which stretch ends with the read */
  uint32_t rival; /* which ends with the rival; OMEN_NONE: it is in the base */
  bool failed, changed;
} planning;

/* ---- the base ---- */

static void
take_into_base (planning *p, omen_eid e)
{
  p->changed
      |= omen_cut_take (p->m, p->base, omen_quick_observed (p->s->quick, e), e);
}

/* Does the base have a conflicting critical section of the lock, of another
   thread, that is later in the trace? */
static bool
has_later (const planning *p, omen_tid t, const omen_held *held)
{
  const omen_model *m = p->m;
  for (uint32_t c = m->lock_cells_first[held->lock];
       c < m->lock_cells_first[held->lock + 1]; c++) {
    uint32_t id;
    if (m->lock_cells[c].thread == t)
      continue;
    id = omen_model_last_section (m, c, p->base[m->lock_cells[c].thread]);
    while (id != OMEN_NONE && id > held->section) {
      if (omen_modes_conflict (m->sections[id].mode, held->mode))
        return true;
      id = omen_model_last_section (m, c,
                                    omen_index (m, m->sections[id].acquire));
    }
  }
  return false;
}

static void
leave_section (planning *p, const omen_held *held)
{
  omen_eid release = p->m->sections[held->section].release;
  if (release == OMEN_NONE)
    p->failed = true;
  else
    take_into_base (p, release);
}

static void
leave_earlier_sections (planning *p)
{
  const omen_model *m = p->m;
  for (omen_tid t = 0; t < p->s->threads && !p->failed; t++) {
    const omen_set *set = &m->sets[omen_rf_held (m, t, p->base[t])];
    for (uint32_t h = set[0].first; h < set[1].first && !p->failed; h++)
      if (has_later (p, t, &m->held[h]))
        leave_section (p, &m->held[h]);
  }
}

/* ---- stretches ---- */

/* How far thread t is when stretch i starts. */
static uint32_t
position_before (const planning *p, omen_tid t, uint32_t i)
{
  uint32_t end = p->base[t];
  for (uint32_t j = 0; j < i; j++)
    if (p->plan->stretch[j].thread == t)
      end = p->plan->stretch[j].end;
  return end;
}

static bool
is_stretched (const planning *p, omen_tid t)
{
  for (uint32_t i = 0; i < p->plan->stretches; i++)
    if (p->plan->stretch[i].thread == t)
      return true;
  return false;
}

/* Add a stretch of thread t up to `end`. The base gets what it needs of other
   threads, and of its own thread all up to `start`. */
static uint32_t
stretch (planning *p, omen_tid t, uint32_t start, uint32_t end, uint32_t move)
{
  omen_rf_plan *plan = p->plan;
  omen_eid last = omen_trace_nth (p->m->trace, t, end - 1);
  bool again = is_stretched (p, t);
  uint32_t mine = p->base[t], i = plan->stretches++;
  OMEN_ASSERT (i < OMEN_STRETCHES && start < end && move < p->s->moves.count);
  omen_cut_join (p->base, omen_quick_observed (p->s->quick, last),
                 p->s->threads);
  p->base[t] = again || mine > start ? mine : start;
  p->move[i] = move;
  plan->stretch[i].thread = t;
  plan->stretch[i].end = end;
  return i;
}

/* When stretch i starts, no other thread may hold a lock that it acquires. */
static void
free_locks (planning *p, uint32_t i)
{
  const omen_model *m = p->m;
  const omen_move *move = &p->s->moves.data[p->move[i]];
  const uint32_t *locks = p->s->words.data + move->locks;
  OMEN_ASSERT (i < p->plan->stretches && p->move[i] < p->s->moves.count);
  for (omen_tid t = 0; t < p->s->threads && move->lock_count; t++) {
    const omen_set *set;
    if (t == p->plan->stretch[i].thread)
      continue;
    set = &m->sets[omen_rf_held (m, t, position_before (p, t, i))];
    for (uint32_t h = set[0].first; h < set[1].first && !p->failed; h++)
      for (uint32_t l = 0; l < move->lock_count && !p->failed; l++) {
        if (m->held[h].lock != locks[2 * l]
            || !omen_modes_conflict (m->held[h].mode, locks[2 * l + 1]))
          continue;
        if (is_stretched (p, t))
          p->failed = true;
        else
          leave_section (p, &m->held[h]);
      }
  }
}

static bool
within (const planning *p, uint32_t i, const uint32_t *limits)
{
  for (omen_tid t = 0; t < p->s->threads; t++)
    if (t != p->plan->stretch[i].thread
        && position_before (p, t, i) > limits[t])
      return false;
  return true;
}

/* When the stretch starts, has nothing happened that conflicts with it and is
   later in the trace? */
static bool
stretch_fits (const planning *p, uint32_t i)
{
  const omen_move *move = &p->s->moves.data[p->move[i]];
  uint32_t from = position_before (p, p->plan->stretch[i].thread, i);
  if (from >= move->end)
    return true; /* the read, or the write, alone */
  if (from < move->start || move->hard)
    return false;
  return within (p, i, p->s->words.data + move->limits);
}

/* ---- does it show what it should? ---- */

static bool
reads_atom (const planning *p, omen_tid t, uint32_t from, uint32_t to)
{
  const omen_model *m = p->m;
  uint32_t id = omen_model_cell (m, p->q->atom, t), count;
  const omen_eid *reads;
  if (id == OMEN_NONE || from >= to)
    return false;
  reads = m->members + m->cells[id].first_read;
  count = m->cells[id + 1].first_write - m->cells[id].first_read;
  return omen_rf_below (m, reads, count, to)
         > omen_rf_below (m, reads, count, from);
}

/* A moved rival comes after writes that it preceded: from then on only the read
   may read the atom. The rival's other atoms are checked as for any event; so
   is this one if the rival is an rmw, which reads it. */
static bool
only_read_looks (const planning *p)
{
  const omen_rf_plan *plan = p->plan;
  uint32_t *limits = p->s->limits;
  uint32_t after = omen_index (p->m, p->q->rival) + 1;
  OMEN_ASSERT (p->rival < plan->stretches);
  bool reads = omen_kind_reads (omen_model_event (p->m, p->q->rival)->kind);
  OMEN_ASSERT (p->rival < p->read);
  if (reads_atom (p, plan->stretch[p->rival].thread, after,
                  plan->stretch[p->rival].end))
    return false;
  for (uint32_t i = p->rival + 1; i < plan->stretches; i++)
    if (reads_atom (p, plan->stretch[i].thread,
                    position_before (p, plan->stretch[i].thread, i),
                    plan->stretch[i].end - 1))
      return false;
  for (omen_tid t = 0; t < p->s->threads; t++)
    limits[t] = OMEN_NONE;
  omen_rf_limit (p->s, p->q->rival, reads ? OMEN_NONE : p->q->atom, limits);
  return within (p, p->rival, limits);
}

/* Does this write, the last one of its thread before the read, come before the
   rival? */
static bool
precedes_rival (const planning *p, omen_eid write)
{
  const omen_model *m = p->m;
  omen_eid c = p->q->rival;
  if (write == c)
    return true;
  if (c == OMEN_NONE || omen_model_thread (m, write) == omen_model_thread (m, c)
      || !omen_cut_has (m, p->base, write))
    return false;
  return !omen_cut_has (m, p->base, c)
         || omen_model_position (m, write) < omen_model_position (m, c);
}

static bool
is_last (const planning *p)
{
  const omen_model *m = p->m;
  uint32_t atom = p->q->atom;
  OMEN_ASSERT (p->read < p->plan->stretches);
  for (uint32_t i = m->atoms[atom].first_cell;
       i < m->atoms[atom + 1].first_cell; i++) {
    const omen_cell *cell = &m->cells[i];
    const omen_eid *writes = m->members + cell->first_write;
    uint32_t end = cell->thread == p->plan->stretch[p->read].thread
                       ? omen_index (m, p->q->read)
                       : position_before (p, cell->thread, p->read);
    uint32_t n
        = omen_rf_below (m, writes, cell->first_read - cell->first_write, end);
    if (n && !precedes_rival (p, writes[n - 1]))
      return false;
  }
  return true;
}

/* Is the writer where the order requires it? */
static bool
in_order (const planning *p)
{
  const omen_model *m = p->m;
  omen_eid w = p->q->writer;
  omen_tid t;
  uint32_t end;
  if (w == OMEN_NONE)
    return p->order == OMEN_RF_WCR;
  t = omen_model_thread (m, w);
  end = t == p->plan->stretch[p->read].thread ? omen_index (m, p->q->read)
                                              : position_before (p, t, p->read);
  return (omen_index (m, w) < end) == (p->order == OMEN_RF_WCR);
}

/* Does the base include what must come after it? */
static bool
swallowed (const planning *p)
{
  for (uint32_t i = 0; i < p->plan->stretches; i++)
    if (p->base[p->plan->stretch[i].thread] >= p->plan->stretch[i].end)
      return true;
  return p->rival != OMEN_NONE && omen_cut_has (p->m, p->base, p->q->rival);
}

static bool
works (planning *p)
{
  do {
    p->changed = false;
    leave_earlier_sections (p);
    for (uint32_t i = 0; i < p->plan->stretches && !p->failed; i++)
      free_locks (p, i);
    if (p->failed || swallowed (p))
      return false;
  } while (p->changed);
  OMEN_ASSERT (p->read < p->plan->stretches);
  for (uint32_t i = 0; i < p->plan->stretches; i++)
    if (!stretch_fits (p, i))
      return false;
  return in_order (p) && is_last (p)
         && (p->rival == OMEN_NONE || only_read_looks (p));
}

/* ---- kinds of plans ---- */

typedef enum kind {
  KIND_TOGETHER, /* all in the order of the trace, but for the read */
  KIND_LATER,    /* the critical section around the read comes last */
  KIND_MOVED,    /* before it, that around the rival */
  KINDS
} kind;

static void
stretch_to (planning *p, omen_eid e, bool alone)
{
  uint32_t move = omen_rf_move_to (p->s, e), end = omen_index (p->m, e);
  stretch (p, omen_model_thread (p->m, e),
           alone ? end : p->s->moves.data[move].start, end + 1, move);
}

static void
place_rival (planning *p, kind how)
{
  omen_eid c = p->q->rival;
  omen_tid t;
  uint32_t move;
  p->rival = OMEN_NONE;
  if (c == OMEN_NONE)
    return;
  t = omen_model_thread (p->m, c);
  if (t == omen_model_thread (p->m, p->q->read))
    return; /* it comes with the read */
  if (how != KIND_MOVED) {
    take_into_base (p, c);
    return;
  }
  move = omen_rf_move_out (p->s, c);
  p->rival = stretch (p, t, p->s->moves.data[move].start,
                      p->s->moves.data[move].end, move);
}

static bool
try_kind (planning *p, kind how)
{
  const omen_model *m = p->m;
  const omen_triple *q = p->q;
  p->failed = false;
  p->plan->stretches = 0;
  memset (p->base, 0, p->s->threads * sizeof *p->base);
  place_rival (p, how);
  p->read = p->plan->stretches;
  stretch_to (p, q->read, how == KIND_TOGETHER);
  if (q->writer != OMEN_NONE && p->order == OMEN_RF_WCR
      && omen_model_thread (m, q->writer) != omen_model_thread (m, q->read)
      && (p->rival == OMEN_NONE
          || omen_model_thread (m, q->writer)
                 != omen_model_thread (m, q->rival)))
    take_into_base (p, q->writer);
  if (p->order == OMEN_RF_CRW)
    stretch_to (p, q->writer, false);
  /* Close the base under what was observed before its events. */
  for (omen_tid t = 0; t < p->s->threads; t++)
    if (p->base[t])
      omen_cut_join (
          p->base,
          omen_quick_observed (p->s->quick,
                               omen_trace_nth (p->m->trace, t, p->base[t] - 1)),
          p->s->threads);
  return works (p);
}

/* Kinds of plans that cannot work. */
static bool
cannot_work (const planning *p, kind how)
{
  const omen_model *m = p->m;
  const omen_triple *q = p->q;
  bool inside = m->sets[m->set_of[q->read]].locks != 0;
  bool before = q->rival != OMEN_NONE && q->writer != OMEN_NONE
                && omen_model_position (m, q->rival)
                       < omen_model_position (m, q->writer);
  if (how == KIND_MOVED)
    return q->rival == OMEN_NONE
           || omen_model_thread (m, q->rival) == omen_model_thread (m, q->read);
  if (p->order == OMEN_RF_WCR && before
      && omen_model_thread (m, q->rival) != omen_model_thread (m, q->read))
    return true;
  return how == KIND_LATER && !inside;
}

bool
omen_rf_planned (omen_rf_search *s, const omen_triple *triple,
                 omen_rf_order order, omen_rf_plan *plan)
{
  planning p = { .s = s,
                 .m = s->m,
                 .q = triple,
                 .order = order,
                 .plan = plan,
                 .base = plan->base };
  for (kind how = 0; how < KINDS; how++)
    if (!cannot_work (&p, how) && try_kind (&p, how))
      return true;
  return false;
}
