/* Instances by binding. */
#include "monitor/slices.h"

/* Objects that were made one after the other have neighbouring numbers, and are
   often bound together with the same others. */
uint64_t
omen_binding_hash (const omen_binding *b, uint32_t set)
{
  uint64_t hash = omen_mix (9, set);
  uint32_t last = 0;
  for (uint32_t rest = set; rest; rest &= rest - 1) {
    hash = omen_mix (hash, last);
    last = b->objects[__builtin_ctz (rest)];
  }
  return omen_near (hash, last / 64, last % 64);
}

void
omen_binding_of (const omen_slicer *s, uint32_t i, omen_binding *b)
{
  omen_instance *at = omen_instance_at (s, i);
  const uint32_t *objects = omen_instance_objects (s, at);
  b->set = at->set;
  for (uint32_t p = 0; p < s->property->parameters; p++)
    b->objects[p] = objects[p];
}

static uint64_t
instance_hash (const omen_slicer *s, omen_instance *at)
{
  const uint32_t *objects = omen_instance_objects (s, at);
  omen_binding b;
  for (uint32_t rest = at->set; rest; rest &= rest - 1)
    b.objects[__builtin_ctz (rest)] = objects[__builtin_ctz (rest)];
  return omen_binding_hash (&b, at->set);
}

OMEN_REHASH (rehash, instances, omen_instance, instance_hash, 1)

static bool
instance_binds (const omen_slicer *s, omen_instance *at, const omen_binding *b,
                uint32_t set)
{
  const uint32_t *objects = omen_instance_objects (s, at);
  if (at->set != set)
    return false;
  for (uint32_t rest = set; rest; rest &= rest - 1)
    if (objects[__builtin_ctz (rest)] != b->objects[__builtin_ctz (rest)])
      return false;
  return true;
}

uint32_t
omen_instance_find (const omen_slicer *s, const omen_binding *b, uint32_t set)
{
  uint32_t i;
  if (!s->plan.possible[set] || !s->by_binding.slots)
    return OMEN_NONE;
  i = s->by_binding.slots[omen_binding_hash (b, set) & s->by_binding.mask];
  for (; i; i = omen_instance_at (s, i - 1)->chain)
    if (instance_binds (s, omen_instance_at (s, i - 1), b, set))
      return i - 1;
  return OMEN_NONE;
}

/* Record the instance in the node whose key is just its binding. */
static void
set_exact (omen_slicer *s, uint32_t i, uint32_t exact)
{
  omen_binding b;
  omen_slice_node *node;
  if (!s->plan.lists[omen_instance_at (s, i)->set])
    return;
  omen_binding_of (s, i, &b);
  node = omen_node_find (s, &b, b.set, false);
  if (node)
    node->exact = exact;
}

bool
omen_instance_enter (omen_slicer *s, uint32_t i)
{
  omen_instance *at = omen_instance_at (s, i);
  uint32_t *slot;
  OMEN_ASSERT (s->plan.possible[at->set] && !at->listed);
  if (!omen_table_room (s, &s->by_binding, rehash))
    return false;
  slot = &s->by_binding.slots[instance_hash (s, at) & s->by_binding.mask];
  at->chain = *slot;
  at->listed = true;
  *slot = i + 1;
  s->by_binding.count++;
  set_exact (s, i, i + 1);
  return true;
}

void
omen_instance_leave (omen_slicer *s, uint32_t i)
{
  omen_instance *at = omen_instance_at (s, i);
  uint32_t *slot
      = &s->by_binding.slots[instance_hash (s, at) & s->by_binding.mask];
  OMEN_ASSERT (at->listed);
  while (*slot != i + 1) {
    OMEN_ASSERT (*slot);
    slot = &omen_instance_at (s, *slot - 1)->chain;
  }
  *slot = at->chain;
  at->listed = false;
  omen_table_less (s, &s->by_binding, rehash);
  set_exact (s, i, 0);
}
