/* Refutes by reads under locks. A thread is to stop inside a critical section
   in which it has read x, and the reordering has a later write of x in a
   conflicting section of another thread:

     T2|acq(l) T2|r(x) T2|…           next: after r(x) it must see w
     T1|acq(l) T1|w'(x) T1|rel(l)     included

   T2's section never ends, so w' comes before r. If every write that r may see
   must come before w', r cannot see one, and there is no such reordering. That
   is how lists under a lock are used: who has read a pointer is not overtaken
   by who overwrites it, and frees what it points to. */
#include "model/quick_clocks.h"

#define MOST_READS OMEN_HARD_OR (2u, 64u)
#define MOST_WRITES OMEN_HARD_OR (2u, 256u)

/* Must all writes that the read may see in this atom come before w? */
static bool
sees_only_earlier (const omen_quick *quick, omen_eid read, uint32_t atom,
                   omen_eid w)
{
  const omen_model *m = quick->model;
  const omen_atom *a = &m->atoms[atom];
  uint32_t slot = omen_model_read_slot (m, read, atom), writes = 0;
  omen_eid saw = m->from[slot];
  if (saw == w || (saw != OMEN_NONE && !omen_quick_must_before (quick, saw, w)))
    return false;
  if (!quick->single || quick->single[slot])
    return true;
  for (uint32_t c = a[0].first_cell; c < a[1].first_cell; c++)
    for (uint32_t i = m->cells[c].first_write; i < m->cells[c].first_read;
         i++) {
      omen_eid e = m->members[i];
      if (++writes > MOST_WRITES)
        return false;
      if (e != saw && omen_model_same_value (m, read, e, atom)
          && (e == w || !omen_quick_must_before (quick, e, w)))
        return false;
    }
  return true;
}

/* Does w hold a lock that excludes it from a section that its thread holds at
   `at`, acquired before the read? */
static bool
is_excluded (const omen_model *m, omen_eid w, omen_eid at, omen_eid read)
{
  const omen_set *set = &m->sets[m->set_of[at]];
  for (uint32_t h = set[0].first; h < set[1].first; h++) {
    const omen_section *mine = &m->sections[m->held[h].section];
    uint32_t theirs = omen_model_holds (m, w, mine->lock);
    if (theirs != OMEN_NONE && mine->acquire < read
        && (mine->mode == OMEN_LOCK_WRITE
            || m->sections[theirs].mode == OMEN_LOCK_WRITE))
      return true;
  }
  return false;
}

/* Of each other thread, the last write of the atom in the cut. */
static bool
atom_refutes (const omen_quick *quick, omen_eid at, omen_eid read,
              uint32_t atom, const uint32_t *cut)
{
  const omen_model *m = quick->model;
  for (uint32_t c = m->atoms[atom].first_cell;
       c < m->atoms[atom + 1].first_cell; c++) {
    const omen_cell *cell = &m->cells[c];
    const omen_eid *writes = m->members + cell->first_write;
    uint32_t count = cell->first_read - cell->first_write;
    count = OMEN_FIRST_NOT (i, 0, count,
                            m->trace->index[writes[i]] < cut[cell->thread]);
    if (count && cell->thread != omen_model_thread (m, at)
        && is_excluded (m, writes[count - 1], at, read)
        && sees_only_earlier (quick, read, atom, writes[count - 1]))
      return true;
  }
  return false;
}

/* The first acquire of the sections held at e, or OMEN_NONE. */
static omen_eid
first_acquire (const omen_model *m, omen_eid e)
{
  const omen_set *set = &m->sets[m->set_of[e]];
  omen_eid first = OMEN_NONE;
  for (uint32_t h = set[0].first; h < set[1].first; h++) {
    omen_eid acquire = m->sections[m->held[h].section].acquire;
    first = acquire < first ? acquire : first;
  }
  return first;
}

bool
omen_quick_reads_refute (const omen_quick *quick, omen_eid at,
                         const uint32_t *cut)
{
  const omen_model *m = quick->model;
  omen_eid acquire = first_acquire (m, at), e = at;
  unsigned reads = 0;
  if (acquire == OMEN_NONE || !quick->keeps_reads)
    return false;
  while ((e = omen_model_previous (m, e)) != OMEN_NONE && e > acquire
         && reads < MOST_READS) {
    omen_span atoms;
    if (!omen_kind_reads (omen_model_event (m, e)->kind))
      continue;
    reads++;
    atoms = omen_model_atoms (m, e);
    for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
      if (atom_refutes (quick, at, e, a, cut))
        return true;
  }
  return false;
}
