/* Algorithm D with enable sets; the names of its steps are those of Chen and
   Rosu's papers on parametric monitoring. */
#include "monitor/slices.h"

#include <string.h>

/* ---- life ---- */

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
  if (s->engine == &omen_engine_table)
    s->automaton = s->formula->machine.words;
  if (!omen_plan_init (&s->plan, property, s->formula, memory)) {
    omen_plan_fini (&s->plan, memory);
    omen_memory_put (memory, s, sizeof *s);
    return NULL;
  }
  s->by_value.width = OMEN_VALUE_WIDTH;
  s->by_key.width = s->by_binding.width = 1;
  omen_pool_init (&s->objects, s->plan.object_size, &s->memory);
  omen_pool_init (&s->aways, s->plan.away_size, &s->memory);
  omen_pool_init (&s->instances, s->plan.instance_size, &s->memory);
  return s;
}

void
omen_slicer_free (omen_slicer *s)
{
  omen_memory memory;
  if (!s)
    return;
  memory = s->memory;
  if (!s->automaton)
    for (uint32_t i = omen_pool_from (&s->instances, 0); i != OMEN_NONE;
         i = omen_pool_from (&s->instances, i + 1)) {
      omen_instance *at = omen_instance_at (s, i);
      if (at->listed && !at->gone)
        s->engine->drop (&s->formula->machine, at->state, &s->memory);
    }
  omen_pool_fini (&s->objects);
  omen_pool_fini (&s->aways);
  omen_pool_fini (&s->instances);
  omen_slice_table *tables[] = { &s->by_value, &s->by_key, &s->by_binding };
  for (size_t i = 0; i < OMEN_COUNT (tables); i++)
    omen_memory_put (&s->memory, tables[i]->slots,
                     omen_table_bytes (tables[i]));
  omen_plan_fini (&s->plan, &memory);
  omen_memory_put (&memory, s, sizeof *s);
}

omen_slicer_counts
omen_slicer_count (const omen_slicer *s)
{
  return s->counts;
}

/* ---- making instances ---- */

/* Start from the state of `from`, or fresh. False: no memory. */
static bool
start_instance (omen_slicer *s, omen_instance *at, omen_instance *from)
{
  const omen_machine *machine = &s->formula->machine;
  at->created = from ? from->created : ++s->clock;
  at->dead = from ? from->dead : 0;
  if (!from) {
    omen_instance_unconnected (s, at);
    s->engine->start (machine, at->state);
    return true;
  }
  if (s->property->modifiers & OMEN_CONNECTED)
    *omen_instance_parts (s, at) = *omen_instance_parts (s, from);
  return s->engine->copy (machine, at->state, from->state, &s->memory);
}

/* Add the instance to lists and table. False: no memory, and it is in none. */
static bool
settle_instance (omen_slicer *s, uint32_t i)
{
  if (!omen_instance_link (s, i))
    return false;
  if (omen_instance_enter (s, i))
    return true;
  omen_instance_unlink (s, i);
  return false;
}

/* An instance for the binding, from the state of `source` or (OMEN_NONE) from
   the start. False: no memory. */
static bool
make_instance (omen_slicer *s, const omen_binding *b, uint32_t source)
{
  uint32_t i = omen_pool_get (&s->instances), *objects;
  omen_instance *at;
  if (i == OMEN_NONE)
    return false;
  at = omen_instance_at (s, i);
  at->set = (uint8_t)b->set;
  objects = omen_instance_objects (s, at);
  for (uint32_t rest = b->set; rest; rest &= rest - 1)
    objects[__builtin_ctz (rest)] = b->objects[__builtin_ctz (rest)];
  if (!start_instance (
          s, at, source == OMEN_NONE ? NULL : omen_instance_at (s, source))) {
    omen_pool_put (&s->instances, i);
    return false;
  }
  if (!settle_instance (s, i)) {
    s->engine->drop (&s->formula->machine, at->state, &s->memory);
    omen_pool_put (&s->instances, i);
    return false;
  }
  for (uint32_t rest = b->set; rest; rest &= rest - 1)
    omen_object_at (s, b->objects[__builtin_ctz (rest)])->holders++;
  s->counts.created++;
  s->counts.live++;
  return true;
}

/* Has the source missed an event of the binding's slice that is not idle for
   it? So if an event with a part of the binding that the source does not bind
   came since the source was made, or if there is an instance of such a part
   that is older. There is no instance of the binding itself. */
