#include "model/state_sets.h"

#include <stdlib.h>

static int
compare_states (const void *a, const void *b)
{
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static uint64_t
hash_of (const omen_ids *states)
{
  uint64_t hash = states->count;
  for (size_t i = 0; i < states->count; i++) {
    hash = (hash ^ states->data[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash >> 1; /* never OMEN_MAP_NO_KEY */
}

static bool
same (const omen_state_sets *r, uint32_t set, const omen_ids *states)
{
  const omen_state_set *s = &r->sets.data[set];
  if (s->count != states->count)
    return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (r->pool.data[s->first + i] != states->data[i])
      return false;
  return true;
}

/* The set of the states in scratch. */
static uint32_t
intern (omen_state_sets *r)
{
  omen_ids *states = &r->scratch;
  uint32_t *slot, id;
  /* Sorted, each once. */
  size_t kept = 0;
  if (states->count)
    qsort (states->data, states->count, sizeof *states->data, compare_states);
  for (size_t i = 0; i < states->count; i++)
    if (!i || states->data[i] != states->data[i - 1])
      states->data[kept++] = states->data[i];
  states->count = kept;
  slot = omen_map_at (&r->by_hash, hash_of (states));
  for (id = *slot; id != OMEN_NONE; id = r->older.data[id])
    if (same (r, id, states))
      return id;
  id = (uint32_t)r->sets.count;
  OMEN_VEC_PUSH (r->sets, ((omen_state_set){ (uint32_t)r->pool.count,
                                             (uint32_t)states->count }));
  OMEN_VEC_PUSH (r->older, *slot);
  *slot = id;
  for (size_t i = 0; i < states->count; i++)
    OMEN_VEC_PUSH (r->pool, states->data[i]);
  return id;
}

void
omen_state_sets_init (omen_state_sets *r, const omen_state_machine *machine)
{
  *r = (omen_state_sets){ .machine = machine };
  omen_map_init (&r->by_hash);
  omen_map_init (&r->stepped);
  omen_map_init (&r->joined);
  omen_map_init (&r->seen);
  for (uint32_t i = 0; machine && i < machine->start_count; i++)
    OMEN_VEC_PUSH (r->scratch, machine->starts[i]);
  intern (r);
}

void
omen_state_sets_fini (omen_state_sets *r)
{
  OMEN_VEC_FINI (r->sets);
  OMEN_VEC_FINI (r->pool);
  OMEN_VEC_FINI (r->older);
  OMEN_VEC_FINI (r->asked);
  OMEN_VEC_FINI (r->scratch);
  omen_map_fini (&r->by_hash);
  omen_map_fini (&r->stepped);
  omen_map_fini (&r->joined);
  omen_map_fini (&r->seen);
}

uint32_t
omen_state_sets_step_slow (omen_state_sets *r, uint32_t set, uint32_t letter)
{
  omen_state_set from = r->sets.data[set];
  uint32_t to;
  OMEN_ASSERT (r->machine && letter != OMEN_NONE);
  OMEN_VEC_CLEAR (r->scratch);
  for (uint32_t i = 0; i < from.count; i++) {
    uint32_t next = r->machine->step (r->machine->context,
                                      r->pool.data[from.first + i], letter);
    if (next != OMEN_NONE)
      OMEN_VEC_PUSH (r->scratch, next);
  }
  to = intern (r);
  *omen_map_at (&r->stepped, OMEN_PAIR (set, letter)) = to;
  return to;
}

uint32_t
omen_state_sets_join_slow (omen_state_sets *r, uint32_t a, uint32_t b)
{
  uint32_t to;
  uint64_t key = a < b ? OMEN_PAIR (a, b) : OMEN_PAIR (b, a);
  const uint32_t both[2] = { a, b };
  OMEN_ASSERT (a != b);
  OMEN_VEC_CLEAR (r->scratch);
  for (int k = 0; k < 2; k++) {
    omen_state_set s = r->sets.data[both[k]];
    for (uint32_t i = 0; i < s.count; i++)
      OMEN_VEC_PUSH (r->scratch, r->pool.data[s.first + i]);
  }
  to = intern (r);
  *omen_map_at (&r->joined, key) = to;
  return to;
}

uint32_t
omen_state_sets_origin (const omen_state_sets *r, uint32_t set, uint32_t letter,
                        uint32_t state)
{
  const omen_state_set *s = &r->sets.data[set];
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t from = r->pool.data[s->first + i];
    uint32_t to = letter == OMEN_NONE
                      ? from
                      : r->machine->step (r->machine->context, from, letter);
    if (to == state)
      return from;
  }
  return OMEN_NONE;
}

void
omen_state_sets_news (omen_state_sets *r, uint32_t set, omen_ids *states)
{
  const omen_state_set *s = &r->sets.data[set];
  while (r->asked.count <= set)
    OMEN_VEC_PUSH (r->asked, 0);
  if (r->asked.data[set])
    return;
  r->asked.data[set] = 1;
  for (uint32_t i = 0; i < s->count; i++) {
    uint32_t *slot = omen_map_at (&r->seen, r->pool.data[s->first + i]);
    if (*slot == OMEN_NONE)
      OMEN_VEC_PUSH (*states, r->pool.data[s->first + i]);
    *slot = 1;
  }
}

size_t
omen_state_sets_bytes (const omen_state_sets *r)
{
  size_t maps = (size_t)r->by_hash.mask + r->stepped.mask + r->joined.mask
                + r->seen.mask + 4;
  return maps * sizeof (omen_map_entry) + r->sets.room * sizeof *r->sets.data
         + (r->pool.room + r->older.room) * sizeof (uint32_t);
}
