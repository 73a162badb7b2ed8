/* Objects by value. */
#include "monitor/slices.h"

static uint64_t
object_hash (const omen_slicer *s, const omen_object *object)
{
  (void)s;
  return omen_value_hash (object->value);
}

OMEN_REHASH (rehash, objects, omen_object, object_hash, OMEN_VALUE_WIDTH)

static uint32_t
object_new (omen_slicer *s, uint64_t value)
{
  uint32_t i, *slot;
  omen_object *object;
  if (!omen_table_room (s, &s->by_value, rehash))
    return OMEN_NONE;
  i = omen_pool_get (&s->objects);
  if (i == OMEN_NONE)
    return OMEN_NONE;
  object = omen_object_at (s, i);
  slot = omen_slot_of (s, value);
  object->value = value;
  object->chain = *slot;
  object->listed = true;
  *slot = i + 1;
  s->by_value.count++;
  return i;
}

uint32_t
omen_object_find (omen_slicer *s, uint64_t value, bool make)
{
  uint32_t *slot, i;
  const omen_object *object;
  if (OMEN_UNLIKELY (!s->by_value.slots))
    return make ? object_new (s, value) : OMEN_NONE;
  slot = omen_slot_of (s, value);
  omen_fetch_guess (s, slot);
  for (i = slot[0]; i; i = object->chain) {
    object = omen_object_at (s, i - 1);
    if (OMEN_UNLIKELY (object->value != value))
      continue;
    if (OMEN_UNLIKELY (slot[1] != object->home.lists[0].head && slot[0] == i))
      slot[1] = object->home.lists[0].head;
    return i - 1;
  }
  return make ? object_new (s, value) : OMEN_NONE;
}

void
omen_object_forget (omen_slicer *s, uint32_t object)
{
  omen_object *o = omen_object_at (s, object);
  uint32_t *slot = omen_slot_of (s, o->value);
  OMEN_ASSERT (o->listed);
  while (*slot != object + 1) {
    OMEN_ASSERT (*slot);
    slot = &omen_object_at (s, *slot - 1)->chain;
  }
  *slot = o->chain;
  o->listed = false;
  omen_table_less (s, &s->by_value, rehash);
}
