#include "model/state_sets.h"

#include <stdlib.h>

/* Below this size nothing is discarded: words of the pool plus cached steps. */
#define FORGET_FROM OMEN_HARD_OR (64u, 1u << 20)

static uint64_t
hash_of_set (const omen_ids *states)
{
  uint64_t hash = states->count;
  for (size_t i = 0; i < states->count; i++) {
    hash = (hash ^ states->data[i]) * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 29;
  }
  return hash >> 1; /* never OMEN_MAP_NO_KEY */
}

static bool
same_set (const omen_state_sets *r, uint32_t set, const omen_ids *states)
{
  const omen_state_set *s = &r->sets.data[set];
  if (s->count != states->count)
    return false;
  for (uint32_t i = 0; i < s->count; i++)
    if (r->pool.data[s->first + i] != states->data[i])
      return false;
  return true;
}

/* Merge two ascending lists into scratch, each state once. */
static void
merge_sets (omen_state_sets *r, const uint32_t *a, size_t as, const uint32_t *b,
            size_t bs)
{
  omen_ids *to = &r->scratch;
  size_t i = 0, k = 0;
  OMEN_VEC_CLEAR (*to);
  OMEN_VEC_RESERVE (*to, as + bs);
  while (i < as || k < bs) {
    uint32_t next = k == bs || (i < as && a[i] < b[k]) ? a[i++] : b[k++];
    if (!to->count || OMEN_VEC_LAST (*to) != next)
      OMEN_VEC_PUSH (*to, next);
  }
}

/* The id of the set of states in scratch. */
static uint32_t
intern_set (omen_state_sets *r)
{
  const omen_ids *states = &r->scratch;
  uint32_t *slot, id;
  slot = omen_map_at (&r->by_hash, hash_of_set (states));
  for (id = *slot; id != OMEN_NONE; id = r->older.data[id])
    if (same_set (r, id, states))
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

/* Merge the states that stayed and those that moved into scratch. */
static void
merge_moved (omen_state_sets *r)
{
  OMEN_VEC_SORT (r->moved, omen_compare_u32);
  merge_sets (r, r->stayed.data, r->stayed.count, r->moved.data,
              r->moved.count);
}

void
omen_state_sets_init (omen_state_sets *r, const omen_state_machine *machine)
{
  *r = (omen_state_sets){ .machine = machine, .forget_at = FORGET_FROM };
  omen_map_init (&r->by_hash);
  omen_map_init (&r->stepped);
  omen_map_init (&r->joined);
  omen_map_init (&r->seen);
  for (uint32_t i = 0; machine && i < machine->start_count; i++)
    OMEN_VEC_PUSH (r->moved, machine->starts[i]);
  merge_moved (r);
  intern_set (r);
}

void
omen_state_sets_fini (omen_state_sets *r)
{
  OMEN_VEC_FINI (r->sets);
  OMEN_VEC_FINI (r->pool);
  OMEN_VEC_FINI (r->older);
  OMEN_VEC_FINI (r->asked);
  OMEN_VEC_FINI (r->scratch);
  OMEN_VEC_FINI (r->stayed);
  OMEN_VEC_FINI (r->moved);
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
  OMEN_VEC_CLEAR (r->stayed);
  OMEN_VEC_CLEAR (r->moved);
  if (r->machine->step_all)
    r->machine->step_all (r->machine->context, r->pool.data + from.first,
                          from.count, letter, &r->stayed, &r->moved);
  for (uint32_t i = 0; !r->machine->step_all && i < from.count; i++) {
    uint32_t state = r->pool.data[from.first + i];
    uint32_t next = r->machine->step (r->machine->context, state, letter);
    if (next == state)
      OMEN_VEC_PUSH (r->stayed, next);
    else if (next != OMEN_NONE)
      OMEN_VEC_PUSH (r->moved, next);
  }
  merge_moved (r);
  to = intern_set (r);
  *omen_map_at (&r->stepped, OMEN_PAIR (set, letter)) = to;
  return to;
}

uint32_t
omen_state_sets_join_slow (omen_state_sets *r, uint32_t a, uint32_t b)
{
  uint32_t to;
  uint64_t key = a < b ? OMEN_PAIR (a, b) : OMEN_PAIR (b, a);
  omen_state_set x = r->sets.data[a], y = r->sets.data[b];
  OMEN_ASSERT (a != b);
  merge_sets (r, r->pool.data + x.first, x.count, r->pool.data + y.first,
              y.count);
  to = intern_set (r);
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

static void
forget_all (omen_state_sets *r)
{
  OMEN_VEC_CLEAR (r->sets);
  OMEN_VEC_CLEAR (r->pool);
  OMEN_VEC_CLEAR (r->older);
  OMEN_VEC_CLEAR (r->asked);
  omen_map_fini (&r->by_hash);
  omen_map_fini (&r->stepped);
  omen_map_fini (&r->joined);
  omen_map_init (&r->by_hash);
  omen_map_init (&r->stepped);
  omen_map_init (&r->joined);
}

void
omen_state_sets_keep (omen_state_sets *r, uint32_t *sets, uint32_t count)
{
  omen_ids kept = { 0 }; /* for each set, its count and its states */
  size_t at = 0;
  if (r->pool.count + r->stepped.count < r->forget_at)
    return;
  for (uint32_t i = 0; i < count; i++) {
    omen_state_set set = r->sets.data[sets[i]];
    OMEN_VEC_PUSH (kept, set.count);
    for (uint32_t k = 0; k < set.count; k++)
      OMEN_VEC_PUSH (kept, r->pool.data[set.first + k]);
  }
  forget_all (r);
  for (uint32_t i = 0; i < count; i++) {
    merge_sets (r, kept.data + at + 1, kept.data[at], NULL, 0);
    sets[i] = intern_set (r);
    at += kept.data[at] + 1;
  }
  OMEN_VEC_FINI (kept);
  r->forget_at = FORGET_FROM + 4 * r->pool.count;
}

size_t
omen_state_sets_bytes (const omen_state_sets *r)
{
  size_t maps = (size_t)r->by_hash.mask + r->stepped.mask + r->joined.mask
                + r->seen.mask + 4;
  return maps * sizeof (omen_map_entry) + r->sets.room * sizeof *r->sets.data
         + (r->pool.room + r->older.room) * sizeof (uint32_t);
}
