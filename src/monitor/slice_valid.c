/* Are the invariants of slices.h true? For OMEN_CHECK. */
#include "monitor/slices.h"

/* With more of them the checks would take too long after each event. */
#define FEW OMEN_HARD_OR (16, 64)

typedef struct sums {
  uint64_t listed, live, holders, ghost_holders;
} sums;

/* Is the instance between its neighbours, or at the ends, in each of its
   lists? */
static bool
is_linked (omen_slicer *s, uint32_t i, const omen_binding *b)
{
  for (uint32_t m = s->plan.first[b->set]; m < s->plan.first[b->set + 1]; m++) {
    uint32_t key = s->plan.memberships[m].key;
    uint32_t list = s->plan.memberships[m].list;
    const omen_slice_node *node = omen_node_find (s, b, key, false);
    const omen_slice_link *link = omen_instance_in (s, i, key, list);
    if (!node || node->set != key)
      return false;
    if (link->prev
            ? omen_instance_in (s, link->prev - 1, key, list)->next != i + 1
            : node->lists[list].head != i + 1)
      return false;
    if (link->next
            ? omen_instance_in (s, link->next - 1, key, list)->prev != i + 1
            : node->lists[list].tail != i + 1)
      return false;
  }
  return true;
}

static bool
instances_valid (omen_slicer *s, sums *all)
{
  for (uint32_t i = omen_pool_from (&s->instances, 0); i != OMEN_NONE;
       i = omen_pool_from (&s->instances, i + 1)) {
    const omen_instance *at = omen_instance_at (s, i);
    uint32_t parameters = (uint32_t)__builtin_popcount (at->set);
    omen_binding b;
    if (!at->listed)
      continue;
    omen_binding_of (s, i, &b);
    all->listed++;
    all->live += !at->gone;
    *(at->gone ? &all->ghost_holders : &all->holders) += parameters;
    if (at->dead & ~at->set || omen_instance_find (s, &b, b.set) != i
        || (!at->gone && !is_linked (s, i, &b)))
      return false;
  }
  return all->listed == s->by_binding.count && all->live == s->counts.live;
}

/* Does the node in an object record the instance that binds just the object? */
static bool
home_valid (omen_slicer *s, uint32_t i)
{
  const omen_slice_node *home = &omen_object_at (s, i)->home;
  omen_binding b = { .set = home->set };
  uint32_t exact;
  if (!home->set)
    return true;
  if (!omen_is_single (home->set) || !s->plan.lists[home->set])
    return false;
  b.objects[__builtin_ctz (home->set)] = i;
  exact = omen_instance_find (s, &b, b.set);
  return home->exact == (exact == OMEN_NONE ? 0 : exact + 1);
}

static bool
objects_valid (omen_slicer *s, const sums *all)
{
  uint64_t listed = 0, holders = 0, ghost_holders = 0;
  for (uint32_t i = omen_pool_from (&s->objects, 0); i != OMEN_NONE;
       i = omen_pool_from (&s->objects, i + 1)) {
    const omen_object *o = omen_object_at (s, i);
    if (!o->listed && !o->dead)
      continue;
    listed += o->listed;
    holders += o->holders;
    ghost_holders += o->ghost_holders;
    if (o->listed == o->dead || !home_valid (s, i)
        || (o->listed && omen_object_find (s, o->value, false) != i))
      return false;
  }
  return listed == s->by_value.count && holders == all->holders
         && ghost_holders == all->ghost_holders;
}

bool
omen_slicer_valid (omen_slicer *s)
{
  sums all = { 0 };
  if (s->instances.live > FEW || s->objects.live > FEW)
    return true;
  return instances_valid (s, &all) && objects_valid (s, &all);
}
