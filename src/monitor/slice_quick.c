/* The fast path, for the most frequent events: the event makes no instance,
   steps one, and reports nothing. Anything else is left to omen_slicer_event.

   There are no assertions, which would cost time in monitored programs: an
   automaton's words are checked before they are used. */
#include "monitor/slices.h"

uint64_t
omen_slicer_quick_events (const omen_slicer *s)
{
  uint64_t events = 0;
  if (!s->automaton || s->property->predicates
      || s->property->modifiers & OMEN_CONNECTED)
    return 0;
  for (uint32_t e = 0; e < s->property->events; e++)
    if (s->formula->listens >> e & 1
        && (!s->plan.binds[e] || omen_is_single (s->plan.binds[e])))
      events |= UINT64_C (1) << e;
  return events;
}

/* The node in the object of this value; NULL: none. */
static inline omen_slice_node *
home_of (const omen_slicer *s, uint64_t value)
{
  const uint32_t *slot;
  if (OMEN_UNLIKELY (!s->by_value.slots))
    return NULL;
  slot = omen_slot_of (s, value);
  omen_fetch_guess (s, slot);
  for (uint32_t i = slot[0]; i;) {
    omen_object *object = omen_object_at (s, i - 1);
    if (OMEN_LIKELY (object->value == value)) {
      if (OMEN_UNLIKELY (slot[1] != object->home.lists[0].head && slot[0] == i))
        return NULL; /* the slow path corrects the guess */
      return &object->home;
    }
    i = object->chain;
  }
  return NULL;
}

/* Step the instance; false, and no step, if that reaches a category. It is no
   ghost: lists have none, and the object of its binding is alive. */
static inline bool
step_instance (omen_slicer *s, uint32_t i, uint32_t event)
{
  const uint32_t *words = s->automaton;
  uint32_t letters = words[OMEN_TABLE_EVENTS];
  omen_instance *at = omen_instance_at (s, i);
  uint64_t next;
  next = words[OMEN_TABLE_NEXT + at->state[0] * letters + event];
  if (OMEN_UNLIKELY (omen_table_verdict (words, next)))
    return false;
  at->state[0] = next;
  s->counts.steps++;
  return true;
}

bool
omen_slicer_quick (omen_slicer *s, uint32_t event, uint64_t value)
{
  uint32_t set = s->plan.binds[event];
  omen_slice_node *node = set ? home_of (s, value) : s->root;
  uint32_t one;
  if (OMEN_UNLIKELY (!node || node->set != set)
      || (!node->exact && s->plan.makers >> event & 1))
    return false;
  one = node->lists[0].head;
  if (OMEN_UNLIKELY (one != node->lists[0].tail || (node->exact && one)))
    return false;
  one = node->exact ? node->exact : one;
  if (OMEN_LIKELY (one) && OMEN_UNLIKELY (!step_instance (s, one - 1, event)))
    return false;
  if (!node->exact)
    node->disable = ++s->clock;
  s->counts.events++;
  return true;
}
