#include "predict/property/pattern_index.h"

static uint64_t
hash_of_bucket (uint32_t event, omen_tid thread, uint32_t binds,
                const uint64_t *values)
{
  uint64_t hash = omen_mix (event, thread);
  for (; binds; binds &= binds - 1)
    hash = omen_mix (hash, values[__builtin_ctz (binds)]);
  return hash >> 1; /* no key is OMEN_MAP_NO_KEY */
}

static bool
same_values (uint32_t binds, const uint64_t *a, const uint64_t *b)
{
  for (; binds; binds &= binds - 1)
    if (a[__builtin_ctz (binds)] != b[__builtin_ctz (binds)])
      return false;
  return true;
}

/* The bucket with these values, or OMEN_NONE. */
static uint32_t
find_bucket (const omen_candidate_index *l, uint32_t newest, uint32_t event,
             omen_tid thread, const uint64_t *values)
{
  uint32_t binds = l->property->event[event].binds;
  for (; newest != OMEN_NONE; newest = l->buckets.data[newest].older) {
    const omen_candidate_bucket *bucket = &l->buckets.data[newest];
    if (bucket->event == event && bucket->thread == thread
        && same_values (binds, bucket->values, values))
      break;
  }
  return newest;
}

static void
add_occurrence (omen_candidate_index *l, const omen_occurrence *o,
                omen_tid thread, omen_eid e)
{
  uint32_t binds = l->property->event[o->event].binds;
  uint32_t *slot = omen_map_at (
      &l->by_hash, hash_of_bucket (o->event, thread, binds, o->values));
  uint32_t at = find_bucket (l, *slot, o->event, thread, o->values);
  const omen_model *m = l->model;
  omen_candidate_bucket *bucket;
  if (at == OMEN_NONE) {
    omen_candidate_bucket new
        = { .event = o->event, .thread = thread, .older = *slot };
    for (uint32_t rest = binds; rest; rest &= rest - 1) {
      uint32_t p = (uint32_t)__builtin_ctz (rest);
      new.values[p] = o->values[p];
    }
    new.set = m->set_of[e];
    new.same_locks = true;
    *slot = at = (uint32_t)l->buckets.count;
    OMEN_VEC_PUSH (l->buckets, new);
  }
  bucket = &l->buckets.data[at];
  OMEN_ASSERT (!bucket->list.count || OMEN_VEC_LAST (bucket->list) < e);
  bucket->same_locks
      &= m->sets[m->set_of[e]].locks == m->sets[bucket->set].locks;
  OMEN_VEC_PUSH (bucket->list, e);
}

void
omen_candidate_index_init (omen_candidate_index *l, const omen_model *model,
                           const omen_tracks *tracks,
                           const omen_property *property)
{
  const omen_ids *events = omen_tracks_events (tracks);
  *l = (omen_candidate_index){ .model = model, .property = property };
  omen_map_init (&l->by_hash);
  for (size_t i = 0; i < events->count; i++) {
    omen_eid e = events->data[i];
    uint32_t count;
    const omen_occurrence *at = omen_tracks_at (tracks, e, &count);
    l->doubles |= count > 1;
    for (uint32_t k = 0; k < count; k++)
      add_occurrence (l, &at[k], omen_model_thread (model, e), e);
  }
}

void
omen_candidate_index_fini (omen_candidate_index *l)
{
  for (size_t i = 0; i < l->buckets.count; i++)
    OMEN_VEC_FINI (l->buckets.data[i].list);
  OMEN_VEC_FINI (l->buckets);
  omen_map_fini (&l->by_hash);
}

const omen_candidate_bucket *
omen_candidate_index_find (const omen_candidate_index *l,
                           const omen_theta *theta, uint32_t event,
                           omen_tid thread)
{
  uint32_t binds = l->property->event[event].binds, at;
  OMEN_REQUIRE (thread < l->model->thread_count);
  if (binds & ~theta->set)
    return NULL;
  at = find_bucket (
      l,
      omen_map_get (&l->by_hash,
                    hash_of_bucket (event, thread, binds, theta->values)),
      event, thread, theta->values);
  return at == OMEN_NONE ? NULL : &l->buckets.data[at];
}
