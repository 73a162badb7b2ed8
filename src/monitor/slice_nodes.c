/* Nodes by key: in an object ("home"), or in a table ("away"). */
#include "monitor/slices.h"

/* ---- away ---- */

static void
key_of_gone (const omen_slicer *s, omen_away *away, omen_binding *key)
{
  const uint32_t *objects = omen_away_objects (s, away);
  key->set = away->set;
  for (uint32_t rest = away->set; rest; rest &= rest - 1)
    key->objects[__builtin_ctz (rest)] = *objects++;
}

static uint64_t
away_hash (const omen_slicer *s, omen_away *away)
{
  omen_binding key;
  key_of_gone (s, away, &key);
  return omen_binding_hash (&key, key.set);
}

OMEN_REHASH (rehash, aways, omen_away, away_hash, 1)

static bool
is_key (const omen_slicer *s, omen_away *away, const omen_binding *b,
        uint32_t set)
{
  const uint32_t *objects = omen_away_objects (s, away);
  if (away->set != set)
    return false;
  for (uint32_t rest = set; rest; rest &= rest - 1)
    if (*objects++ != b->objects[__builtin_ctz (rest)])
      return false;
  return true;
}

static omen_slice_link *
key_link (const omen_slicer *s, uint32_t place)
{
  omen_away *away = omen_away_at (s, (place - 1) / 8);
  return &omen_away_links (s, away)[(place - 1) % 8];
}

/* Add the node to the lists of the objects of its key. */
static void
list_away (omen_slicer *s, uint32_t i, const omen_binding *b, uint32_t set)
{
  uint32_t place = i * 8 + 1;
  for (uint32_t rest = set; rest; rest &= rest - 1, place++) {
    omen_object *object = omen_object_at (s, b->objects[__builtin_ctz (rest)]);
    *key_link (s, place) = (omen_slice_link){ 0, object->nodes };
    if (object->nodes)
      key_link (s, object->nodes)->prev = place;
    object->nodes = place;
  }
}

static omen_slice_node *
away_new (omen_slicer *s, const omen_binding *b, uint32_t set)
{
  uint32_t i, *slot, *objects;
  omen_away *away;
  if (!omen_table_room (s, &s->by_key, rehash))
    return NULL;
  i = omen_pool_get (&s->aways);
  if (i == OMEN_NONE)
    return NULL;
  away = omen_away_at (s, i);
  away->set = (uint8_t)set;
  away->listed = true;
  objects = omen_away_objects (s, away);
  for (uint32_t rest = set; rest; rest &= rest - 1)
    *objects++ = b->objects[__builtin_ctz (rest)];
  slot = &s->by_key.slots[omen_binding_hash (b, set) & s->by_key.mask];
  away->chain = *slot;
  *slot = i + 1;
  s->by_key.count++;
  list_away (s, i, b, set);
  return omen_away_node (s, away);
}

static omen_slice_node *
away_find (omen_slicer *s, const omen_binding *b, uint32_t set)
{
  uint32_t i = 0;
  if (s->by_key.slots)
    i = s->by_key.slots[omen_binding_hash (b, set) & s->by_key.mask];
  for (; i; i = omen_away_at (s, i - 1)->chain)
    if (is_key (s, omen_away_at (s, i - 1), b, set))
      return omen_away_node (s, omen_away_at (s, i - 1));
  return NULL;
}

/* Remove the node from the lists of its key's objects. */
static void
unlist_away (omen_slicer *s, uint32_t i, const omen_binding *key)
{
  uint32_t place = i * 8 + 1;
  for (uint32_t rest = key->set; rest; rest &= rest - 1, place++) {
    omen_slice_link *link = key_link (s, place);
    if (link->next)
      key_link (s, link->next)->prev = link->prev;
    if (link->prev)
      key_link (s, link->prev)->next = link->next;
    else
      omen_object_at (s, key->objects[__builtin_ctz (rest)])->nodes
          = link->next;
  }
}

static bool
is_empty (const omen_slicer *s, const omen_slice_node *node)
{
  for (uint32_t j = 0; j < s->plan.lists[node->set]; j++)
    if (node->lists[j].head)
      return false;
  return true;
}

static void
away_remove (omen_slicer *s, uint32_t i)
{
  omen_away *away = omen_away_at (s, i);
  omen_binding key;
  uint32_t *slot;
  key_of_gone (s, away, &key);
  slot = &s->by_key.slots[omen_binding_hash (&key, key.set) & s->by_key.mask];
  OMEN_ASSERT (is_empty (s, omen_away_node (s, away)));
  while (*slot != i + 1) {
    OMEN_ASSERT (*slot);
    slot = &omen_away_at (s, *slot - 1)->chain;
  }
  *slot = away->chain;
  away->listed = false;
  omen_table_less (s, &s->by_key, rehash);
  unlist_away (s, i, &key);
  omen_pool_put (&s->aways, i);
}

/* ---- both ---- */

static omen_slice_node *
node_new (omen_slicer *s, const omen_binding *b, uint32_t set,
          omen_slice_node *home)
{
  omen_slice_node *node = home && !home->set ? home : away_new (s, b, set);
  uint32_t exact = omen_instance_find (s, b, set);
  OMEN_ASSERT (s->plan.lists[set]);
  if (!node)
    return NULL;
  node->set = (uint8_t)set;
  node->exact = exact == OMEN_NONE ? 0 : exact + 1;
  if (!set)
    s->root = node;
  return node;
}

omen_slice_node *
omen_node_find (omen_slicer *s, const omen_binding *b, uint32_t set, bool make)
{
  omen_slice_node *home = NULL, *node;
  if (!set)
    node = s->root;
  else if (omen_is_single (set)) {
    home = &omen_object_at (s, b->objects[__builtin_ctz (set)])->home;
    node = home->set == set ? home : home->set ? away_find (s, b, set) : NULL;
  } else
    node = away_find (s, b, set);
  return node || !make ? node : node_new (s, b, set, home);
}

void
omen_nodes_remove (omen_slicer *s, uint32_t object)
{
  omen_object *o = omen_object_at (s, object);
  while (o->nodes)
    away_remove (s, (o->nodes - 1) / 8);
  OMEN_ASSERT (!o->home.set || is_empty (s, &o->home));
  o->home.set = 0;
}
