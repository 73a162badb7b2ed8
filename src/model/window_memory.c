/* Accesses of the window: what is read, written, seen; value classes. */
#include "model/window_rules.h"
#include "base/map.h"

/* Value classes of the problem: (atom, value id) -> a number. */
static uint32_t
class_of (omen_map *classes, uint32_t atom, uint32_t value)
{
  uint32_t *class;
  if (value == OMEN_NONE)
    return OMEN_NONE;
  class = omen_map_at (classes, OMEN_PAIR (atom, value));
  if (*class == OMEN_NONE)
    *class = classes->count - 1;
  return *class;
}

static bool
is_unread (const omen_window *w, omen_eid e)
{
  uint32_t index = w->model->trace->index[e];
  for (unsigned i = 0; i < 2; i++)
    if (omen_model_thread (w->model, e) == w->unread.range[i].thread
        && index >= w->unread.range[i].from && index < w->unread.range[i].to)
      return true;
  return false;
}

static void
add_access (omen_window *w, omen_map *c, const omen_relevant *relevant,
            omen_eid e, uint32_t atom)
{
  const omen_model *m = w->model;
  unsigned kind = omen_model_event (m, e)->kind;
  omen_node_access access
      = { .node = omen_window_node (w, e),
          .atom = relevant->atom[atom],
          .want = OMEN_NONE,
          .gives = OMEN_NONE,
          .saw = OMEN_PAST,
          .reads = omen_kind_reads (kind) && !is_unread (w, e),
          .writes = omen_kind_writes (kind) };
  OMEN_ASSERT (access.node != OMEN_NONE && access.atom < w->problem.atoms);
  if (access.reads) {
    uint32_t slot = omen_model_read_slot (m, e, atom);
    omen_node saw = m->from[slot] == OMEN_NONE
                        ? OMEN_NONE
                        : omen_window_node (w, m->from[slot]);
    OMEN_ASSERT (saw == OMEN_NONE || saw < access.node);
    access.saw = saw == OMEN_NONE ? OMEN_PAST : saw;
    if (w->by_value)
      access.want = class_of (c, atom, m->value[slot]);
  }
  if (access.writes && w->by_value)
    access.gives
        = class_of (c, atom, m->value[omen_model_write_slot (m, e, atom)]);
  if (access.reads || access.writes)
    OMEN_VEC_PUSH (w->problem.accesses, access);
}

/* How many accesses of the atom are before position `end`. */
static uint32_t
accesses_before (const omen_model *m, uint32_t atom, uint32_t end)
{
  uint32_t first = m->atoms[atom].first;
  uint32_t low = OMEN_FIRST_NOT (i, first, m->atoms[atom + 1].first,
                                 omen_model_position (m, m->accesses[i]) < end);
  return low - first;
}

/* The last write of the atom before the window, OMEN_NONE the initial one. */
static omen_eid
past_write (const omen_window *w, uint32_t atom)
{
  const omen_model *m = w->model;
  const omen_eid *list = m->accesses + m->atoms[atom].first;
  for (uint32_t i = accesses_before (m, atom, w->from); i-- > 0;)
    if (omen_kind_writes (omen_model_event (m, list[i])->kind))
      return list[i];
  return OMEN_NONE;
}

/* Keep the accesses of other threads on their side of e: edges from the last
   one of each thread before it, and to the first one after. */
static void
keep_place (omen_window *w, omen_eid e, uint32_t atom)
{
  const omen_model *m = w->model;
  const omen_eid *list = m->accesses + m->atoms[atom].first;
  uint32_t count = m->atoms[atom + 1].first - m->atoms[atom].first;
  uint32_t at = accesses_before (m, atom, omen_model_position (m, e));
  uint32_t *mark = omen_zalloc (m->thread_count, sizeof *mark);
  OMEN_ASSERT (at < count && list[at] == e);
  for (uint32_t i = at; i-- > 0 && !omen_window_past (w, list[i]);)
    if (!(mark[omen_model_thread (m, list[i])] & 1)) {
      mark[omen_model_thread (m, list[i])] |= 1;
      omen_window_edge (w, list[i], e);
    }
  for (uint32_t i = at + 1; i < count && omen_window_has (w, list[i]); i++)
    if (!(mark[omen_model_thread (m, list[i])] & 2)) {
      mark[omen_model_thread (m, list[i])] |= 2;
      omen_window_edge (w, e, list[i]);
    }
  omen_free (mark);
}

/* Edges from the alloc to the first access of each thread to the atom. */
static void
after_alloc (omen_window *w, omen_eid alloc, uint32_t atom)
{
  const omen_model *m = w->model;
  for (uint32_t c = m->atoms[atom].first_cell;
       c < m->atoms[atom + 1].first_cell; c++) {
    const omen_cell *cell = &m->cells[c];
    uint32_t reads = m->cells[c + 1].first_write - cell->first_read;
    omen_eid first = OMEN_NONE;
    if (cell->first_write < cell->first_read)
      first = m->members[cell->first_write];
    if (reads && m->members[cell->first_read] < first)
      first = m->members[cell->first_read];
    if (first != OMEN_NONE && first != alloc && omen_window_has (w, first))
      omen_window_edge (w, alloc, first);
  }
}

static void
add_event (omen_window *w, omen_map *c, const omen_relevant *relevant,
           omen_eid e)
{
  const omen_model *m = w->model;
  omen_span span = omen_model_atoms (m, e);
  unsigned kind = omen_model_event (m, e)->kind;
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    if (relevant->atom[a] == OMEN_NONE)
      continue;
    if (!w->blind)
      add_access (w, c, relevant, e, a);
    if (kind == OMEN_EXTERNAL)
      keep_place (w, e, a);
    if (kind == OMEN_ALLOC)
      after_alloc (w, e, a);
  }
}

void
omen_window_accesses (omen_window *w, const omen_relevant *relevant)
{
  const omen_model *m = w->model;
  omen_map c;
  w->problem.atoms = relevant->atoms;
  w->problem.past_value
      = OMEN_ARENA_NEW (&w->problem.arena, uint32_t, relevant->atoms);
  omen_map_init (&c);
  for (uint32_t a = 0; a < m->atom_count; a++)
    if (relevant->atom[a] != OMEN_NONE)
      w->problem.past_value[relevant->atom[a]]
          = w->by_value
                ? class_of (&c, a, omen_model_written (m, past_write (w, a), a))
                : OMEN_NONE;
  for (uint32_t i = w->from; i < w->to; i++) {
    omen_eid e = omen_model_nth (m, i);
    if (w->node_of[i - w->from] != OMEN_NONE
        && omen_kind_class (omen_model_event (m, e)->kind) == OMEN_CLASS_ACCESS)
      add_event (w, &c, relevant, e);
  }
  omen_map_fini (&c);
}

bool
omen_window_rf (const omen_window *w, omen_eid read, omen_eid writer,
                uint32_t atom, omen_rf_constraint *rf)
{
  rf->read = omen_window_node (w, read);
  OMEN_REQUIRE (atom < w->model->atom_count);
  rf->atom = w->atom_of[atom];
  if (rf->read == OMEN_NONE || rf->atom == OMEN_NONE)
    return false;
  rf->writer = OMEN_PAST;
  if (writer != OMEN_NONE && !omen_window_past (w, writer)) {
    rf->writer = omen_window_node (w, writer);
    return rf->writer != OMEN_NONE;
  }
  return past_write (w, atom) == writer;
}
