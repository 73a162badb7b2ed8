/* Conditions, semaphores, barriers. */
#include "recording/events/events.h"

/* ---- conditions ---- */

/* A wait whose wake is not the next event of its thread (a signal handler ran
   in between) becomes a release and an acquire, as if it had woken
   spuriously. */
void
omen_tell_split_wait (omen_telling *telling)
{
  omen_actor *me = omen_tell_me (telling);
  omen_event *wait = &telling->trace->events.data[me->wait];
  OMEN_ASSERT (wait->kind == OMEN_WAIT);
  if (wait->value == OMEN_NONE || !me->wait_depth) {
    wait->kind = OMEN_BRANCH; /* of which no rule speaks */
    wait->object = OMEN_NONE;
  } else {
    wait->kind = OMEN_RELEASE;
    wait->object = (uint32_t)wait->value;
  }
  wait->value = 0;
  me->wait = OMEN_NONE;
  me->split = true;
}

/* The lock that a wait releases: an object. OMEN_NONE if no thread holds it as
   far as is known, but the recording lacks what came before, or may turn out
   to. */
static uint32_t
give_lock (omen_telling *telling, uint64_t address)
{
  uint32_t lock = omen_tell_object (telling, OMEN_OPERAND_LOCK, address);
  omen_sync_object *object = &telling->objects.data[lock];
  omen_actor *me = omen_tell_me (telling);
  if (object->writer == me->thread) {
    me->wait_depth = object->depth;
    object->writer = OMEN_NONE;
    object->depth = 0;
    return lock;
  }
  me->wait_depth = 0; /* misuse: another thread holds it, or none */
  if (object->writer != OMEN_NONE
      || !(telling->live || telling->trace->flags & OMEN_TRACE_PARTIAL))
    return lock;
  telling->trace->rebuilt.odd++;
  return OMEN_NONE;
}

/* All operations on the condition keep their order: the lock is released and
   acquired again. */
static void
wait_in_order (omen_telling *telling)
{
  uint64_t address = telling->item.parts[1].a;
  uint32_t lock = give_lock (telling, address);
  omen_actor *me = omen_tell_me (telling);
  omen_tell_order_kept (telling);
  if (lock != OMEN_NONE && me->wait_depth)
    omen_tell (telling, OMEN_RELEASE, telling->objects.data[lock].id);
  omen_tell_given (telling, address);
  me->wait_lock = lock;
  me->split = true;
}

void
omen_tell_wait (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  uint32_t condition, lock;
  const omen_sync_object *object;
  omen_actor *me = omen_tell_me (telling);
  omen_eid e;
  if (me->wait != OMEN_NONE) /* of a handler, or made up */
    omen_tell_split_wait (telling);
  if (omen_tell_in_order (telling)) {
    wait_in_order (telling);
    return;
  }
  omen_tell_use (telling);
  condition = omen_tell_object (telling, OMEN_OPERAND_CONDITION, item->a);
  lock = give_lock (telling, item->parts[1].a);
  omen_tell_given (telling, item->parts[1].a);
  omen_tell_before_wait (telling);
  object = &telling->objects.data[condition];
  e = omen_tell (telling, OMEN_WAIT, object->id);
  omen_tell_last (telling)->value
      = lock == OMEN_NONE ? OMEN_NONE : telling->objects.data[lock].id;
  if (omen_item_arg (item) & OMEN_LOCK_TIMEOUT)
    omen_tell_last (telling)->mode |= OMEN_MODE_TIMEOUT;
  me->wait = e;
  me->wait_condition = condition;
  me->wait_lock = lock;
  me->notifies = (uint32_t)object->next.count;
  me->alls = object->alls;
  me->split = false;
}

static uint32_t
first_free (omen_sync_object *condition, uint32_t i)
{
  uint32_t *next = condition->next.data;
  uint32_t count = (uint32_t)condition->next.count;
  while (i < count && next[i] != i) {
    if (next[i] < count)
      next[i] = next[next[i]];
    i = next[i];
  }
  return i;
}

/* The same choice as in the check of traces: a broadcast after the wait serves
   all, else the earliest signal that is left. */
