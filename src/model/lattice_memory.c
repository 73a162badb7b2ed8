/* From the model to gates: atomic sets of the atoms that threads share. */
#include "model/lattice_build.h"

/* Make the atomic set of the reads among accesses [from, to), which all saw the
   same write. OMEN_NONE if there are none. */
static uint32_t
add_set (omen_builder *b, uint32_t from, uint32_t to)
{
  const omen_model *m = b->model;
  omen_lattice *plan = b->plan;
  uint32_t first = (uint32_t)plan->dues.count;
  for (uint32_t i = from; i < to; i++) {
    omen_eid e = m->accesses[i];
    omen_tid t = omen_model_thread (m, e);
    OMEN_ASSERT (omen_kind_reads (omen_model_event (m, e)->kind));
    if (plan->role[e] & OMEN_ROLE_BEFORE)
      continue;
    if (!b->due[t])
      OMEN_VEC_PUSH (plan->dues, ((omen_due){ t, 0 }));
    /* a read after all other threads keeps no write waiting */
    b->due[t] = plan->role[e] & OMEN_ROLE_AFTER ? OMEN_NONE
                                                : omen_builder_count (b, e);
  }
  if (first == plan->dues.count)
    return OMEN_NONE;
  for (uint32_t i = first; i < plan->dues.count; i++) {
    omen_due *due = &plan->dues.data[i];
    due->count = b->due[due->thread];
    b->due[due->thread] = 0;
    OMEN_ASSERT (due->count);
  }
  OMEN_VEC_PUSH (plan->set_first, (uint32_t)plan->dues.count);
  return (uint32_t)plan->set_first.count - 2;
}

/* Is e the last event of its thread in the set? */
static bool
is_due (const omen_builder *b, uint32_t set, omen_eid e)
{
  const omen_lattice *plan = b->plan;
  for (uint32_t i = plan->set_first.data[set];
       i < plan->set_first.data[set + 1]; i++)
    if (plan->dues.data[i].thread == omen_model_thread (b->model, e))
      return plan->dues.data[i].count == omen_builder_count (b, e);
  return false;
}

/* An rmw ends the set that it reads from: all its other reads come before. */
static void
add_ending (omen_builder *b, omen_eid e, uint32_t set)
{
  const omen_lattice *plan = b->plan;
  OMEN_ASSERT (set != OMEN_NONE && is_due (b, set, e));
  for (uint32_t i = plan->set_first.data[set];
       i < plan->set_first.data[set + 1]; i++) {
    const omen_due *due = &plan->dues.data[i];
    if (due->thread != omen_model_thread (b->model, e))
      omen_builder_add (b, e, SEES, OMEN_GATE_NEED, due->thread, due->count);
  }
}

static void
add_reading (omen_builder *b, omen_eid e, uint32_t atom, uint32_t set,
             bool writes)
{
  const omen_model *m = b->model;
  omen_eid w = m->from[omen_model_read_slot (m, e, atom)];
  if (w != OMEN_NONE && omen_model_thread (m, w) != omen_model_thread (m, e))
    omen_builder_add (b, e, SEES, OMEN_GATE_NEED, omen_model_thread (m, w),
                      omen_builder_count (b, w));
  if (b->atom_bit[atom] == OMEN_NONE || omen_builder_outside (b, e))
    return;
  if (writes)
    add_ending (b, e, set);
  else if (is_due (b, set, e))
    omen_builder_add (b, e, REST, OMEN_GATE_CLOSE, b->atom_bit[atom], set);
}

static void
add_writing (omen_builder *b, omen_eid e, uint32_t atom, uint32_t set,
             bool reads)
{
  uint32_t bit = b->atom_bit[atom];
  if (bit == OMEN_NONE)
    return;
  if (!reads)
    omen_builder_add (b, e, SEES, OMEN_GATE_CLEAR, bit, 0);
  if (reads || set != OMEN_NONE)
    omen_builder_add (
        b, e, REST, set != OMEN_NONE ? OMEN_GATE_SET : OMEN_GATE_UNSET, bit, 0);
}

/* The end of the reads from i on that see the same write, including the rmw
   that ends them, if one does. */
static uint32_t
set_end (const omen_builder *b, uint32_t i, uint32_t end)
{
  const omen_model *m = b->model;
  for (; i < end; i++) {
    unsigned kind = omen_model_event (m, m->accesses[i])->kind;
    if (omen_kind_writes (kind))
      return omen_kind_reads (kind) ? i + 1 : i;
  }
  return end;
}

static void
add_atom (omen_builder *b, uint32_t atom)
{
  const omen_model *m = b->model;
  uint32_t first = m->atoms[atom].first, end = m->atoms[atom + 1].first;
  bool shared = m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell > 1;
  uint32_t set = OMEN_NONE;
  b->atom_bit[atom] = shared ? b->plan->bits++ : OMEN_NONE;
  if (!shared)
    return;
  set = add_set (b, first, set_end (b, first, end));
  if (set != OMEN_NONE)
    OMEN_VEC_PUSH (b->started, b->atom_bit[atom]);
  for (uint32_t i = first; i < end; i++) {
    omen_eid e = m->accesses[i];
    unsigned kind = omen_model_event (m, e)->kind;
    bool reads = omen_kind_reads (kind), writes = omen_kind_writes (kind);
    if (reads)
      add_reading (b, e, atom, set, writes);
    if (!writes)
      continue;
    set = add_set (b, i + 1, set_end (b, i + 1, end));
    add_writing (b, e, atom, set, reads);
  }
}

void
omen_builder_memory (omen_builder *b)
{
  for (uint32_t a = 0; a < b->model->atom_count; a++)
    add_atom (b, a);
}
