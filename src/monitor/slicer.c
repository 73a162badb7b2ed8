/* Algorithm D with enable sets; the names of its steps are those of Chen and
   Rosu's papers on parametric monitoring. */
#include "monitor/slices.h"

#include <string.h>

/* ---- life ---- */

static void
tables_fini (omen_slicer *s)
{
  omen_table *tables[] = { &s->by_value, &s->by_key, &s->by_binding };
  for (size_t i = 0; i < OMEN_COUNT (tables); i++)
    omen_memory_put (&s->memory, tables[i]->slots,
                     ((size_t)tables[i]->mask + 1)
                         * sizeof *tables[i]->slots);
}

omen_slicer *
omen_slicer_new (const omen_property *property, uint32_t formula,
                 const omen_memory *memory)
{
  omen_slicer *s = omen_memory_get (memory, sizeof *s);
  OMEN_REQUIRE (formula < property->formulas);
  if (!s)
    return NULL;
  memset (s, 0, sizeof *s);
  s->property = property;
  s->formula = &property->formula[formula];
  s->engine = s->formula->machine.engine;
  s->memory = *memory;
  if (!omen_plan_init (&s->plan, property, s->formula, memory)) {
    omen_plan_fini (&s->plan, memory);
    omen_memory_put (memory, s, sizeof *s);
    return NULL;
  }
  omen_pool_init (&s->objects, sizeof (omen_object), &s->memory);
  omen_pool_init (&s->nodes, s->plan.node_size, &s->memory);
  omen_pool_init (&s->instances, s->plan.instance_size, &s->memory);
  return s;
}

/* All instances, those that went too. */
static void
each_instance (const omen_slicer *s,
               void (*see) (omen_slicer *s, uint32_t instance, void *self),
               void *self)
{
  for (uint32_t i = 0; s->by_binding.slots && i <= s->by_binding.mask; i++)
    for (uint32_t at = s->by_binding.slots[i]; at;
         at = omen_instance_at (s, at - 1)->chain)
      see ((omen_slicer *)s, at - 1, self);
}

static void
drop_state (omen_slicer *s, uint32_t i, void *unused)
{
  omen_instance *at = omen_instance_at (s, i);
  (void)unused;
  if (!at->gone)
    s->engine->drop (&s->formula->machine, omen_instance_state (s, at),
                     &s->memory);
}

void
omen_slicer_free (omen_slicer *s)
{
  omen_memory memory;
  if (!s)
    return;
  memory = s->memory;
  each_instance (s, drop_state, NULL);
  omen_pool_fini (&s->objects);
  omen_pool_fini (&s->nodes);
  omen_pool_fini (&s->instances);
  tables_fini (s);
  omen_plan_fini (&s->plan, &memory);
  omen_memory_put (&memory, s, sizeof *s);
}

omen_slicer_counts
omen_slicer_count (const omen_slicer *s)
{
  return s->counts;
}

/* ---- reports ---- */

/* Components of parameters that events connect: each begins as its own. */
static uint64_t
own_parts (void)
{
  uint64_t parts = 0;
  for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++)
    parts |= (uint64_t)p << 4 * p;
  return parts;
}

static uint32_t
part_of (uint64_t parts, uint32_t parameter)
{
  return parts >> 4 * parameter & 15;
}

static void
connect (omen_instance *at, uint32_t binds)
{
  uint32_t first = binds ? part_of (at->parts, __builtin_ctz (binds)) : 0;
  for (uint32_t rest = binds; rest; rest &= rest - 1) {
    uint32_t other = part_of (at->parts, __builtin_ctz (rest));
    for (uint32_t p = 0; p < OMEN_PARAMETERS_MAX; p++)
      if (part_of (at->parts, p) == other)
        at->parts = (at->parts & ~((uint64_t)15 << 4 * p))
                    | (uint64_t)first << 4 * p;
  }
}

static bool
is_connected (const omen_instance *at)
{
  uint32_t first = at->set ? part_of (at->parts, __builtin_ctz (at->set)) : 0;
  for (uint32_t rest = at->set; rest; rest &= rest - 1)
    if (part_of (at->parts, __builtin_ctz (rest)) != first)
      return false;
  return true;
}

static bool
may_report (const omen_slicer *s, const omen_instance *at)
{
  unsigned modifiers = s->property->modifiers;
  if (modifiers & OMEN_FULL_BINDING
      && at->set != (1u << s->property->parameters) - 1)
    return false;
  return !(modifiers & OMEN_CONNECTED) || is_connected (at);
}