static bool
take_notify (omen_sync_object *condition, const omen_actor *me)
{
  uint32_t i;
  if (condition->alls > me->alls)
    return true;
  i = first_free (condition, me->notifies);
  if (i >= condition->next.count)
    return false;
  condition->next.data[i] = i + 1;
  return true;
}

static void
take_lock (omen_telling *telling, uint32_t lock)
{
  omen_actor *me = omen_tell_me (telling);
  omen_sync_object *object = &telling->objects.data[lock];
  if (!me->wait_depth)
    return;
  object->writer = me->thread;
  object->depth = me->wait_depth;
  omen_tell_holding (telling, lock);
}

static void
tell_wake (omen_telling *telling, uint32_t condition, uint32_t lock)
{
  omen_actor *me = omen_tell_me (telling);
  bool timeout = omen_item_arg (&telling->item) & OMEN_LOCK_TIMEOUT;
  omen_sync_object *object = &telling->objects.data[condition];
  me->wait = OMEN_NONE;
  omen_tell (telling, OMEN_WAKE, object->id);
  omen_tell_last (telling)->value
      = lock == OMEN_NONE ? OMEN_NONE : telling->objects.data[lock].id;
  if (timeout)
    omen_tell_last (telling)->mode |= OMEN_MODE_TIMEOUT;
  else if (!take_notify (object, me))
    omen_tell_last (telling)->mode |= OMEN_MODE_SPURIOUS;
}

/* A wake whose wait came before the start, or was emitted with its order
   kept. */
static void
wake_in_order (omen_telling *telling)
{
  uint64_t address = telling->item.parts[1].a;
  omen_actor *me = omen_tell_me (telling);
  uint32_t lock = me->split ? me->wait_lock : OMEN_NONE;
  if (!me->split) {
    lock = omen_tell_object (telling, OMEN_OPERAND_LOCK, address);
    me->wait_depth = 1;
  }
  me->split = false;
  if (lock != OMEN_NONE && me->wait_depth) {
    if (omen_tell_lock_held (telling, lock))
      lock = omen_tell_fresh (telling, OMEN_OPERAND_LOCK, address);
    omen_tell (telling, OMEN_ACQUIRE, telling->objects.data[lock].id);
    take_lock (telling, lock);
  }
  omen_tell_taken (telling, address);
  omen_tell_order_kept (telling);
}

void
omen_tell_wake (omen_telling *telling)
{
  omen_actor *me = omen_tell_me (telling);
  uint32_t lock = me->wait_lock;
  if (omen_tell_in_order (telling)) {
    wake_in_order (telling);
    return;
  }
  if (me->split) {
    me->split = false;
    if (lock == OMEN_NONE || !me->wait_depth)
      return;
    omen_tell (telling, OMEN_ACQUIRE, telling->objects.data[lock].id);
  } else if (me->wait != OMEN_NONE)
    tell_wake (telling, me->wait_condition, lock);
  else
    return; /* its wait is not in the trace */
  if (lock != OMEN_NONE)
    take_lock (telling, lock);
  omen_tell_taken (telling, telling->item.parts[1].a);
}

void
omen_tell_notify (omen_telling *telling)
{
  bool all = telling->item.kind == OMEN_ITEM_NOTIFY_ALL;
  omen_sync_object *object;
  uint32_t condition, count;
  if (omen_tell_in_order (telling)) {
    omen_tell_order_kept (telling);
    return;
  }
  omen_tell_use (telling);
  condition
      = omen_tell_object (telling, OMEN_OPERAND_CONDITION, telling->item.a);
  object = &telling->objects.data[condition];
  count = (uint32_t)object->next.count;
  omen_tell (telling, all ? OMEN_NOTIFY_ALL : OMEN_NOTIFY, object->id);
  omen_tell_last (telling)->value = OMEN_NONE;
  if (all)
    object->alls++;
  else
    OMEN_VEC_PUSH (object->next, count);
}

/* ---- semaphores ---- */

