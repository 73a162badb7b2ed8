#include "model/lattice_level.h"
#include "base/big.h"

#include <stdlib.h>
#include <string.h>

/* Number of words at the start of a key that hold the progress of the threads;
   `last` masks the bytes of the last of them that do. */
static uint32_t
event_words (const omen_lattice *plan, uint64_t *last)
{
  uint32_t size = plan->wide ? 4 : 2, bytes = plan->threads * size;
  uint32_t in_last = bytes % 8;
  *last = in_last ? ((uint64_t)1 << 8 * in_last) - 1 : UINT64_MAX;
  return (bytes + 7) / 8;
}

static uint32_t
hash_of_cut (const omen_lattice *plan, const uint64_t *key)
{
  uint64_t hash = 0, last;
  uint32_t words = event_words (plan, &last);
  for (uint32_t i = 0; i < words; i++) {
    hash = (hash ^ (i + 1 < words ? key[i] : key[i] & last))
           * 0x9e3779b97f4a7c15u;
    hash ^= hash >> 32;
  }
  return (uint32_t)hash;
}

static bool
same_events (const omen_lattice *plan, const uint64_t *a, const uint64_t *b)
{
  uint64_t last;
  uint32_t words = event_words (plan, &last);
  for (uint32_t i = 0; i < words; i++)
    if ((a[i] ^ b[i]) & (i + 1 < words ? UINT64_MAX : last))
      return false;
  return true;
}

static bool
same_key (const omen_lattice *plan, const uint64_t *a, const uint64_t *b)
{
  for (uint32_t i = 0; i < plan->key_words; i++)
    if (a[i] != b[i])
      return false;
  return true;
}

/* ---- life ---- */

void
omen_level_init (omen_level *level, const omen_lattice *plan, uint32_t count,
                 uint32_t way_words)
{
  uint32_t slots = OMEN_HARD_OR (4, 64);
  *level = (omen_level){ .way_words = way_words };
  while (slots / 2 < count)
    slots *= 2;
  level->mask = slots - 1;
  level->table = omen_zalloc (slots, sizeof *level->table);
  OMEN_ASSERT (plan->words >= plan->key_words);
}

void
omen_level_fini (omen_level *level)
{
  omen_free (level->cuts);
  omen_free (level->sets);
  omen_free (level->ways);
  omen_free (level->table);
  *level = (omen_level){ 0 };
}

size_t
omen_level_bytes (const omen_level *level, const omen_lattice *plan)
{
  return level->room
             * (plan->words * sizeof *level->cuts + sizeof *level->sets
                + level->way_words * sizeof *level->ways)
         + ((size_t)level->mask + 1) * sizeof *level->table;
}

/* ---- the table ---- */

static void
place (omen_level *level, const omen_lattice *plan, uint32_t i)
{
  uint32_t at
      = hash_of_cut (plan, omen_level_cut (level, plan, i)) & level->mask;
  while (level->table[at])
    at = (at + 1) & level->mask;
  level->table[at] = i + 1;
}

void
omen_level_copy (const omen_level *level, const omen_lattice *plan,
                 omen_level *copy)
{
  size_t bytes = (size_t)level->count * plan->words * sizeof *level->cuts;
  uint32_t slots = 4;
  while (slots / 2 < level->count)
    slots *= 2;
  *copy = (omen_level){ .count = level->count, .room = level->count };
  copy->cuts = omen_alloc (bytes + 1);
  memcpy (copy->cuts, level->cuts, bytes);
  copy->sets = omen_alloc (level->count * sizeof *copy->sets + 1);
  memcpy (copy->sets, level->sets, level->count * sizeof *copy->sets);
  copy->table = omen_zalloc (slots, sizeof *copy->table);
  copy->mask = slots - 1;
  for (uint32_t i = 0; i < copy->count; i++)
    place (copy, plan, i);
}

static void
make_table (omen_level *level, const omen_lattice *plan, uint32_t mask)
{
  omen_free (level->table);
  level->mask = mask;
  level->table = omen_zalloc ((size_t)mask + 1, sizeof *level->table);
  for (uint32_t i = 0; i < level->count; i++)
    place (level, plan, i);
}

static uint32_t
append_room (omen_level *level, const omen_lattice *plan, const uint64_t *key)
{
  uint32_t i = level->count;
  if (i == level->room) {
    uint32_t room = level->room ? level->room + level->room / 2 + 1 : 16;
    OMEN_REQUIRE (level->room < OMEN_NONE / 2);
    level->cuts = omen_realloc (level->cuts, (size_t)room * plan->words
                                                 * sizeof *level->cuts);
    level->sets = omen_realloc (level->sets, room * sizeof *level->sets);
    if (level->way_words)
      level->ways = omen_realloc (level->ways, (size_t)room * level->way_words
                                                   * sizeof *level->ways);
    level->room = room;
  }
  memcpy (omen_level_cut (level, plan, i), key, plan->key_words * sizeof *key);
  level->sets[i] = OMEN_NONE;
  for (uint32_t w = 0; w < level->way_words; w++)
    level->ways[(size_t)i * level->way_words + w] = 0;
  level->count++;
  return i;
}