static bool
missed (omen_slicer *s, const omen_binding *b, const omen_instance *source)
{
  for (uint32_t set = b->set; set; set = (set - 1) & b->set) {
    const omen_slice_node *node = NULL;
    uint32_t instance = OMEN_NONE;
    if (!(set & ~source->set))
      continue;
    if (s->plan.lists[set] && !s->plan.idle[set * s->plan.sets + source->set])
      node = omen_node_find (s, b, set, false);
    if (node && node->disable > source->created)
      return true;
    if (set != b->set)
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
  return make_instance (s, &b, source);
}

/* Extend the instances of one set of parameters that agree with the event. */
static bool
extend_instances (omen_slicer *s, const omen_binding *event, uint32_t set)
{
  uint32_t key = set & event->set, list, i;
  const omen_slice_node *node;
  if (key == set) {
    i = omen_instance_find (s, event, set);
    return i == OMEN_NONE || omen_instance_at (s, i)->gone
           || define_to (s, event, i);
  }
  node = omen_node_find (s, event, key, false);
  if (!node)
    return true;
  list = omen_plan_join (&s->plan, key, set);
  OMEN_ASSERT (list);
  i = node->lists[list - 1].head;
  while (i) {
    uint32_t next = omen_instance_in (s, i - 1, key, list - 1)->next;
    if (!define_to (s, event, i - 1))
      return false;
    i = next;
  }
  return true;
}

/* Make a fresh instance, unless a smaller binding has one: then the slice has
   begun before. */
static bool
define_new (omen_slicer *s, const omen_binding *b)
{
  uint32_t set = b->set;
  while (set) {
    set = (set - 1) & b->set;
    if (omen_instance_find (s, b, set) != OMEN_NONE)
      return true;
  }
  return make_instance (s, b, OMEN_NONE);
}

static bool
create (omen_slicer *s, uint32_t event, const omen_binding *b)
{
  const omen_sources *sources = &s->formula->sources[event];
  for (uint32_t i = 0; i < sources->count; i++)
    if (b->set & ~sources->sets[i]
        && !extend_instances (s, b, sources->sets[i]))
      return false;
  OMEN_ASSERT (s->plan.makers >> event & 1);
  if (s->formula->creation >> event & 1
      && omen_instance_find (s, b, b->set) == OMEN_NONE)
    return define_new (s, b);
  return true;
}

/* ---- events ---- */

/* Is one of these occurrences in the instance's slice? */
static bool
instance_sees (omen_slicer *s, omen_instance *at, const omen_occurrence *all,
               uint32_t count)
{
  const uint32_t *objects = omen_instance_objects (s, at);
  bool any = false;
  for (uint32_t i = 0; i < count && !any; i++) {
    uint32_t binds = s->plan.binds[all[i].event];
    any = !(binds & ~at->set) && s->formula->listens >> all[i].event & 1;
    for (uint32_t rest = binds; any && rest; rest &= rest - 1) {
      uint32_t p = (uint32_t)__builtin_ctz (rest);
      any = omen_object_at (s, objects[p])->value == all[i].values[p];
    }
  }
  return any;
}

/* Most formulas are automata: a table lookup, without calls. */
static inline bool
step_instance (omen_slicer *s, uint32_t i, const omen_letter *letter,
               omen_report_sink sink, void *self)
{
  omen_instance *at = omen_instance_at (s, i);
  uint32_t verdict;
  if (OMEN_LIKELY (s->automaton && !letter->unknown
                   && !(at->state[0] & OMEN_TABLE_SET))) {
    at->state[0] = omen_table_next (s->automaton, at->state[0], letter->event,
                                    letter->predicates);
    verdict = omen_table_verdict (s->automaton, at->state[0]);
  } else {
    const omen_machine *machine = &s->formula->machine;
    if (!s->engine->step (machine, at->state, letter, &s->memory))
      return false;
    verdict = s->engine->verdict (machine, at->state);
  }
  s->counts.steps++;
  if (OMEN_UNLIKELY (verdict || s->property->modifiers & OMEN_CONNECTED))
    omen_instance_stepped (s, at, letter->event, verdict, sink, self);
  return true;
}

/* If the event before is in the instance's slice, too, the letter has the
   predicate `(.)`. */
static bool
step_beside (omen_slicer *s, uint32_t i, const omen_letter *letter,
             const omen_neighbours *beside, omen_report_sink sink, void *self)
{
  omen_instance *at = omen_instance_at (s, i);
  omen_letter with = *letter;
  if (instance_sees (s, at, beside->before, beside->befores)
      && !instance_sees (s, at, beside->same, beside->sames))
    with.predicates |= s->property->beside;
  return step_instance (s, i, &with, sink, self);
}

/* Step the node's own instance, and all above the node. Often the list has one
   instance only: then its link is not read. */
static bool
step_all (omen_slicer *s, const omen_slice_node *node,
          const omen_letter *letter, const omen_neighbours *beside,
          omen_report_sink sink, void *self)
{
  uint32_t key = node->set, i = node->lists[0].head;
  bool good = true;
  if (node->exact && !omen_instance_at (s, node->exact - 1)->gone)
    good = OMEN_LIKELY (!beside)
               ? step_instance (s, node->exact - 1, letter, sink, self)
               : step_beside (s, node->exact - 1, letter, beside, sink, self);
  while (i) {
    good = (OMEN_LIKELY (!beside)
                ? step_instance (s, i - 1, letter, sink, self)
                : step_beside (s, i - 1, letter, beside, sink, self))
           && good;
    if (i == node->lists[0].tail)
      break;
    i = omen_instance_in (s, i - 1, key, 0)->next;
  }
  return good;
}

/* The node of what the event binds; NULL: no memory. */
static omen_slice_node *
node_of_binding (omen_slicer *s, const omen_occurrence *o, omen_binding *b)
{
  b->set = s->plan.binds[o->event];
  for (uint32_t rest = b->set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    b->objects[p] = omen_object_find (s, o->values[p], true);
    if (OMEN_UNLIKELY (b->objects[p] == OMEN_NONE))
      return NULL;
  }
  return omen_node_find (s, b, b->set, true);
}

bool
omen_slicer_event (omen_slicer *s, const omen_occurrence *o,
                   omen_report_sink sink, void *self)
{
  omen_letter letter
      = { o->event, o->predicates, o->thread, o->apart, o->unknown };
  omen_binding b;
  omen_slice_node *node;
  bool good = true;
  OMEN_REQUIRE (o->event < s->property->events);
  if (!(s->formula->listens >> o->event & 1))
    return true;
  s->counts.events++;
  node = node_of_binding (s, o, &b);
  if (OMEN_UNLIKELY (!node))
    return false;
  if (!node->exact) {
    if (s->plan.makers >> o->event & 1)
      good = create (s, o->event, &b);
    node->disable = ++s->clock;
  }
  good = step_all (s, node, &letter, o->beside, sink, self) && good;
  OMEN_CHECK (omen_slicer_valid (s));
  return good;
}
