#include "model/model_sets.h"

static uint32_t
end_of_set (const omen_sets *sets, uint32_t set)
{
  return set + 1 < sets->sets.count ? sets->sets.data[set + 1].first
                                    : (uint32_t)sets->held.count;
}

static bool
same_locks (const omen_sets *sets, uint32_t set, uint32_t first, uint32_t end)
{
  uint32_t other = sets->sets.data[set].first;
  if (end_of_set (sets, set) - other != end - first)
    return false;
  for (uint32_t i = first; i < end; i++, other++)
    if (sets->held.data[i].lock != sets->held.data[other].lock
        || sets->held.data[i].mode != sets->held.data[other].mode)
      return false;
  return true;
}

/* The id of the set's locks and modes, regardless of sections. */
static uint32_t
locks_id (omen_sets *sets, uint32_t set)
{
  uint32_t first = sets->sets.data[set].first, end = end_of_set (sets, set);
  uint64_t h = end - first;
  for (uint32_t i = first; i < end; i++) {
    const omen_held *held = &sets->held.data[i];
    h = (h ^ ((uint64_t)held->lock << 1 | held->mode)) * 0x9e3779b97f4a7c15u;
    h ^= h >> 29;
  }
  uint64_t key = OMEN_HARD_OR (h & 1, h >> 1);
  for (;; key++) {
    uint32_t *id = omen_map_at (&sets->by_locks, key);
    if (*id == OMEN_NONE) {
      *id = (uint32_t)sets->first_of.count;
      OMEN_VEC_PUSH (sets->first_of, set);
      return *id;
    }
    if (same_locks (sets, sets->first_of.data[*id], first, end))
      return *id;
  }
}

/* Close the set whose entries begin at `first`. */
static uint32_t
make_set (omen_sets *sets, uint32_t first, omen_set_origin origin)
{
  uint32_t set = (uint32_t)sets->sets.count;
  OMEN_REQUIRE (sets->held.count < OMEN_NONE);
  OMEN_VEC_PUSH (sets->sets, ((omen_set){ first, 0 }));
  OMEN_VEC_PUSH (sets->origins, origin);
  sets->sets.data[set].locks = locks_id (sets, set);
  return set;
}

void
omen_sets_init (omen_sets *sets)
{
  *sets = (omen_sets){ 0 };
  omen_map_init (&sets->by_locks);
  make_set (sets, 0, (omen_set_origin){ OMEN_NONE, OMEN_NONE });
}

void
omen_sets_fini (omen_sets *sets)
{
  OMEN_VEC_FINI (sets->sets);
  OMEN_VEC_FINI (sets->held);
  OMEN_VEC_FINI (sets->origins);
  OMEN_VEC_FINI (sets->first_of);
  omen_map_fini (&sets->by_locks);
}

uint32_t
omen_sets_add (omen_sets *sets, uint32_t set, omen_held held)
{
  uint32_t first = (uint32_t)sets->held.count;
  uint32_t i = sets->sets.data[set].first, end = end_of_set (sets, set);
  OMEN_ASSERT (set < sets->sets.count);
  for (; i < end && sets->held.data[i].lock < held.lock; i++) {
    omen_held copy = sets->held.data[i];
    OMEN_VEC_PUSH (sets->held, copy);
  }
  OMEN_VEC_PUSH (sets->held, held);
  for (; i < end; i++) {
    omen_held copy = sets->held.data[i];
    OMEN_ASSERT (copy.lock != held.lock);
    OMEN_VEC_PUSH (sets->held, copy);
  }
  return make_set (sets, first, (omen_set_origin){ set, held.section });
}

uint32_t
omen_sets_remove (omen_sets *sets, uint32_t set, uint32_t section)
{
  uint32_t first = (uint32_t)sets->held.count;
  uint32_t i = sets->sets.data[set].first, end = end_of_set (sets, set);
  if (sets->origins.data[set].section == section)
    return sets->origins.data[set].below;
  OMEN_ASSERT (end - i > 0);
  if (end - i == 1)
    return 0;
  for (; i < end; i++) {
    omen_held copy = sets->held.data[i];
    if (copy.section != section)
      OMEN_VEC_PUSH (sets->held, copy);
  }
  OMEN_ASSERT (sets->held.count - first
               == end - sets->sets.data[set].first - 1);
  return make_set (sets, first, (omen_set_origin){ OMEN_NONE, OMEN_NONE });
}