static void
values_of (const omen_slicer *s, omen_instance *at, uint64_t *values)
{
  const uint32_t *objects = omen_instance_objects (s, at);
  for (uint32_t rest = at->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    values[p] = omen_object_at (s, objects[p])->value;
  }
}

static void
report (omen_slicer *s, omen_instance *at, uint32_t verdict,
        omen_report_sink sink, void *self)
{
  uint64_t values[OMEN_PARAMETERS_MAX] = { 0 };
  omen_report r = { verdict, at->set, values };
  void *state = omen_instance_state (s, at);
  values_of (s, at, values);
  s->counts.reports++;
  if (sink (self, &r)) {
    s->engine->drop (&s->formula->machine, state, &s->memory);
    s->engine->start (&s->formula->machine, state);
  }
}

typedef struct viewer {
  void (*see) (void *self, const omen_report *instance);
  void *self;
} viewer;

static void
show (omen_slicer *s, uint32_t i, void *self)
{
  const viewer *v = self;
  omen_instance *at = omen_instance_at (s, i);
  uint64_t values[OMEN_PARAMETERS_MAX] = { 0 };
  omen_report r = { 0, at->set, values };
  if (at->gone)
    return;
  r.categories = s->engine->verdict (&s->formula->machine,
                                     omen_instance_state (s, at));
  values_of (s, at, values);
  v->see (v->self, &r);
}

void
omen_slicer_each (const omen_slicer *s,
                  void (*see) (void *self, const omen_report *instance),
                  void *self)
{
  viewer v = { see, self };
  each_instance (s, show, &v);
}

/* ---- making instances ---- */

/* An instance for the binding, from the state of `source` or (OMEN_NONE) from
   the start. False: no memory. */
static bool
make (omen_slicer *s, const omen_binding *b, uint32_t source)
{
  const omen_machine *machine = &s->formula->machine;
  uint32_t i = omen_pool_get (&s->instances);
  omen_instance *at, *from = NULL;
  if (i == OMEN_NONE)
    return false;
  at = omen_instance_at (s, i);
  if (source != OMEN_NONE)
    from = omen_instance_at (s, source);
  at->set = (uint8_t)b->set;
  at->created = from ? from->created : ++s->clock;
  at->parts = from ? from->parts : own_parts ();
  at->dead = from ? from->dead : 0;
  memcpy (omen_instance_objects (s, at), b->objects,
          s->property->parameters * sizeof *b->objects);
  if (!from)
    s->engine->start (machine, omen_instance_state (s, at));
  else if (!s->engine->copy (machine, omen_instance_state (s, at),
                             omen_instance_state (s, from), &s->memory)) {
    omen_pool_put (&s->instances, i);
    return false;
  }
  if (!omen_instance_link (s, i)) {
    s->engine->drop (machine, omen_instance_state (s, at), &s->memory);
    omen_pool_put (&s->instances, i);
    return false;
  }
  if (!omen_instance_enter (s, i)) {
    omen_instance_unlink (s, i);
    s->engine->drop (machine, omen_instance_state (s, at), &s->memory);
    omen_pool_put (&s->instances, i);
    return false;
  }
  for (uint32_t rest = b->set; rest; rest &= rest - 1)
    omen_object_at (s, b->objects[__builtin_ctz (rest)])->holders++;
  s->counts.created++;
  s->counts.live++;
  return true;
}

/* Has an event with less than the binding, but not less than the source's, been
   seen since the source was made, or was an instance of it made before? Then
   the source has missed something, unless such events are idle for it. */
static bool
missed (omen_slicer *s, const omen_binding *b, const omen_instance *source)
{
  for (uint32_t set = b->set; set; set = (set - 1) & b->set) {
    uint32_t node = OMEN_NONE, instance;
    if (!(set & ~source->set))
      continue;
    if (s->plan.lists[set])
      node = omen_node_find (s, b, set, false);
    if (node != OMEN_NONE
        && omen_node_at (s, node)->disable > source->created
        && !s->plan.idle[set * s->plan.sets + source->set])
      return true;
    if (!s->plan.possible[set])
      continue;
    instance = omen_instance_find (s, b, set);
    if (instance != OMEN_NONE
        && omen_instance_at (s, instance)->created < source->created)
      return true;
  }
  return false;
}

