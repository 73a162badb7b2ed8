#include "predict/lifetime/around.h"

void
omen_around_init (omen_around *around, const omen_model *m, bool sliced)
{
  *around = (omen_around){ .model = m, .sliced = sliced };
  omen_map_init (&around->left);
}

void
omen_around_fini (omen_around *around)
{
  OMEN_VEC_FINI (around->writes);
  OMEN_VEC_FINI (around->guards);
  omen_map_fini (&around->left);
}

/* ---- locks ---- */

static void
keep_guards (omen_around *around, omen_eid write)
{
  size_t kept = 0;
  for (size_t i = 0; i < around->guards.count; i++) {
    omen_lid lock = around->guards.data[i];
    uint32_t section = omen_model_holds (around->model, write, lock);
    if (section != OMEN_NONE
        && around->model->sections[section].mode == OMEN_LOCK_WRITE)
      around->guards.data[kept++] = lock;
  }
  around->guards.count = kept;
}

#define NEAR OMEN_HARD_OR (8u, 16u)
#define MOST_PAIRS OMEN_HARD_OR (64u, 4096u)

void
omen_around_begin (omen_around *around, uint32_t reads, bool guarded)
{
  const omen_model *m = around->model;
  const omen_set *set;
  uint64_t pairs = (uint64_t)reads * around->writes.count;
  around->near = pairs > MOST_PAIRS ? NEAR : around->writes.count;
  OMEN_VEC_CLEAR (around->guards);
  if (!around->writes.count || !guarded)
    return;
  set = &m->sets[m->set_of[around->writes.data[0]]];
  for (uint32_t i = set->first; i < set[1].first; i++)
    OMEN_VEC_PUSH (around->guards, m->held[i].lock);
  for (size_t i = 0; i < around->writes.count && around->guards.count; i++)
    keep_guards (around, around->writes.data[i]);
}

/* ---- the previous access of the thread ---- */

/* The last of members[first … end) before e, or OMEN_NONE. */
static omen_eid
last_before (const omen_model *m, uint32_t first, uint32_t end, omen_eid e)
{
  uint32_t i = OMEN_FIRST_NOT (k, first, end, m->members[k] < e);
  return i == first ? OMEN_NONE : m->members[i - 1];
}

omen_eid
omen_around_previous (const omen_model *m, omen_eid e, uint32_t atom)
{
  uint32_t first = m->atoms[atom].first_cell;
  uint32_t end = m->atoms[atom + 1].first_cell;
  uint32_t c = OMEN_FIRST_NOT (i, first, end,
                               m->cells[i].thread < omen_model_thread (m, e));
  omen_eid written, seen;
  OMEN_ASSERT (c < end && m->cells[c].thread == omen_model_thread (m, e));
  written = last_before (m, m->cells[c].first_write, m->cells[c].first_read, e);
  seen
      = last_before (m, m->cells[c].first_read, m->cells[c + 1].first_write, e);
  if (written == OMEN_NONE || seen == OMEN_NONE)
    return written == OMEN_NONE ? seen : written;
  return written > seen ? written : seen;
}

/* Is it one of the writes that the read may see? */
static bool
is_one (const omen_around *around, omen_eid e)
{
  const omen_model *m = around->model;
  const omen_ids *writes = &around->writes;
  uint32_t position = omen_model_position (m, e);
  size_t i = OMEN_FIRST_NOT (
      k, 0, writes->count, omen_model_position (m, writes->data[k]) < position);
  return i < writes->count && writes->data[i] == e;
}

/* Does the earlier access decide that the read sees none of the writes? A write
   that is none of them does, and a read of the same value, which it must see in
   all reorderings. */
static bool
decides (const omen_around *around, omen_eid before, omen_eid read,
         uint32_t atom)
{
  const omen_model *m = around->model;
  uint32_t value;
  if (omen_kind_writes (omen_model_event (m, before)->kind))
    return !is_one (around, before);
  value = m->value[omen_model_read_slot (m, before, atom)];
  return !around->sliced && value != OMEN_NONE
         && value == m->value[omen_model_read_slot (m, read, atom)];
}

static bool
is_kept_out (const omen_around *around, omen_eid read, uint32_t atom)
{
  const omen_model *m = around->model;
  omen_eid before
      = around->guards.count ? omen_around_previous (m, read, atom) : OMEN_NONE;
  if (before == OMEN_NONE || !decides (around, before, read, atom))
    return false;
  for (size_t i = 0; i < around->guards.count; i++) {
    uint32_t section = omen_model_holds (m, read, around->guards.data[i]);
    if (section != OMEN_NONE
        && section == omen_model_holds (m, before, around->guards.data[i]))
      return true;
  }
  return false;
}

void
omen_around_read (omen_around *around, omen_eid read, uint32_t atom,
                  size_t *from, size_t *to)
{
  const omen_model *m = around->model;
  const omen_ids *writes = &around->writes;
  uint32_t position = omen_model_position (m, read);
  size_t at;
  *from = *to = 0;
  if (!writes->count || is_kept_out (around, read, atom))
    return;
  at = OMEN_FIRST_NOT (i, 0, writes->count,
                       omen_model_position (m, writes->data[i]) < position);
  *from = at > around->near ? at - around->near : 0;
  *to = at + around->near < writes->count ? at + around->near : writes->count;
  if (*from > 0 || *to < writes->count)
    *omen_map_at (&around->left, omen_model_event (m, read)->location) = 1;
}