uint32_t
omen_level_add (omen_level *level, const omen_lattice *plan,
                const uint64_t *key, bool *fresh)
{
  uint32_t at = hash_of_cut (plan, key) & level->mask, i;
  for (; (i = level->table[at]); at = (at + 1) & level->mask)
    if (same_key (plan, omen_level_cut (level, plan, i - 1), key)) {
      *fresh = false;
      return i - 1;
    }
  *fresh = true;
  i = append_room (level, plan, key);
  level->table[at] = i + 1;
  if (level->count > level->mask - level->mask / 4)
    make_table (level, plan, 2 * level->mask + 1);
  return i;
}

uint32_t
omen_level_find (const omen_level *level, const omen_lattice *plan,
                 const uint64_t *key, uint32_t *probe)
{
  uint32_t home = hash_of_cut (plan, key);
  for (;; ++*probe) {
    uint32_t i = level->table[(home + *probe) & level->mask];
    if (!i)
      return OMEN_NONE;
    if (same_events (plan, omen_level_cut (level, plan, i - 1), key)) {
      ++*probe;
      return i - 1;
    }
  }
}

/* ---- ways ---- */

static void
widen_ways (omen_level *level, uint32_t words)
{
  uint64_t *wide = omen_zalloc ((size_t)level->room * words, sizeof *wide);
  for (uint32_t i = 0; i < level->count; i++)
    memcpy (wide + (size_t)i * words,
            level->ways + (size_t)i * level->way_words,
            level->way_words * sizeof *wide);
  omen_free (level->ways);
  level->ways = wide;
  level->way_words = words;
}

void
omen_level_add_ways (omen_level *level, uint32_t i, const uint64_t *ways,
                     uint32_t words)
{
  uint32_t own = level->way_words;
  OMEN_ASSERT (words <= own && i < level->count);
  if (omen_big_add (level->ways + (size_t)i * own, own, ways, words)) {
    widen_ways (level, own + 1);
    level->ways[(size_t)i * (own + 1) + own] = 1;
  }
}

/* ---- a level as a whole ---- */

uint32_t
omen_level_width (const omen_level *level, const omen_lattice *plan)
{
  uint32_t width = 0;
  if (!plan->slots)
    return level->count;
  for (uint32_t i = 0; i < level->count; i++) {
    uint32_t probe = 0;
    width += omen_level_find (level, plan, omen_level_cut (level, plan, i),
                              &probe)
             == i;
  }
  return width;
}

/* Distance from the observed cut: the steps that differ. */
static uint64_t
cut_distance (const omen_lattice *plan, const uint64_t *cut,
              const uint32_t *observed)
{
  uint64_t sum = 0;
  for (omen_tid t = 0; t < plan->threads; t++) {
    uint32_t done = omen_cut_done (plan, cut, t);
    sum += done > observed[t] ? done - observed[t] : observed[t] - done;
  }
  return sum;
}

static void
move_cut (omen_level *level, const omen_lattice *plan, uint32_t to,
          uint32_t from)
{
  size_t ways = level->way_words * sizeof *level->ways;
  if (to == from)
    return;
  memcpy (omen_level_cut (level, plan, to), omen_level_cut (level, plan, from),
          plan->words * sizeof *level->cuts);
  level->sets[to] = level->sets[from];
  if (ways)
    memcpy (level->ways + (size_t)to * level->way_words,
            level->ways + (size_t)from * level->way_words, ways);
}

bool
omen_level_prune (omen_level *level, const omen_lattice *plan, uint32_t most,
                  const uint32_t *observed)
{
  uint64_t *sorted, limit;
  uint32_t at_limit = 0, kept = 0;
  if (level->count <= most)
    return false;
  sorted = omen_alloc (level->count * sizeof *sorted);
  for (uint32_t i = 0; i < level->count; i++)
    sorted[i] = cut_distance (plan, omen_level_cut (level, plan, i), observed);
  qsort (sorted, level->count, sizeof *sorted, omen_compare_u64);
  limit = sorted[most - 1];
  for (uint32_t i = most; i-- > 0 && sorted[i] == limit;)
    at_limit++;
  omen_free (sorted);
  for (uint32_t i = 0; i < level->count; i++) {
    uint64_t d = cut_distance (plan, omen_level_cut (level, plan, i), observed);
    if (d > limit || (d == limit && !at_limit))
      continue;
    at_limit -= d == limit;
    move_cut (level, plan, kept++, i);
  }
  OMEN_ASSERT (kept == most);
  level->count = kept;
  make_table (level, plan, level->mask);
  return true;
}