static void
tell_operation (omen_telling *telling, uint32_t s)
{
  omen_sync_object *object = &telling->objects.data[s];
  switch (telling->item.kind) {
  case OMEN_ITEM_SEM_INIT:
    object->known = true;
    object->count = (uint32_t)omen_item_arg (&telling->item);
    omen_tell (telling, OMEN_SEM_INIT, object->id);
    omen_tell_last (telling)->value = object->count;
    return;
  case OMEN_ITEM_SEM_UP:
    object->count++;
    omen_tell (telling, OMEN_SEM_UP, object->id);
    return;
  case OMEN_ITEM_SEM_DOWN:
    if (object->known && !object->count) {
      telling->trace->rebuilt.odd++;
      s = omen_tell_fresh (telling, OMEN_OPERAND_SEMAPHORE, telling->item.a);
      object = &telling->objects.data[s];
    }
    object->count -= object->count > 0;
    omen_tell (telling, OMEN_SEM_DOWN, object->id);
    if (omen_item_arg (&telling->item) & OMEN_LOCK_TRY)
      omen_tell_last (telling)->mode |= OMEN_MODE_TRY;
    return;
  default: /* a failed operation: only if it certainly has to fail */
    if (object->known && !object->count)
      omen_tell (telling, OMEN_SEM_FAIL, object->id);
  }
}

void
omen_tell_semaphore (omen_telling *telling)
{
  uint64_t address = telling->item.a;
  if (omen_tell_in_order (telling)) {
    omen_tell_order_kept (telling);
    return;
  }
  if (telling->item.kind == OMEN_ITEM_SEM_INIT)
    omen_tell_made (telling);
  else
    omen_tell_use (telling);
  tell_operation (telling,
                  omen_tell_object (telling, OMEN_OPERAND_SEMAPHORE, address));
  if (telling->item.kind == OMEN_ITEM_SEM_INIT
      || telling->item.kind == OMEN_ITEM_SEM_UP)
    omen_tell_given (telling, address);
  else
    omen_tell_taken (telling, address);
}

/* ---- barriers ---- */

static void
arrive (omen_telling *telling, uint32_t b)
{
  uint64_t size = (uint32_t)omen_item_arg (&telling->item);
  omen_sync_object *object = &telling->objects.data[b];
  if (!size)
    return;
  if (object->count && object->size != size) {
    telling->trace->rebuilt.odd++;
    b = omen_tell_fresh (telling, OMEN_OPERAND_BARRIER, telling->item.a);
    object = &telling->objects.data[b];
  }
  object->size = size;
  omen_tell_me (telling)->barrier = b;
  omen_tell_me (telling)->barrier_address = telling->item.a;
  *omen_map_at (&telling->arrived,
                OMEN_PAIR (b, omen_tell_me (telling)->thread))
      = object->round;
  omen_tell (telling, OMEN_ARRIVE, object->id);
  omen_tell_last (telling)->value = size;
  if (++object->count == size) {
    object->count = 0;
    object->round++;
  }
}

/* The barrier that the thread arrived at: others may have destroyed it
   meanwhile. */
static uint32_t
left_barrier (omen_telling *telling)
{
  const omen_actor *me = omen_tell_me (telling);
  return me->barrier_address == telling->item.a
             ? me->barrier
             : omen_tell_object (telling, OMEN_OPERAND_BARRIER,
                                 telling->item.a);
}

void
omen_tell_barrier (omen_telling *telling)
{
  uint32_t b, round;
  if (omen_tell_in_order (telling)) {
    omen_tell_order_kept (telling);
    return;
  }
  if (telling->item.kind == OMEN_ITEM_ARRIVE) {
    omen_tell_use (telling);
    arrive (telling,
            omen_tell_object (telling, OMEN_OPERAND_BARRIER, telling->item.a));
    return;
  }
  b = left_barrier (telling);
  round = omen_map_get (&telling->arrived,
                        OMEN_PAIR (b, omen_tell_me (telling)->thread));
  if (round == OMEN_NONE || round >= telling->objects.data[b].round)
    telling->trace->rebuilt.odd++;
  else
    omen_tell (telling, OMEN_DEPART, telling->objects.data[b].id);
}
