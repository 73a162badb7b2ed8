/* Three hash tables with chains through the items. */
#include "monitor/slices.h"

#include <string.h>

/* ---- any table ---- */

#define SLOTS_MIN OMEN_HARD_OR (2u, 64u)

typedef void rehasher (omen_slicer *s, uint32_t from, uint32_t *slots,
                       uint32_t mask);

/* Slots of another number; `rehash` puts everything into them. */
static bool
resize (omen_slicer *s, omen_table *table, uint32_t size, rehasher *rehash)
{
  uint32_t old = table->slots ? table->mask + 1 : 0;
  uint32_t *slots = omen_memory_get (&s->memory, size * sizeof *slots);
  if (!slots)
    return old > 0; /* longer chains will do */
  memset (slots, 0, size * sizeof *slots);
  for (uint32_t i = 0; i < old; i++)
    while (table->slots[i])
      rehash (s, i, slots, size - 1);
  omen_memory_put (&s->memory, table->slots, old * sizeof *slots);
  table->slots = slots;
  table->mask = size - 1;
  return true;
}

/* Half full at most: an item in a chain is a line of memory to be fetched. */
static bool
room_for_one (omen_slicer *s, omen_table *table, rehasher *rehash)
{
  uint32_t size = table->slots ? table->mask + 1 : 0;
  if (table->count < size / 2)
    return true;
  return resize (s, table, size ? 2 * size : SLOTS_MIN, rehash);
}

/* One has gone: a table that is nearly empty shrinks. */
static void
one_less (omen_slicer *s, omen_table *table, rehasher *rehash)
{
  OMEN_ASSERT (table->count > 0);
  table->count--;
  if (table->mask >= 2 * SLOTS_MIN && table->count < table->mask / 16)
    resize (s, table, (table->mask + 1) / 2, rehash);
}

/* Move the first item of the old slot `from` into its new slot. */
#define REHASH(name, table, type, at, hash_of)                                 \
  static void name (omen_slicer *s, uint32_t from, uint32_t *slots,            \
                    uint32_t mask)                                             \
  {                                                                            \
    uint32_t item = s->table.slots[from];                                      \
    type *t = at (s, item - 1);                                                \
    uint32_t to = (uint32_t)hash_of (s, t) & mask;                             \
    s->table.slots[from] = t->chain;                                           \
    t->chain = slots[to];                                                      \
    slots[to] = item;                                                          \
  }

/* ---- objects by value ---- */

static uint64_t
value_hash (uint64_t value)
{
  uint64_t hash = omen_mix (3, value);
  return hash ^ hash >> 32;
}

static uint64_t
object_hash (const omen_slicer *s, const omen_object *object)
{
  (void)s;
  return value_hash (object->value);
}

REHASH (rehash_object, by_value, omen_object, omen_object_at, object_hash)

static uint32_t
object_new (omen_slicer *s, uint64_t value)
{
  uint32_t i, *slot;
  omen_object *object;
  if (!room_for_one (s, &s->by_value, rehash_object))
    return OMEN_NONE;
  i = omen_pool_get (&s->objects);
  if (i == OMEN_NONE)
    return OMEN_NONE;
  object = omen_object_at (s, i);
  slot = &s->by_value.slots[value_hash (value) & s->by_value.mask];
  *object = (omen_object){ .value = value, .chain = *slot };
  *slot = i + 1;
  s->by_value.count++;
  return i;
}

uint32_t
omen_object_find (omen_slicer *s, uint64_t value, bool make)
{
  uint32_t i = 0;
  if (s->by_value.slots)
    i = s->by_value.slots[value_hash (value) & s->by_value.mask];
  for (; i; i = omen_object_at (s, i - 1)->chain)
    if (omen_object_at (s, i - 1)->value == value)
      return i - 1;
  return make ? object_new (s, value) : OMEN_NONE;
}

void
omen_object_forget (omen_slicer *s, uint32_t object)
{
  omen_object *o = omen_object_at (s, object);
  uint32_t *slot = &s->by_value.slots[value_hash (o->value) & s->by_value.mask];
  while (*slot != object + 1) {
    OMEN_ASSERT (*slot);
    slot = &omen_object_at (s, *slot - 1)->chain;
  }
  *slot = o->chain;
  one_less (s, &s->by_value, rehash_object);
}

