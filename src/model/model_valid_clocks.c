/* Must-happen-before, checked: it has every edge that the rules name, it is
   transitive, and it agrees with the order of the trace. */
#include "model/model_valid.h"

static bool
is_sem (unsigned kind)
{
  return kind >= OMEN_SEM_INIT && kind <= OMEN_SEM_FAIL;
}

/* The irregular lock that e operates on, or OMEN_NONE. */
static omen_lid
irregular_of (const omen_model *model, omen_eid e)
{
  const omen_event *event = omen_model_event (model, e);
  uint64_t lock = OMEN_NONE;
  if (event->kind == OMEN_WAIT || event->kind == OMEN_WAKE)
    lock = event->value;
  else if (omen_kind_operand (event->kind) == OMEN_OPERAND_LOCK
           && event->kind != OMEN_REQUEST && event->kind != OMEN_LOCK_FAIL
           && event->kind != OMEN_DESTROY)
    lock = event->object;
  return lock != OMEN_NONE && model->irregular[lock] ? (omen_lid)lock
                                                     : OMEN_NONE;
}

static bool
memory_orders (const omen_model *model, const omen_event *a,
               const omen_event *b)
{
  const omen_place *x = &model->trace->places.data[a->object];
  const omen_place *y = &model->trace->places.data[b->object];
  if (a->kind == OMEN_ALLOC)
    return x->variable == y->variable;
  return (a->kind == OMEN_EXTERNAL || b->kind == OMEN_EXTERNAL)
         && omen_place_overlap (x, y);
}

static bool
barrier_orders (const omen_model *model, omen_eid a, omen_eid b)
{
  const omen_event *second = omen_model_event (model, b);
  uint32_t x = model->at[a], y = model->at[b];
  return second->kind == OMEN_ARRIVE ? x < y : x <= y;
}

/* Does a rule order the pair, of which x is the earlier? */
static bool
rule_orders (const omen_model *model, omen_eid x, omen_eid y)
{
  const omen_event *a = omen_model_event (model, x);
  const omen_event *b = omen_model_event (model, y);
  omen_lid lock = irregular_of (model, x);
  if (a->thread == b->thread)
    return true;
  if (a->kind == OMEN_FORK && a->object == b->thread)
    return true;
  if (b->kind == OMEN_JOIN && b->object == a->thread)
    return true;
  if (lock != OMEN_NONE && irregular_of (model, y) == lock)
    return true;
  if (omen_valid_is_access (model, x) && omen_valid_is_access (model, y))
    return memory_orders (model, a, b);
  if (a->object != b->object)
    return false;
  if (a->kind == OMEN_FORK && b->kind == OMEN_JOIN)
    return true;
  if (a->kind == OMEN_HAPPENS_BEFORE && b->kind == OMEN_HAPPENS_AFTER)
    return true;
  if (a->kind == OMEN_ARRIVE
      && (b->kind == OMEN_ARRIVE || b->kind == OMEN_DEPART))
    return barrier_orders (model, x, y);
  return is_sem (a->kind) && is_sem (b->kind)
         && (a->kind == OMEN_SEM_INIT || b->kind == OMEN_SEM_INIT);
}

/* Given that a must precede b: does b come after all that a comes after? */
static bool
is_transitive (const omen_model *model, omen_eid a, omen_eid b)
{
  for (omen_tid t = 0; t < model->thread_count; t++)
    if (t != omen_model_thread (model, a) && t != omen_model_thread (model, b)
        && omen_model_before (model, a, t) > omen_model_before (model, b, t))
      return false;
  return true;
}

bool
omen_valid_clocks (const omen_model *model)
{
  for (omen_eid a = 0; a < model->event_count; a++)
    for (omen_eid b = 0; b < model->event_count; b++) {
      bool before = omen_model_must_before (model, a, b);
      bool earlier = omen_valid_earlier (model, a, b);
      if (before && (!earlier || !is_transitive (model, a, b)))
        return false;
      if (earlier && !before && rule_orders (model, a, b))
        return false;
      if (before
          != (omen_model_after (model, a, omen_model_thread (model, b))
              <= model->trace->index[b]))
        return false;
    }
  return true;
}
