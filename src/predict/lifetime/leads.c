#include "predict/lifetime/leads.h"
#include "predict/lifetime/around.h"

typedef struct collecting {
  omen_ends *leads;
  const omen_model *model;
  omen_group_by by;
  omen_map groups;
  omen_map freed; /* variable -> entry of `frees` + 1 */
  OMEN_VEC (omen_ids) frees;
  omen_around around; /* pointers to what is freed */
  omen_map pointers; /* of the atom: variable -> number of writes of pointers to
                        it */
} collecting;

static bool
points_into (const omen_event *event, omen_vid variable)
{
  return event->value_kind == OMEN_VALUE_POINTER
         && event->value >> 32 == variable;
}

static void
add_free (collecting *c, omen_eid free)
{
  omen_pid place = omen_model_event (c->model, free)->object;
  uint32_t *entry
      = omen_map_at (&c->freed, c->model->trace->places.data[place].variable);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)c->frees.count;
    OMEN_VEC_PUSH (c->frees, (omen_ids){ 0 });
  }
  OMEN_VEC_PUSH (c->frees.data[*entry], free);
}

/* The frees of the variable to whose start the write points, or NULL. */
static const omen_ids *
frees_of (const collecting *c, omen_eid write)
{
  const omen_event *event = omen_model_event (c->model, write);
  uint32_t entry;
  if ((event->kind != OMEN_WRITE && event->kind != OMEN_ATOMIC_WRITE)
      || event->value_kind != OMEN_VALUE_POINTER || (uint32_t)event->value)
    return NULL;
  entry = omen_map_get (&c->freed, event->value >> 32);
  return entry == OMEN_NONE ? NULL : &c->frees.data[entry];
}

/* The last write of the atom by the thread of `end` before `end`. */
static omen_eid
last_write (const omen_model *m, uint32_t atom, omen_eid end)
{
  uint32_t first = m->atoms[atom].first_cell;
  uint32_t last = m->atoms[atom + 1].first_cell, i;
  uint32_t c = OMEN_FIRST_NOT (k, first, last,
                               m->cells[k].thread < omen_model_thread (m, end));
  if (c == last || m->cells[c].thread != omen_model_thread (m, end))
    return OMEN_NONE;
  first = m->cells[c].first_write;
  i = OMEN_FIRST_NOT (k, first, m->cells[c].first_read, m->members[k] < end);
  return i == first ? OMEN_NONE : m->members[i - 1];
}

/* Did the thread of `over` read the pointer of the write just before, and no
   other write has that pointer? Then `over` comes after the write. */
static bool
knows (const collecting *c, omen_eid write, omen_eid over, uint32_t atom)
{
  const omen_model *m = c->model;
  uint64_t pointer = omen_model_event (m, write)->value;
  omen_eid before = omen_around_previous (m, over, atom);
  return before != OMEN_NONE && !c->around.sliced
         && omen_kind_reads (omen_model_event (m, before)->kind)
         && omen_model_same_write (m, before, write, atom)
         && !omen_model_same_value (m, before, OMEN_NONE, atom)
         && omen_map_get (&c->pointers, pointer >> 32) == 1;
}

/* Is the pointer certainly overwritten before `end`? */
static bool
is_overwritten (const collecting *c, omen_eid write, omen_eid end,
                uint32_t atom)
{
  omen_eid over = last_write (c->model, atom, end);
  return over != OMEN_NONE && over != write
         && (omen_model_must_before (c->model, write, over)
             || knows (c, write, over, atom));
}

static void
add_pair (collecting *c, omen_eid end, omen_eid use, omen_eid write)
{
  const omen_model *m = c->model;
  uint32_t *group;
  if (omen_model_thread (m, end) == omen_model_thread (m, use)
      || omen_model_must_before (m, use, end)
      || omen_model_must_before (m, use, write)
      || is_overwritten (c, write, end, omen_model_atoms (m, use).first))
    return;
  group = omen_map_at (&c->groups, omen_ends_key (m, c->by, end, use));
  if (*group == OMEN_NONE)
    *group = c->groups.count - 1;
  OMEN_VEC_PUSH (c->leads->pairs, ((omen_end_pair){ end, use, *group, write }));
}

/* Does the thread use or free the address that it reads, in any case? */
static bool
is_used (const omen_event *read)
{
  return read->kind == OMEN_READ && omen_mode_remarks (read->mode)
         && read->value_kind != OMEN_VALUE_NONE;
}

