/* Objects that die, and instances that are collected because of them.

   An instance is collected when its machine cannot reach a category any more by
   events that bind none of its dead objects. It leaves all lists, but its
   binding is kept, as a ghost, while other instances bind the same dead object:
   they must still be able to find that it existed before them. */
#include "monitor/slices.h"

static void release_object (omen_slicer *s, uint32_t object);

/* Is the object also bound to a parameter of the set above p? */
static bool
again (const omen_binding *b, uint32_t p)
{
  for (uint32_t q = p + 1; q < OMEN_PARAMETERS_MAX; q++)
    if (b->set >> q & 1 && b->objects[q] == b->objects[p])
      return true;
  return false;
}

/* Free a ghost, which the caller has taken off its object's list. The objects
   that it binds are released one by one: that may free other ghosts. */
static void
forget_ghost (omen_slicer *s, uint32_t i)
{
  omen_binding b;
  omen_binding_of (s, i, &b);
  omen_instance_leave (s, i);
  omen_pool_put (&s->instances, i);
  for (uint32_t rest = b.set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    omen_object *o = omen_object_at (s, b.objects[p]);
    OMEN_ASSERT (o->ghost_holders > 0);
    o->ghost_holders--;
    if (!again (&b, p))
      release_object (s, b.objects[p]);
  }
}

/* The list of an object's ghosts is linked through their states, which they do
   not need any more. */
static uint32_t *
ghost_next (const omen_slicer *s, uint32_t i)
{
  OMEN_ASSERT (omen_instance_at (s, i)->gone);
  return (uint32_t *)omen_instance_at (s, i)->state;
}

/* Free a dead object that no instance binds, with its nodes and ghosts. */
static void
release_object (omen_slicer *s, uint32_t object)
{
  omen_object *o = omen_object_at (s, object);
  uint32_t ghosts = o->ghosts;
  if (!o->dead || o->holders)
    return;
  omen_nodes_remove (s, object);
  o->ghosts = 0;
  o->ghost_holders++; /* keeps the object while its ghosts are freed */
  while (ghosts) {
    uint32_t i = ghosts - 1;
    ghosts = *ghost_next (s, i);
    forget_ghost (s, i);
  }
  if (!--o->ghost_holders)
    omen_pool_put (&s->objects, object);
}

static void
become_ghost (omen_slicer *s, uint32_t i, uint32_t object)
{
  omen_instance *at = omen_instance_at (s, i);
  omen_object *o = omen_object_at (s, object);
  omen_binding b;
  omen_binding_of (s, i, &b);
  omen_instance_unlink (s, i);
  s->engine->drop (&s->formula->machine, at->state, &s->memory);
  at->gone = true;
  for (uint32_t rest = b.set; rest; rest &= rest - 1) {
    omen_object *held = omen_object_at (s, b.objects[__builtin_ctz (rest)]);
    OMEN_ASSERT (held->holders > 0);
    held->holders--;
    held->ghost_holders++;
  }
  *ghost_next (s, i) = o->ghosts;
  o->ghosts = i + 1;
  s->counts.live--;
  s->counts.collected++;
  for (uint32_t rest = b.set; rest; rest &= rest - 1) {
    uint32_t p = (uint32_t)__builtin_ctz (rest);
    if (b.objects[p] != object && !again (&b, p))
      release_object (s, b.objects[p]);
  }
}

/* The object is dead for the instance: collect it if it cannot reach a category
   any more. */
static void
bereave (omen_slicer *s, uint32_t i, uint32_t object)
{
  omen_instance *at = omen_instance_at (s, i);
  const uint32_t *objects = omen_instance_objects (s, at);
  for (uint32_t p = 0; p < s->property->parameters; p++)
    if (at->set >> p & 1 && objects[p] == object)
      at->dead |= (uint8_t)(1u << p);
  if (!s->engine->can_land (&s->formula->machine, at->state, at->dead))
    become_ghost (s, i, object);
}

static void
bereave_all (omen_slicer *s, uint32_t object, uint32_t parameter)
{
  omen_binding b = { .set = 1u << parameter };
  omen_slice_node *node;
  uint32_t i;
  b.objects[parameter] = object;
  node = omen_node_find (s, &b, b.set, false);
  if (!node)
    return;
  if (node->exact && !omen_instance_at (s, node->exact - 1)->gone)
    bereave (s, node->exact - 1, object);
  i = node->lists[0].head;
  while (i) {
    uint32_t next = omen_instance_in (s, i - 1, b.set, 0)->next;
    bereave (s, i - 1, object);
    i = next;
  }
}

void
omen_slicer_dead (omen_slicer *s, uint64_t value)
{
  uint32_t object = omen_object_find (s, value, false);
  if (object == OMEN_NONE)
    return;
  omen_object_forget (s, object);
  omen_object_at (s, object)->dead = true;
  omen_object_at (s, object)->holders++; /* not to be freed yet */
  for (uint32_t p = 0; p < s->property->parameters; p++)
    bereave_all (s, object, p);
  omen_object_at (s, object)->holders--;
  release_object (s, object);
  OMEN_CHECK (omen_slicer_valid (s));
}
