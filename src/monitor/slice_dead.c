/* Objects that die, and instances that go because of them.

   An instance goes when its machine cannot land any more by events that bind
   none of its dead objects. It leaves all lists, but its binding is kept, as a
   ghost, while instances are left that bind the same dead object: they must
   still be able to find out that it was there before them. */
#include "monitor/slices.h"

static void release_object (omen_slicer *s, uint32_t object);

/* Does the object stand for a parameter of the set above p, too? */
static bool
again (const omen_binding *b, uint32_t p)
{
  for (uint32_t q = p + 1; q < OMEN_PARAMETERS_MAX; q++)
    if (b->set >> q & 1 && b->objects[q] == b->objects[p])
      return true;
  return false;
}

/* Off its object's list, which the caller has emptied. What it holds is let go
   one by one: letting go of one may end others. */
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

/* The list of an object's ghosts goes through states that they need no more. */
static uint32_t *
ghost_next (const omen_slicer *s, uint32_t i)
{
  OMEN_ASSERT (omen_instance_at (s, i)->gone);
  return (uint32_t *)omen_instance_at (s, i)->state;
}

/* A dead object that nothing binds any more goes, with all that is about it. */
static void
release_object (omen_slicer *s, uint32_t object)
{
  omen_object *o = omen_object_at (s, object);
  uint32_t ghosts = o->ghosts;
  if (!o->dead || o->holders)
    return;
  omen_nodes_remove (s, object);
  o->ghosts = 0;
  o->ghost_holders++; /* not to go while its ghosts do */
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

/* The object is dead for the instance: it goes if that was its last hope. */
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
  omen_object_at (s, object)->holders++; /* to be there until we are done */
  for (uint32_t p = 0; p < s->property->parameters; p++)
    bereave_all (s, object, p);
  omen_object_at (s, object)->holders--;
  release_object (s, object);
  OMEN_CHECK (omen_slicer_valid (s));
}
