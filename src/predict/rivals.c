#include "predict/rivals.h"
#include "base/map.h"

#include <stdlib.h>

/* ---- reads ---- */

typedef struct placed {
  uint32_t location; /* locations numbered by their first read */
  omen_eid read;
} placed;

static int
by_location (const void *a, const void *b)
{
  const placed *x = a, *y = b;
  if (x->location != y->location)
    return x->location < y->location ? -1 : 1;
  return x->read < y->read ? -1 : x->read > y->read;
}

void
omen_reads_by_location (const omen_model *m, omen_ids *reads)
{
  OMEN_VEC (placed) list = { 0 };
  omen_map ranks;
  omen_map_init (&ranks);
  for (omen_eid e = 0; e < m->event_count; e++) {
    const omen_event *event = omen_model_event (m, e);
    uint32_t *rank;
    if (!omen_kind_reads (event->kind))
      continue;
    rank = omen_map_at (&ranks, event->location);
    if (*rank == OMEN_NONE)
      *rank = ranks.count;
    OMEN_VEC_PUSH (list, ((placed){ *rank, e }));
  }
  OMEN_VEC_SORT (list, by_location);
  for (size_t i = 0; i < list.count; i++)
    OMEN_VEC_PUSH (*reads, list.data[i].read);
  omen_map_fini (&ranks);
  OMEN_VEC_FINI (list);
}

/* ---- rivals ---- */

/* By event id (OMEN_NONE last), then by atom. */
static int
by_write (const void *a, const void *b)
{
  const omen_triple *x = &((const omen_rival *)a)->triple;
  const omen_triple *y = &((const omen_rival *)b)->triple;
  if (x->rival != y->rival)
    return x->rival < y->rival ? -1 : 1;
  return x->atom < y->atom ? -1 : x->atom > y->atom;
}

static void
add_rival (const omen_model *m, omen_eid read, omen_eid write, uint32_t atom,
           bool by_value, omen_rivals *rivals)
{
  omen_eid saw = m->from[omen_model_read_slot (m, read, atom)];
  omen_rival rival = { { read, saw, write, atom }, false };
  OMEN_ASSERT (saw != read);
  if (write == saw || write == read)
    return;
  if (by_value && omen_model_same_value (m, read, write, atom)) {
    if (write == OMEN_NONE
        || omen_model_event (m, write)->kind != OMEN_ATOMIC_RMW
        || omen_event_is_cas (omen_model_event (m, write)))
      return;
    rival.only_tainted = true;
  }
  OMEN_VEC_PUSH (*rivals, rival);
}

static bool
are_sorted (const omen_rival *rivals, size_t count)
{
  for (size_t i = 1; i < count; i++)
    if (by_write (&rivals[i - 1], &rivals[i]) >= 0)
      return false;
  return true;
}

void
omen_rivals_of (const omen_model *m, omen_eid read, bool by_value,
                omen_rivals *rivals)
{
  omen_span span = omen_model_atoms (m, read);
  size_t first = rivals->count;
  OMEN_REQUIRE (omen_kind_reads (omen_model_event (m, read)->kind));
  for (uint32_t a = span.first; a < span.first + span.count; a++) {
    for (uint32_t i = m->atoms[a].first; i < m->atoms[a + 1].first; i++)
      if (omen_kind_writes (omen_model_event (m, m->accesses[i])->kind))
        add_rival (m, read, m->accesses[i], a, by_value, rivals);
    add_rival (m, read, OMEN_NONE, a, by_value, rivals);
  }
  if ((span.count > 1 || m->order) && rivals->count > first)
    qsort (rivals->data + first, rivals->count - first, sizeof *rivals->data,
           by_write);
  OMEN_CHECK (rivals->count == first
              || are_sorted (rivals->data + first, rivals->count - first));
}

uint64_t
omen_rivals_count (const omen_model *m, omen_eid read)
{
  omen_span span = omen_model_atoms (m, read);
  uint64_t count = 0;
  for (uint32_t a = span.first; a < span.first + span.count; a++)
    for (uint32_t c = m->atoms[a].first_cell; c < m->atoms[a + 1].first_cell;
         c++)
      count += m->cells[c].first_read - m->cells[c].first_write;
  return count + span.count;
}