static void
add_read (collecting *c, omen_eid read, uint32_t atom)
{
  const omen_event *a = omen_model_event (c->model, read);
  size_t from, to;
  omen_around_read (&c->around, read, atom, &from, &to);
  for (; from < to; from++) {
    omen_eid write = c->around.writes.data[from];
    const omen_event *w = omen_model_event (c->model, write);
    const omen_ids *frees = frees_of (c, write);
    if (w->object != a->object || points_into (a, (omen_vid)(w->value >> 32)))
      continue;
    for (size_t k = 0; k < frees->count; k++)
      add_pair (c, frees->data[k], read, write);
  }
}

/* May a read of the atom come after a free of what the write points to? `last`:
   the last used read of each thread. */
static bool
may_matter (const collecting *c, omen_eid write, const omen_ids *last)
{
  const omen_ids *frees = frees_of (c, write);
  for (size_t k = 0; frees && k < frees->count; k++)
    for (size_t i = 0; i < last->count; i++)
      if (omen_model_thread (c->model, frees->data[k])
              != omen_model_thread (c->model, last->data[i])
          && !omen_model_must_before (c->model, last->data[i], frees->data[k]))
        return true;
  return false;
}

static bool
is_read (const collecting *c, omen_eid e)
{
  return is_used (omen_model_event (c->model, e))
         && omen_model_atoms (c->model, e).count == 1;
}

static void
last_reads (const collecting *c, uint32_t atom, omen_ids *last)
{
  const omen_model *m = c->model;
  for (uint32_t k = m->atoms[atom].first_cell;
       k < m->atoms[atom + 1].first_cell; k++) {
    const omen_cell *cell = &m->cells[k];
    uint32_t i = cell[1].first_write;
    while (i > cell->first_read && !is_read (c, m->members[i - 1]))
      i--;
    if (i > cell->first_read)
      OMEN_VEC_PUSH (*last, m->members[i - 1]);
  }
}

static void
find_writes (collecting *c, uint32_t atom)
{
  const omen_model *m = c->model;
  omen_ids last = { 0 };
  OMEN_VEC_CLEAR (c->around.writes);
  omen_map_fini (&c->pointers);
  omen_map_init (&c->pointers);
  last_reads (c, atom, &last);
  for (uint32_t i = m->atoms[atom].first;
       last.count && i < m->atoms[atom + 1].first; i++) {
    const omen_event *w = omen_model_event (m, m->accesses[i]);
    uint32_t *count;
    if (w->value_kind != OMEN_VALUE_POINTER || !omen_kind_writes (w->kind))
      continue;
    count = omen_map_at (&c->pointers, w->value >> 32);
    *count = *count == OMEN_NONE ? 1 : *count + 1;
    if (may_matter (c, m->accesses[i], &last))
      OMEN_VEC_PUSH (c->around.writes, m->accesses[i]);
  }
  OMEN_VEC_FINI (last);
  omen_around_begin (&c->around,
                     m->atoms[atom + 1].first - m->atoms[atom].first, true);
}

/* Pointers that are read in parts are ignored. */
static void
add_atom (collecting *c, uint32_t atom)
{
  const omen_model *m = c->model;
  if (m->atoms[atom + 1].first_cell - m->atoms[atom].first_cell < 2)
    return;
  find_writes (c, atom);
  for (uint32_t i = m->atoms[atom].first;
       c->around.writes.count && i < m->atoms[atom + 1].first; i++)
    if (is_read (c, m->accesses[i]))
      add_read (c, m->accesses[i], atom);
}

void
omen_leads_init (omen_ends *leads, const omen_model *m,
                 const omen_predict_options *options, uint32_t *left_out)
{
  collecting c = { .leads = leads, .model = m, .by = options->group };
  *leads = (omen_ends){ 0 };
  omen_map_init (&c.groups);
  omen_map_init (&c.freed);
  omen_map_init (&c.pointers);
  omen_around_init (&c.around, m, options->model == OMEN_MODEL_SLICED);
  for (uint32_t i = 0; i < m->event_count; i++) {
    omen_eid e = omen_model_nth (m, i);
    if (omen_model_event (m, e)->kind == OMEN_FREE)
      add_free (&c, e);
  }
  for (uint32_t atom = 0; c.frees.count && atom < m->atom_count; atom++)
    add_atom (&c, atom);
  omen_ends_close (leads, m);
  *left_out = c.around.left.count;
  for (size_t i = 0; i < c.frees.count; i++)
    OMEN_VEC_FINI (c.frees.data[i]);
  OMEN_VEC_FINI (c.frees);
  omen_around_fini (&c.around);
  omen_map_fini (&c.pointers);
  omen_map_fini (&c.freed);
  omen_map_fini (&c.groups);
}
