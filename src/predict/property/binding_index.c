#include "predict/property/binding_index.h"

#include <stdlib.h>
#include <string.h>

/* ---- buckets ---- */

static omen_theta
part_of (const uint64_t *values, uint32_t set)
{
  omen_theta part = { .set = set };
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    part.values[p] = values[p];
  }
  return part;
}

static bool
same_part (const omen_theta *a, const omen_theta *b)
{
  return a->set == b->set && !memcmp (a->values, b->values, sizeof a->values);
}

static uint64_t
hash_of_values (const omen_theta *part)
{
  uint64_t hash = part->set;
  for (uint32_t rest = part->set; rest; rest &= rest - 1)
    hash = omen_mix (hash, part->values[__builtin_ctz (rest)]);
  return hash >> 1; /* no key is OMEN_MAP_NO_KEY */
}

/* The bucket of these values, or OMEN_NONE. */
static uint32_t
find_bucket (const omen_binding_index *s, const uint64_t *values, uint32_t set)
{
  omen_theta part = part_of (values, set);
  uint32_t i = omen_map_get (&s->by_hash, hash_of_values (&part));
  while (i != OMEN_NONE && !same_part (&s->buckets.data[i].bound, &part))
    i = s->buckets.data[i].older;
  return i;
}

static void
add_set (omen_binding_index *s, uint32_t set)
{
  for (size_t i = 0; i < s->sets.count; i++)
    if (s->sets.data[i] == set)
      return;
  OMEN_VEC_PUSH (s->sets, set);
}

static void
add_event (omen_binding_index *s, const uint64_t *values, uint32_t set,
           omen_eid e)
{
  uint32_t i = find_bucket (s, values, set);
  if (i == OMEN_NONE) {
    omen_binding_bucket new = { .bound = part_of (values, set) };
    uint32_t *slot = omen_map_at (&s->by_hash, hash_of_values (&new.bound));
    new.older = *slot;
    *slot = i = (uint32_t)s->buckets.count;
    OMEN_VEC_PUSH (s->buckets, new);
    add_set (s, set);
  }
  OMEN_VEC_PUSH (s->buckets.data[i].events, e);
}

/* ---- all of it ---- */

/* Do all bindings see the event? */
static bool
is_seen_by_all (const omen_binding_index *s, omen_eid e)
{
  uint32_t count;
  const omen_occurrence *at = omen_tracks_at (s->tracks, e, &count);
  for (uint32_t i = 0; i < count; i++)
    if (!omen_tracks_binds (s->tracks, &at[i]))
      return true;
  return omen_tracks_writes (s->tracks, e);
}

static void
add_dead (omen_binding_index *s, omen_eid e)
{
  uint32_t count;
  const uint64_t *dead = omen_tracks_dead (s->tracks, e, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++) {
      uint64_t values[OMEN_PARAMETERS_MAX] = { 0 };
      values[p] = dead[i];
      add_event (s, values, 1u << p, e);
    }
}

static void
add_events (omen_binding_index *s)
{
  const omen_ids *events = omen_tracks_events (s->tracks);
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    uint32_t count;
    const omen_occurrence *at = omen_tracks_at (s->tracks, e, &count);
    if (is_seen_by_all (s, e)) {
      OMEN_VEC_PUSH (s->shared, e);
      continue;
    }
    for (uint32_t k = 0; k < count; k++)
      add_event (s, at[k].values, omen_tracks_binds (s->tracks, &at[k]), e);
    add_dead (s, e);
  }
}

void
omen_binding_index_init (omen_binding_index *s, const omen_model *model,
                         const omen_tracks *tracks, const omen_thetas *thetas)
{
  *s = (omen_binding_index){ .model = model,
                             .tracks = tracks,
                             .thetas = thetas };
  omen_map_init (&s->by_hash);
  add_events (s);
  for (uint32_t i = 0; i < thetas->count; i++)
    for (size_t k = 0; k < s->sets.count; k++) {
      const omen_theta *theta = &thetas->data[i];
      uint32_t set = s->sets.data[k], at;
      if (set & ~theta->set)
        continue;
      at = find_bucket (s, theta->values, set);
      if (at != OMEN_NONE)
        OMEN_VEC_PUSH (s->buckets.data[at].thetas, i);
    }
}

void
omen_binding_index_fini (omen_binding_index *s)
{
  for (size_t i = 0; i < s->buckets.count; i++) {
    OMEN_VEC_FINI (s->buckets.data[i].events);
    OMEN_VEC_FINI (s->buckets.data[i].thetas);
  }
  OMEN_VEC_FINI (s->buckets);
  OMEN_VEC_FINI (s->sets);
  OMEN_VEC_FINI (s->shared);
  omen_map_fini (&s->by_hash);
}

/* ---- questions ---- */

/* Sort, and remove duplicates. */
static void
sort_numbers (omen_ids *ids)
{
  size_t kept = 0;
  OMEN_VEC_SORT (*ids, omen_compare_u32);
  for (size_t i = 0; i < ids->count; i++)
    if (!i || ids->data[i] != ids->data[i - 1])
      ids->data[kept++] = ids->data[i];
  ids->count = kept;
}

static void
append_ids (omen_ids *to, const omen_ids *from)
{
  for (size_t i = 0; i < from->count; i++)
    OMEN_VEC_PUSH (*to, from->data[i]);
}

void
omen_binding_index_events (const omen_binding_index *s, uint32_t theta,
                           omen_ids *events)
{
  const omen_theta *of = &s->thetas->data[theta];
  OMEN_REQUIRE (theta < s->thetas->count);
  OMEN_VEC_CLEAR (*events);
  append_ids (events, &s->shared);
  for (size_t k = 0; k < s->sets.count; k++) {
    uint32_t set = s->sets.data[k];
    uint32_t at = set & ~of->set ? OMEN_NONE : find_bucket (s, of->values, set);
    if (at != OMEN_NONE)
      append_ids (events, &s->buckets.data[at].events);
  }
  for (size_t i = 0; i < events->count; i++)
    events->data[i] = omen_model_position (s->model, events->data[i]);
  sort_numbers (events);
  for (size_t i = 0; i < events->count; i++)
    events->data[i] = omen_model_nth (s->model, events->data[i]);
}

/* Append the bindings that agree with these values. */
static void
add_thetas (const omen_binding_index *s, const uint64_t *values, uint32_t set,
            omen_ids *thetas)
{
  uint32_t at = find_bucket (s, values, set);
  OMEN_ASSERT (at != OMEN_NONE);
  append_ids (thetas, &s->buckets.data[at].thetas);
}

void
omen_binding_index_thetas (const omen_binding_index *s, omen_eid e,
                           omen_ids *thetas)
{
  uint32_t count;
  const omen_occurrence *at = omen_tracks_at (s->tracks, e, &count);
  const uint64_t *dead;
  OMEN_VEC_CLEAR (*thetas);
  if (is_seen_by_all (s, e))
    return;
  for (uint32_t i = 0; i < count; i++)
    add_thetas (s, at[i].values, omen_tracks_binds (s->tracks, &at[i]), thetas);
  dead = omen_tracks_dead (s->tracks, e, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++) {
      uint64_t values[OMEN_PARAMETERS_MAX] = { 0 };
      values[p] = dead[i];
      add_thetas (s, values, 1u << p, thetas);
    }
  sort_numbers (thetas);
}
