/* The model's order and memory, checked against the trace. */
#include "model/model_valid.h"

static bool
order_is_a_permutation (const omen_model *model)
{
  if (!model->order)
    return !model->position && !model->warning;
  for (uint32_t i = 0; i < model->event_count; i++) {
    omen_eid e = model->order[i];
    omen_eid next;
    if (e >= model->event_count || model->position[e] != i)
      return false;
    next = omen_model_next (model, e);
    if (next != OMEN_NONE && model->position[next] <= i)
      return false;
  }
  return model->warning;
}

/* ---- memory ---- */

static const omen_place *
atom_range (const omen_model *model, uint32_t atom)
{
  return &model->store->atoms.atoms[atom];
}

/* The last atom of a variable may be open-ended: only whole places cover it. */
static bool
place_covers (const omen_place *place, const omen_place *atom)
{
  if (place->variable != atom->variable || place->size == OMEN_WHOLE)
    return place->variable == atom->variable;
  return atom->size != OMEN_WHOLE && place->offset <= atom->offset
         && atom->offset + atom->size <= place->offset + place->size;
}

static bool
touches (const omen_model *model, omen_eid e, uint32_t atom)
{
  return omen_valid_is_access (model, e)
         && place_covers (
             &model->trace->places.data[omen_model_event (model, e)->object],
             atom_range (model, atom));
}

/* No range of the trace divides an atom, and each place covers its own. */
static bool
atoms_are_whole (const omen_model *model)
{
  for (size_t p = 0; p < model->trace->places.count; p++) {
    const omen_place *place = &model->trace->places.data[p];
    omen_span span = model->place_atoms[p];
    for (uint32_t a = 0; a < model->atom_count; a++) {
      const omen_place *atom = atom_range (model, a);
      bool inside = a - span.first < span.count;
      if (inside != place_covers (place, atom)
          || (!inside && atom->size != OMEN_WHOLE
              && omen_place_overlap (place, atom)))
        return false;
    }
  }
  return true;
}

static omen_eid
last_write (const omen_model *model, omen_eid r, uint32_t atom)
{
  for (uint32_t i = omen_model_position (model, r); i > 0; i--) {
    omen_eid e = omen_model_nth (model, i - 1);
    if (omen_kind_writes (omen_model_event (model, e)->kind)
        && touches (model, e, atom))
      return e;
  }
  return OMEN_NONE;
}

static omen_atom_value
value_of_atom (const omen_model *model, omen_eid e, uint32_t atom, bool write)
{
  const omen_event *event = omen_model_event (model, e);
  const omen_place *place = &model->trace->places.data[event->object];
  unsigned kind = event->value_kind;
  uint64_t value = event->value;
  if (event->kind == OMEN_ATOMIC_RMW) {
    const omen_rmw *rmw = &model->trace->rmws.data[event->value];
    kind = rmw->value_kind[write];
    value = rmw->value[write];
  } else if (event->kind > OMEN_ATOMIC_RMW) {
    kind = OMEN_VALUE_NONE;
  }
  return omen_atom_value_of (place, atom_range (model, atom), kind, value);
}

/* Are the ids of a read and of a write comparable, and equal, exactly if their
   values are? */
static bool
values_agree (const omen_model *model, omen_eid r, omen_eid w, uint32_t atom)
{
  omen_atom_value read = value_of_atom (model, r, atom, false);
  omen_atom_value written = value_of_atom (model, w, atom, true);
  uint32_t x = model->value[omen_model_read_slot (model, r, atom)];
  uint32_t y = model->value[omen_model_write_slot (model, w, atom)];
  bool comparable = omen_atom_value_comparable (&read, &written);
  if ((x == OMEN_NONE) != (read.class == OMEN_CLASS_NOTHING))
    return false;
  if (comparable != omen_value_comparable (x, y))
    return false;
  return !comparable || (x == y) == omen_atom_value_equal (&read, &written);
}

static bool
read_is_right (const omen_model *model, omen_eid r, uint32_t atom)
{
  uint32_t slot = omen_model_read_slot (model, r, atom);
  if (model->from[slot] != last_write (model, r, atom))
    return false;
  for (omen_eid w = 0; w < model->event_count; w++)
    if (omen_kind_writes (omen_model_event (model, w)->kind)
        && touches (model, w, atom) && !values_agree (model, r, w, atom))
      return false;
  return true;
}

/* Is e at its rank, and listed in its thread's cell? */
static bool
access_is_listed (const omen_model *model, omen_eid e, uint32_t atom)
{
  unsigned kind = omen_model_event (model, e)->kind;
  uint32_t rank = model->rank[omen_model_read_slot (model, e, atom)];
  uint32_t id = omen_model_cell (model, atom, omen_model_thread (model, e));
  const omen_cell *cell;
  uint32_t i;
  if (rank < model->atoms[atom].first || rank >= model->atoms[atom + 1].first
      || model->accesses[rank] != e || id == OMEN_NONE
      || model->rank[omen_model_write_slot (model, e, atom)] != rank)
    return false;
  cell = &model->cells[id];
  i = omen_model_count_below (model->members + cell->first_write,
                              cell->first_read - cell->first_write, e);
  if (omen_kind_writes (kind)
      && (cell->first_write + i >= cell->first_read
          || model->members[cell->first_write + i] != e))
    return false;
  i = omen_model_count_below (model->members + cell->first_read,
                              cell[1].first_write - cell->first_read, e);
  return !omen_kind_reads (kind)
         || (cell->first_read + i < cell[1].first_write
             && model->members[cell->first_read + i] == e);
}

static bool
atom_is_right (const omen_model *model, uint32_t atom)
{
  uint32_t count = 0;
  for (omen_eid e = 0; e < model->event_count; e++) {
    if (!touches (model, e, atom))
      continue;
    count++;
    if (!access_is_listed (model, e, atom))
      return false;
    if (omen_kind_reads (omen_model_event (model, e)->kind)
        && !read_is_right (model, e, atom))
      return false;
  }
  for (uint32_t i = model->atoms[atom].first + 1;
       i < model->atoms[atom + 1].first; i++)
    if (!omen_valid_earlier (model, model->accesses[i - 1], model->accesses[i]))
      return false;
  return count == model->atoms[atom + 1].first - model->atoms[atom].first;
}

bool
omen_valid_memory (const omen_model *model)
{
  if (!atoms_are_whole (model))
    return false;
  for (uint32_t a = 0; a < model->atom_count; a++)
    if (!atom_is_right (model, a))
      return false;
  return true;
}

/* ---- all ---- */

#define SMALL 300 /* events; the checks are cubic */

bool
omen_model_valid (const omen_model *model)
{
  if (!order_is_a_permutation (model))
    return false;
  return model->event_count > SMALL
         || (omen_valid_memory (model) && omen_valid_locks (model)
             && omen_valid_clocks (model) && omen_valid_servers (model));
}