/* Join the event's binding with the source's; false: no memory. */
static bool
define_to (omen_slicer *s, const omen_binding *event, uint32_t source)
{
  omen_binding b;
  omen_binding_of (s, source, &b);
  for (uint32_t rest = event->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    b.objects[p] = event->objects[p];
  }
  b.set |= event->set;
  if (omen_instance_find (s, &b, b.set) != OMEN_NONE
      || missed (s, &b, omen_instance_at (s, source)))
    return true;
  return make (s, &b, source);
}

/* From the instances of one set of parameters that agree with the event. */
static bool
extend (omen_slicer *s, const omen_binding *event, uint32_t set)
{
  uint32_t key = set & event->set, node, list, i;
  if (key == set) {
    i = omen_instance_find (s, event, set);
    return i == OMEN_NONE || omen_instance_at (s, i)->gone
           || define_to (s, event, i);
  }
  node = omen_node_find (s, event, key, false);
  if (node == OMEN_NONE)
    return true;
  list = omen_plan_join (&s->plan, key, set);
  OMEN_ASSERT (list);
  i = omen_node_lists (s, omen_node_at (s, node))[list - 1].head;
  while (i) {
    uint32_t next = omen_instance_in (s, i - 1, key, list - 1)->next;
    if (!define_to (s, event, i - 1))
      return false;
    i = next;
  }
  return true;
}

/* A fresh one, unless its slice has begun with less. */
static bool
define_new (omen_slicer *s, const omen_binding *b)
{
  uint32_t set = b->set;
  while (set) {
    set = (set - 1) & b->set;
    if (s->plan.possible[set]
        && omen_instance_find (s, b, set) != OMEN_NONE)
      return true;
  }
  return make (s, b, OMEN_NONE);
}

static bool
create (omen_slicer *s, uint32_t event, const omen_binding *b)
{
  const omen_sources *sources = &s->formula->sources[event];
  for (uint32_t i = 0; i < sources->count; i++)
    if (b->set & ~sources->sets[i] && !extend (s, b, sources->sets[i]))
      return false;
  if (s->formula->creation >> event & 1
      && omen_instance_find (s, b, b->set) == OMEN_NONE)
    return define_new (s, b);
  return true;
}

/* ---- events ---- */

static bool
step (omen_slicer *s, uint32_t i, const omen_letter *letter,
      omen_report_sink sink, void *self)
{
  const omen_machine *machine = &s->formula->machine;
  omen_instance *at = omen_instance_at (s, i);
  void *state = omen_instance_state (s, at);
  uint32_t verdict;
  if (!s->engine->step (machine, state, letter, &s->memory))
    return false;
  s->counts.steps++;
  if (s->property->modifiers & OMEN_CONNECTED)
    connect (at, s->property->event[letter->event].binds);
  verdict = s->engine->verdict (machine, state);
  if (verdict && may_report (s, at))
    report (s, at, verdict, sink, self);
  return true;
}

static bool
step_all (omen_slicer *s, uint32_t node, const omen_letter *letter,
          omen_report_sink sink, void *self)
{
  omen_node *at = omen_node_at (s, node);
  uint32_t key = at->set, i = omen_node_lists (s, at)[0].head;
  bool good = true;
  if (at->exact && !omen_instance_at (s, at->exact - 1)->gone)
    good = step (s, at->exact - 1, letter, sink, self);
  while (i) {
    good = step (s, i - 1, letter, sink, self) && good;
    i = omen_instance_in (s, i - 1, key, 0)->next;
  }
  return good;
}

static bool
bind (omen_slicer *s, const omen_occurrence *o, omen_binding *b)
{
  b->set = s->property->event[o->event].binds;
  for (uint32_t rest = b->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    b->objects[p] = omen_object_find (s, o->values[p], true);
    if (b->objects[p] == OMEN_NONE)
      return false;
  }
  return true;
}

bool
omen_slicer_event (omen_slicer *s, const omen_occurrence *o,
                   omen_report_sink sink, void *self)
{
  omen_letter letter = { o->event, o->predicates, o->thread };
  omen_binding b;
  uint32_t node;
  bool good = true;
  OMEN_REQUIRE (o->event < s->property->events);
  if (!(s->formula->listens >> o->event & 1))
    return true;
  s->counts.events++;
  if (!bind (s, o, &b))
    return false;
  node = omen_node_find (s, &b, b.set, true);
  if (node == OMEN_NONE)
    return false;
  if (!omen_node_at (s, node)->exact) {
    good = create (s, o->event, &b);
    omen_node_at (s, node)->disable = ++s->clock;
  }
  return step_all (s, node, &letter, sink, self) && good;
}
