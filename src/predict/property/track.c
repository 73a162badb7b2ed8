#include "predict/property/states.h"
#include "monitor/threads.h"
#include "monitor/heap.h"

#include <string.h>

/* ---- what events are ---- */

/* Do all values that the occurrence binds agree with theta? */
static bool
theta_covers (const omen_tracks *t, const omen_theta *theta,
              const omen_occurrence *o)
{
  uint32_t binds = t->property->event[o->event].binds;
  if (binds & ~theta->set)
    return false;
  for (uint32_t rest = binds; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    if (theta->values[p] != o->values[p])
      return false;
  }
  return true;
}

static bool
binds_value (const omen_theta *theta, uint64_t value)
{
  for (uint32_t rest = theta->set; rest; rest &= rest - 1)
    if (theta->values[__builtin_ctz (rest)] == value)
      return true;
  return false;
}

bool
omen_tracks_sees (const omen_tracks *t, const omen_theta *theta, omen_eid e)
{
  const omen_glance *g;
  OMEN_REQUIRE (e < t->number.count);
  if (t->number.data[e] == OMEN_NONE)
    return false;
  g = &t->glances.data[t->number.data[e]];
  if (g->writes)
    return true;
  for (uint32_t i = g[0].occurrences; i < g[1].occurrences; i++)
    if (theta_covers (t, theta, &t->occurrences.data[i]))
      return true;
  for (uint32_t i = g[0].dead; i < g[1].dead; i++)
    if (binds_value (theta, t->dead.data[i]))
      return true;
  return false;
}

static bool
waits_for_nobody (const omen_event *event)
{
  return omen_kind_class (event->kind) != OMEN_CLASS_SYNC
         && event->kind != OMEN_ALLOC && event->kind != OMEN_EXTERNAL;
}

bool
omen_tracks_parallel (const omen_tracks *t, omen_eid a, omen_eid b)
{
  const omen_model *m = t->model;
  const omen_event *x = omen_model_event (m, a), *y = omen_model_event (m, b);
  return x->thread != y->thread && waits_for_nobody (x) && waits_for_nobody (y)
         && !omen_model_sets_exclude (m, m->set_of[a], m->set_of[b]);
}

bool
omen_tracks_asks_parallel (const omen_tracks *t)
{
  return t->property->beside || omen_threads_parallel (&t->formula->machine);
}

uint32_t
omen_tracks_step (omen_tracks *t, uint32_t state, omen_eid e, omen_eid last)
{
  omen_scene *s = &t->scene;
  const omen_glance *g;
  uint32_t predicates = 0, unknown = 0;
  bool apart = last == OMEN_NONE || !omen_tracks_parallel (t, last, e);
  OMEN_REQUIRE (state < t->states.count && e < t->number.count);
  if (t->number.data[e] == OMEN_NONE)
    return state;
  g = &t->glances.data[t->number.data[e]];
  omen_scene_unpack (t, state, s);
  s->landed = 0;
  s->watched = omen_tracks_watch (t, s->watched, e);
  if (t->property->predicates)
    predicates = omen_watched_holds (t->observer, &t->watched.data[s->watched],
                                     &unknown);
  for (uint32_t i = g[0].occurrences; i < g[1].occurrences; i++) {
    omen_occurrence o = t->occurrences.data[i];
    o.predicates = predicates | (apart ? 0 : t->property->beside);
    o.unknown = unknown;
    o.apart = apart;
    if (!theta_covers (t, &t->bindings.data[s->binding], &o))
      continue;
    omen_scene_occur (t, s, &o);
    apart = true; /* its further occurrences are not parallel */
  }
  for (uint32_t i = g[0].dead; i < g[1].dead; i++)
    omen_scene_die (t, s, t->dead.data[i]);
  return omen_scene_pack (t, s);
}

const uint8_t *
omen_tracks_loose (const omen_tracks *t)
{
  return t->loose;
}

const omen_ids *
omen_tracks_events (const omen_tracks *t)
{
  return &t->events;
}

const omen_occurrence *
omen_tracks_at (const omen_tracks *t, omen_eid e, uint32_t *count)
{
  const omen_glance *g;
  OMEN_REQUIRE (e < t->number.count);
  *count = 0;
  if (t->number.data[e] == OMEN_NONE)
    return NULL;
  g = &t->glances.data[t->number.data[e]];
  *count = g[1].occurrences - g[0].occurrences;
  return t->occurrences.data + g[0].occurrences;
}

uint32_t
omen_tracks_binds (const omen_tracks *t, const omen_occurrence *o)
{
  return t->property->event[o->event].binds;
}

const uint64_t *
omen_tracks_dead (const omen_tracks *t, omen_eid e, uint32_t *count)
{
  const omen_glance *g;
  OMEN_REQUIRE (e < t->number.count);
  *count = 0;
  if (t->number.data[e] == OMEN_NONE)
    return NULL;
  g = &t->glances.data[t->number.data[e]];
  *count = g[1].dead - g[0].dead;
  return t->dead.data + g[0].dead;
}

