/* Algorithm D (monitor/slicer.h) for one binding: the effect of an occurrence
   on the instances that bind a part of it. */
#include "predict/property/states.h"

/* ---- instances ---- */

/* Are the generations `age` of the parameters of `set` those of `like` where it
   binds them, else the current ones? */
static bool
same_ages (const omen_scene *s, uint32_t set, const uint32_t *age,
           const omen_part *like)
{
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    if (age[p] != (like && like->set >> p & 1 ? like->age[p] : s->deaths[p]))
      return false;
  }
  return true;
}

/* The instance that binds `set`, in the generations of `like` (NULL: the
   current ones), or NULL. */
static omen_part *
find_part (omen_scene *s, uint32_t set, const omen_part *like)
{
  for (size_t i = 0; i < s->parts.count; i++)
    if (s->parts.data[i].set == set
        && same_ages (s, set, s->parts.data[i].age, like))
      return &s->parts.data[i];
  return NULL;
}

static omen_binding_note *
find_note (omen_scene *s, uint32_t set, const omen_part *like)
{
  for (size_t i = 0; i < s->notes.count; i++)
    if (s->notes.data[i].set == set
        && same_ages (s, set, s->notes.data[i].age, like))
      return &s->notes.data[i];
  return NULL;
}

static void
make_part (omen_tracks *t, omen_scene *s, uint32_t set, const omen_part *source)
{
  omen_part new = { 0 };
  if (source)
    new = *source;
  else {
    new.created = ++s->clock;
    new.machine = omen_machine_start (t);
    for (uint8_t p = 0; p < OMEN_PARAMETERS_MAX; p++)
      new.joined[p] = p;
  }
  for (uint32_t rest = set & ~new.set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    new.age[p] = s->deaths[p];
  }
  new.set = set;
  OMEN_ASSERT (!(set & ~t->bindings.data[s->binding].set));
  OMEN_ASSERT (!source || !(source->set & ~set));
  OMEN_VEC_PUSH (s->parts, new);
}

/* Did the source's binding miss an event of the larger set? See slicer.c. */
static bool
missed (omen_scene *s, uint32_t set, const omen_part *source)
{
  for (uint32_t sub = set; sub; sub = (sub - 1) & set) {
    const omen_part *other;
    const omen_binding_note *seen;
    if (!(sub & ~source->set))
      continue;
    seen = find_note (s, sub, source);
    other = find_part (s, sub, source);
    if ((seen && seen->time > source->created)
        || (other && other->created < source->created))
      return true;
  }
  return false;
}

static void
join_parts (omen_tracks *t, omen_scene *s, uint32_t set, uint32_t binds)
{
  size_t count = s->parts.count;
  for (size_t i = 0; i < count; i++) {
    omen_part source = s->parts.data[i];
    if (source.set == set && same_ages (s, set & binds, source.age, NULL)
        && !find_part (s, set | binds, &source)
        && !missed (s, set | binds, &source))
      make_part (t, s, set | binds, &source);
  }
}

static void
create (omen_tracks *t, omen_scene *s, uint32_t event)
{
  uint32_t binds = t->property->event[event].binds, sub = binds;
  const omen_sources *sources = &t->formula->sources[event];
  uint32_t whole = t->bindings.data[s->binding].set;
  for (uint32_t i = 0; i < sources->count; i++)
    if (binds & ~sources->sets[i] && !(sources->sets[i] & ~whole))
      join_parts (t, s, sources->sets[i], binds);
  if (!(t->formula->creation >> event & 1) || find_part (s, binds, NULL))
    return;
  while (sub) {
    sub = (sub - 1) & binds;
    if (find_part (s, sub, NULL))
      return;
  }
  make_part (t, s, binds, NULL);
}

/* ---- steps ---- */

static void
connect (omen_part *at, uint32_t binds)
{
  uint8_t first = binds ? at->joined[__builtin_ctz (binds)] : 0;
  for (uint32_t rest = binds; rest; rest &= rest - 1) {
    uint8_t other = at->joined[__builtin_ctz (rest)];
    for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++)
      if (at->joined[p] == other)
        at->joined[p] = first;
  }
}

static bool
may_report (const omen_tracks *t, const omen_part *at)
{
  unsigned modifiers = t->property->modifiers;
  uint8_t first = at->set ? at->joined[__builtin_ctz (at->set)] : 0;
  if (modifiers & OMEN_FULL_BINDING
      && at->set != (1u << t->property->parameters) - 1)
    return false;
  for (uint32_t rest = at->set; modifiers & OMEN_CONNECTED && rest;
       rest &= rest - 1)
    if (at->joined[__builtin_ctz (rest)] != first)
      return false;
  return true;
}

static void
step_part (omen_tracks *t, omen_scene *s, omen_part *at,
           const omen_letter *letter)
{
  uint32_t verdict;
  at->machine = omen_machine_step (t, at->machine, letter, &verdict);
  if (t->property->modifiers & OMEN_CONNECTED)
    connect (at, t->property->event[letter->event].binds);
  if (!verdict || !may_report (t, at))
    return;
  OMEN_ASSERT (verdict < UINT64_C (1) << t->formula->categories);
  if (at->set == t->bindings.data[s->binding].set)
    s->landed |= verdict;
  if (verdict & t->formula->resets)
    at->machine = omen_machine_start (t);
}

static void
take_note (omen_scene *s, uint32_t binds)
{
  omen_binding_note *at = find_note (s, binds, NULL);
  omen_binding_note new = { .set = binds, .time = ++s->clock };
  for (uint32_t rest = binds; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    new.age[p] = s->deaths[p];
  }
  if (at)
    *at = new;
  else
    OMEN_VEC_PUSH (s->notes, new);
}

void
omen_scene_occur (omen_tracks *t, omen_scene *s, const omen_occurrence *o)
{
  uint32_t binds = t->property->event[o->event].binds;
  omen_letter letter
      = { o->event, o->predicates, o->thread, o->apart, o->unknown };
  OMEN_REQUIRE (!(binds & ~t->bindings.data[s->binding].set));
  if (!find_part (s, binds, NULL)) {
    create (t, s, o->event);
    take_note (s, binds);
  }
  for (size_t i = 0; i < s->parts.count; i++)
    if (!(binds & ~s->parts.data[i].set)
        && same_ages (s, binds, s->parts.data[i].age, NULL))
      step_part (t, s, &s->parts.data[i], &letter);
}

void
omen_scene_die (const omen_tracks *t, omen_scene *s, uint64_t value)
{
  const omen_theta *theta = &t->bindings.data[s->binding];
  for (uint32_t rest = theta->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    s->deaths[p] += theta->values[p] == value;
  }
}
