/* Reads that accept one write only: under value, those whose value no other
   write gives. */
#include "base/map.h"
#include "model/quick_clocks.h"

/* How many writes, the initial one included, give a value to an atom. */
static void
count_values (const omen_model *m, omen_map *counts)
{
  for (uint32_t a = 0; a < m->atom_count; a++) {
    if (m->atoms[a].initial != OMEN_NONE)
      *omen_map_at (counts, OMEN_PAIR (a, m->atoms[a].initial)) = 1;
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++) {
      omen_eid e = m->accesses[i];
      uint32_t value, *count;
      OMEN_ASSERT (e < m->event_count);
      if (!omen_kind_writes (omen_model_event (m, e)->kind))
        continue;
      value = m->value[omen_model_write_slot (m, e, a)];
      if (value == OMEN_NONE)
        continue;
      count = omen_map_at (counts, OMEN_PAIR (a, value));
      *count = *count == OMEN_NONE ? 1 : *count + 1;
    }
  }
}

/* Does the read e accept no other write than the one it saw? */
static bool
accepts_one (const omen_model *m, const omen_map *counts, omen_eid e,
             uint32_t atom)
{
  uint32_t slot = omen_model_read_slot (m, e, atom), value = m->value[slot];
  uint32_t count;
  if (value == OMEN_NONE)
    return true;
  count = omen_map_get (counts, OMEN_PAIR (atom, value));
  if (count == OMEN_NONE)
    return true;
  return count == (omen_model_written (m, m->from[slot], atom) == value);
}

uint8_t *
omen_quick_single (const omen_model *m)
{
  uint8_t *single = omen_zalloc (m->slot_count, 1);
  omen_map counts;
  omen_map_init (&counts);
  count_values (m, &counts);
  for (omen_eid e = 0; e < m->event_count; e++) {
    omen_span atoms;
    if (!omen_kind_reads (omen_model_event (m, e)->kind))
      continue;
    atoms = omen_model_atoms (m, e);
    for (uint32_t i = 0; i < atoms.count; i++)
      single[m->at[e] + i] = accepts_one (m, &counts, e, atoms.first + i);
  }
  omen_map_fini (&counts);
  return single;
}