/* ---- keys ---- */

static uint64_t
finished (uint64_t hash)
{
  return hash ^ hash >> 32;
}

static uint64_t
binding_hash (const omen_binding *b, uint32_t set)
{
  uint64_t hash = omen_mix (9, set);
  for (uint32_t rest = set; rest; rest &= rest - 1)
    hash = omen_mix (hash, b->objects[__builtin_ctz (rest)]);
  return finished (hash);
}

/* ---- nodes by key ---- */

static uint64_t
node_hash (const omen_slicer *s, omen_node *node)
{
  const uint32_t *objects = omen_node_objects (s, node);
  uint64_t hash = omen_mix (9, node->set);
  for (uint32_t i = 0; i < (uint32_t)__builtin_popcount (node->set); i++)
    hash = omen_mix (hash, objects[i]);
  return finished (hash);
}

REHASH (rehash_node, by_key, omen_node, omen_node_at, node_hash)

static bool
node_is (const omen_slicer *s, omen_node *node, const omen_binding *b,
         uint32_t set)
{
  const uint32_t *objects = omen_node_objects (s, node);
  if (node->set != set)
    return false;
  for (uint32_t rest = set; rest; rest &= rest - 1)
    if (*objects++ != b->objects[__builtin_ctz (rest)])
      return false;
  return true;
}

static omen_link *
key_link (const omen_slicer *s, uint32_t place)
{
  omen_node *node = omen_node_at (s, (place - 1) / 8);
  return &omen_node_links (s, node)[(place - 1) % 8];
}

/* Into the lists of the objects of its key. */
static void
list_node (omen_slicer *s, uint32_t i)
{
  omen_node *node = omen_node_at (s, i);
  const uint32_t *objects = omen_node_objects (s, node);
  for (uint32_t j = 0; j < (uint32_t)__builtin_popcount (node->set); j++) {
    omen_object *object = omen_object_at (s, objects[j]);
    uint32_t place = i * 8 + j + 1;
    *key_link (s, place) = (omen_link){ 0, object->nodes };
    if (object->nodes)
      key_link (s, object->nodes)->prev = place;
    object->nodes = place;
  }
}

static uint32_t
node_new (omen_slicer *s, const omen_binding *b, uint32_t set)
{
  uint32_t i, *slot, *objects, exact;
  omen_node *node;
  OMEN_ASSERT (s->plan.lists[set]);
  if (!room_for_one (s, &s->by_key, rehash_node))
    return OMEN_NONE;
  i = omen_pool_get (&s->nodes);
  if (i == OMEN_NONE)
    return OMEN_NONE;
  node = omen_node_at (s, i);
  node->set = (uint8_t)set;
  objects = omen_node_objects (s, node);
  for (uint32_t rest = set; rest; rest &= rest - 1)
    *objects++ = b->objects[__builtin_ctz (rest)];
  slot = &s->by_key.slots[binding_hash (b, set) & s->by_key.mask];
  node->chain = *slot;
  *slot = i + 1;
  s->by_key.count++;
  list_node (s, i);
  if (!(set & (set - 1)) && set)
    omen_object_at (s, b->objects[__builtin_ctz (set)])->home = i + 1;
  exact = omen_instance_find (s, b, set);
  node->exact = exact == OMEN_NONE ? 0 : exact + 1;
  return i;
}

/* Most objects stand for one parameter only, and know their node. */
static uint32_t
node_at_home (const omen_slicer *s, const omen_binding *b, uint32_t set)
{
  uint32_t home;
  if (!set || set & (set - 1))
    return OMEN_NONE;
  home = omen_object_at (s, b->objects[__builtin_ctz (set)])->home;
  if (home && omen_node_at (s, home - 1)->set == set)
    return home - 1;
  return OMEN_NONE;
}

uint32_t
omen_node_find (omen_slicer *s, const omen_binding *b, uint32_t set, bool make)
{
  uint32_t i = node_at_home (s, b, set);
  if (i != OMEN_NONE)
    return i;
  i = 0;
  if (s->by_key.slots)
    i = s->by_key.slots[binding_hash (b, set) & s->by_key.mask];
  for (; i; i = omen_node_at (s, i - 1)->chain)
    if (node_is (s, omen_node_at (s, i - 1), b, set))
      return i - 1;
  return make ? node_new (s, b, set) : OMEN_NONE;
}

