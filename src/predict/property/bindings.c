#include "predict/property/bindings.h"
#include "base/map.h"

/* An event of the property with its parameters' values; each is kept once. */
typedef struct instance_of {
  uint32_t event;
  omen_theta theta;
} instance_of;

typedef struct finder {
  const omen_property *property;
  const omen_formula *formula;
  OMEN_VEC (instance_of) events;
  omen_thetas all;
  omen_map by_hash; /* of events, and of all: newest entry with that hash */
  omen_ids older_events, older;
} finder;

static uint64_t
hash_theta (uint64_t hash, const omen_theta *theta)
{
  hash = omen_mix (hash, theta->set);
  for (uint32_t rest = theta->set; rest; rest &= rest - 1)
    hash = omen_mix (hash, theta->values[__builtin_ctz (rest)]);
  return hash >> 1;
}

static bool
same_theta (const omen_theta *a, const omen_theta *b)
{
  if (a->set != b->set)
    return false;
  for (uint32_t rest = a->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    if (a->values[p] != b->values[p])
      return false;
  }
  return true;
}

static void
add_event (finder *f, const omen_occurrence *o)
{
  instance_of new = { .event = o->event };
  uint32_t *slot;
  new.theta.set = f->property->event[o->event].binds;
  for (uint32_t rest = new.theta.set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    new.theta.values[p] = o->values[p];
  }
  slot = omen_map_at (&f->by_hash, hash_theta (o->event + 1, &new.theta));
  for (uint32_t i = *slot; i != OMEN_NONE; i = f->older_events.data[i])
    if (f->events.data[i].event == o->event
        && same_theta (&f->events.data[i].theta, &new.theta))
      return;
  OMEN_ASSERT (f->older_events.count == f->events.count);
  OMEN_VEC_PUSH (f->older_events, *slot);
  *slot = (uint32_t)f->events.count;
  OMEN_VEC_PUSH (f->events, new);
}

static void
add_theta (finder *f, omen_map *map, const omen_theta *theta)
{
  uint32_t *slot = omen_map_at (map, hash_theta (0, theta));
  for (uint32_t i = *slot; i != OMEN_NONE; i = f->older.data[i])
    if (same_theta (&f->all.data[i], theta))
      return;
  OMEN_ASSERT (f->older.count == f->all.count);
  OMEN_VEC_PUSH (f->older, *slot);
  *slot = (uint32_t)f->all.count;
  OMEN_VEC_PUSH (f->all, *theta);
}

static bool
has_source (const finder *f, uint32_t event, uint32_t set)
{
  const omen_sources *sources = &f->formula->sources[event];
  for (uint32_t i = 0; i < sources->count; i++)
    if (sources->sets[i] == set)
      return true;
  return false;
}

/* Join two bindings; false if they disagree. */
static bool
join_bindings (const omen_theta *a, const omen_theta *b, omen_theta *joined)
{
  *joined = *a;
  for (uint32_t rest = b->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    if (a->set >> p & 1 && a->values[p] != b->values[p])
      return false;
    joined->values[p] = b->values[p];
  }
  joined->set |= b->set;
  return true;
}

static bool
close_joins (finder *f, omen_map *map)
{
  for (size_t i = 0; i < f->all.count; i++)
    for (size_t k = 0; k < f->events.count; k++) {
      const instance_of *event = &f->events.data[k];
      omen_theta from = f->all.data[i], joined;
      if (f->all.count > OMEN_BINDINGS_MAX)
        return false;
      if (event->theta.set & ~from.set && has_source (f, event->event, from.set)
          && join_bindings (&from, &event->theta, &joined))
        add_theta (f, map, &joined);
    }
  return true;
}

bool
omen_property_bindings (const omen_tracks *tracks,
                        const omen_property *property, uint32_t formula,
                        omen_thetas *thetas)
{
  finder f = { .property = property, .formula = &property->formula[formula] };
  omen_map map;
  bool all;
  OMEN_REQUIRE (formula < property->formulas && !thetas->count);
  omen_map_init (&f.by_hash);
  omen_map_init (&map);
  const omen_ids *events = omen_tracks_events (tracks);
  for (size_t i = 0; i < events->count; i++) {
    uint32_t count;
    const omen_occurrence *seen
        = omen_tracks_at (tracks, events->data[i], &count);
    for (uint32_t k = 0; k < count; k++)
      add_event (&f, &seen[k]);
  }
  for (size_t i = 0; i < f.events.count; i++)
    if (f.formula->creation >> f.events.data[i].event & 1)
      add_theta (&f, &map, &f.events.data[i].theta);
  all = close_joins (&f, &map);
  uint32_t whole = (1u << f.property->parameters) - 1;
  for (size_t i = 0; i < f.all.count; i++)
    if (!(f.property->modifiers & OMEN_FULL_BINDING)
        || f.all.data[i].set == whole)
      OMEN_VEC_PUSH (*thetas, f.all.data[i]);
  OMEN_VEC_FINI (f.events);
  OMEN_VEC_FINI (f.all);
  OMEN_VEC_FINI (f.older_events);
  OMEN_VEC_FINI (f.older);
  omen_map_fini (&f.by_hash);
  omen_map_fini (&map);
  return all;
}