bool
omen_tracks_writes (const omen_tracks *t, omen_eid e)
{
  OMEN_REQUIRE (e < t->number.count);
  return t->number.data[e] != OMEN_NONE
         && t->glances.data[t->number.data[e]].writes;
}

/* ---- life ---- */

static void
glance_at (omen_tracks *t, omen_eid e)
{
  omen_occurrence seen[OMEN_EVENTS_MAX];
  uint64_t dead[OMEN_DEAD_MAX];
  uint32_t count = omen_observe (t->observer, e, NULL, seen);
  omen_glance g = { (uint32_t)t->occurrences.count, (uint32_t)t->dead.count,
                    omen_watched_written (t->observer, e) };
  for (uint32_t i = 0; i < count; i++)
    if (t->formula->listens >> seen[i].event & 1)
      OMEN_VEC_PUSH (t->occurrences, seen[i]);
  count
      = t->property->parameters ? omen_observe_dead (t->observer, e, dead) : 0;
  for (uint32_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (t->dead, dead[i]);
  if (g.occurrences == t->occurrences.count && g.dead == t->dead.count
      && !g.writes) {
    OMEN_VEC_PUSH (t->number, OMEN_NONE);
    return;
  }
  OMEN_ASSERT (t->events.count == t->glances.count);
  OMEN_VEC_PUSH (t->number, (uint32_t)t->events.count);
  OMEN_VEC_PUSH (t->events, e);
  OMEN_VEC_PUSH (t->glances, g);
}

omen_tracks *
omen_tracks_new (const omen_model *model, omen_observer *observer,
                 const omen_property *property, uint32_t formula)
{
  omen_tracks *t = omen_zalloc (1, sizeof *t);
  omen_watched start;
  OMEN_REQUIRE (formula < property->formulas);
  t->model = model;
  t->observer = observer;
  t->property = property;
  t->formula = &property->formula[formula];
  t->engine = t->formula->machine.engine;
  t->machine_bytes = t->engine->state_bytes (&t->formula->machine);
  t->machine = omen_alloc (t->machine_bytes);
  omen_map_init (&t->machines_by_hash);
  omen_map_init (&t->by_hash);
  omen_watched_init (observer, &start);
  OMEN_VEC_PUSH (t->watched, start);
  t->watched_count = omen_watched_count (observer);
  t->loose = omen_zalloc (model->event_count + 1, 1);
  for (omen_eid e = 0; e < model->event_count; e++) {
    unsigned kind = omen_model_event (model, e)->kind;
    glance_at (t, e);
    t->loose[e] = t->number.data[e] != OMEN_NONE && omen_kind_reads (kind)
                  && !omen_kind_writes (kind)
                  && !omen_observer_needs_value (observer, e);
  }
  OMEN_VEC_PUSH (t->glances, ((omen_glance){ (uint32_t)t->occurrences.count,
                                             (uint32_t)t->dead.count, false }));
  return t;
}

void
omen_tracks_free (omen_tracks *t)
{
  if (!t)
    return;
  for (size_t i = 0; i < t->machines.count; i++) {
    t->engine->drop (&t->formula->machine, t->machines.data[i], &omen_heap);
    omen_free (t->machines.data[i]);
  }
  for (size_t i = 0; i < t->watched.count; i++)
    omen_watched_fini (&t->watched.data[i]);
  OMEN_VEC_FINI (t->events);
  OMEN_VEC_FINI (t->number);
  OMEN_VEC_FINI (t->glances);
  OMEN_VEC_FINI (t->occurrences);
  OMEN_VEC_FINI (t->dead);
  OMEN_VEC_FINI (t->bindings);
  OMEN_VEC_FINI (t->machines);
  OMEN_VEC_FINI (t->machines_older);
  OMEN_VEC_FINI (t->watched);
  OMEN_VEC_FINI (t->states);
  OMEN_VEC_FINI (t->words);
  OMEN_VEC_FINI (t->older);
  OMEN_VEC_FINI (t->packed);
  OMEN_VEC_FINI (t->scene.parts);
  OMEN_VEC_FINI (t->scene.notes);
  omen_map_fini (&t->machines_by_hash);
  omen_map_fini (&t->by_hash);
  omen_free (t->machine);
  omen_free (t->loose);
  omen_free (t);
}

uint32_t
omen_tracks_start (omen_tracks *t, const omen_theta *theta)
{
  omen_scene *s = &t->scene;
  OMEN_VEC_PUSH (t->bindings, *theta);
  OMEN_VEC_CLEAR (s->parts);
  OMEN_VEC_CLEAR (s->notes);
  s->binding = (uint32_t)t->bindings.count - 1;
  s->watched = s->landed = s->clock = 0;
  memset (s->deaths, 0, sizeof s->deaths);
  return omen_scene_pack (t, s);
}

uint32_t
omen_tracks_landed (const omen_tracks *t, uint32_t state)
{
  OMEN_REQUIRE (state < t->states.count);
  return t->words.data[t->states.data[state].first + 2];
}

uint32_t
omen_tracks_binding (const omen_tracks *t, uint32_t state)
{
  OMEN_REQUIRE (state < t->states.count);
  return t->words.data[t->states.data[state].first];
}