void
omen_node_remove (omen_slicer *s, uint32_t i)
{
  omen_node *node = omen_node_at (s, i);
  const uint32_t *objects = omen_node_objects (s, node);
  uint32_t *slot = &s->by_key.slots[node_hash (s, node) & s->by_key.mask];
  for (uint32_t j = 0; j < s->plan.lists[node->set]; j++)
    OMEN_ASSERT (!omen_node_lists (s, node)[j].head);
  while (*slot != i + 1) {
    OMEN_ASSERT (*slot);
    slot = &omen_node_at (s, *slot - 1)->chain;
  }
  *slot = node->chain;
  one_less (s, &s->by_key, rehash_node);
  for (uint32_t j = 0; j < (uint32_t)__builtin_popcount (node->set); j++) {
    omen_link *link = key_link (s, i * 8 + j + 1);
    if (link->next)
      key_link (s, link->next)->prev = link->prev;
    if (link->prev)
      key_link (s, link->prev)->next = link->next;
    else
      omen_object_at (s, objects[j])->nodes = link->next;
    if (omen_object_at (s, objects[j])->home == i + 1)
      omen_object_at (s, objects[j])->home = 0;
  }
  omen_pool_put (&s->nodes, i);
}

/* ---- instances by binding ---- */

void
omen_binding_of (const omen_slicer *s, uint32_t instance, omen_binding *b)
{
  omen_instance *at = omen_instance_at (s, instance);
  b->set = at->set;
  memcpy (b->objects, omen_instance_objects (s, at),
          s->property->parameters * sizeof *b->objects);
}

static uint64_t
instance_hash (const omen_slicer *s, omen_instance *instance)
{
  const uint32_t *objects = omen_instance_objects (s, instance);
  uint64_t hash = omen_mix (9, instance->set);
  for (uint32_t rest = instance->set; rest; rest &= rest - 1)
    hash = omen_mix (hash, objects[__builtin_ctz (rest)]);
  return finished (hash);
}

REHASH (rehash_instance, by_binding, omen_instance, omen_instance_at,
        instance_hash)

uint32_t
omen_instance_find (const omen_slicer *s, const omen_binding *b, uint32_t set)
{
  uint32_t i = 0;
  if (s->by_binding.slots)
    i = s->by_binding.slots[binding_hash (b, set) & s->by_binding.mask];
  while (i) {
    omen_instance *at = omen_instance_at (s, i - 1);
    const uint32_t *objects = omen_instance_objects (s, at);
    bool same = at->set == set;
    for (uint32_t rest = set; same && rest; rest &= rest - 1)
      same = objects[__builtin_ctz (rest)] == b->objects[__builtin_ctz (rest)];
    if (same)
      return i - 1;
    i = at->chain;
  }
  return OMEN_NONE;
}

static void
set_exact (omen_slicer *s, uint32_t i, uint32_t exact)
{
  omen_binding b;
  uint32_t node;
  omen_binding_of (s, i, &b);
  if (!s->plan.lists[b.set])
    return;
  node = omen_node_find (s, &b, b.set, false);
  if (node != OMEN_NONE)
    omen_node_at (s, node)->exact = exact;
}

bool
omen_instance_enter (omen_slicer *s, uint32_t i)
{
  omen_instance *instance = omen_instance_at (s, i);
  uint32_t *slot;
  if (!room_for_one (s, &s->by_binding, rehash_instance))
    return false;
  slot = &s->by_binding.slots[instance_hash (s, instance) & s->by_binding.mask];
  instance->chain = *slot;
  *slot = i + 1;
  s->by_binding.count++;
  set_exact (s, i, i + 1);
  return true;
}

void
omen_instance_leave (omen_slicer *s, uint32_t i)
{
  omen_instance *instance = omen_instance_at (s, i);
  uint32_t *slot
      = &s->by_binding.slots[instance_hash (s, instance) & s->by_binding.mask];
  while (*slot != i + 1) {
    OMEN_ASSERT (*slot);
    slot = &omen_instance_at (s, *slot - 1)->chain;
  }
  *slot = instance->chain;
  one_less (s, &s->by_binding, rehash_instance);
  set_exact (s, i, 0);
}
