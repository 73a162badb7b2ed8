/* Conditions, semaphores, barriers. */
#include "recording/events/events.h"

/* ---- conditions ---- */

/* A wait whose wake is not the next event of its thread (a signal handler ran
   in between) becomes a release and an acquire, as if it had woken
   spuriously. */
void
omen_emit_split_wait (omen_emitter *emitter)
{
  omen_actor *me = omen_emitter_me (emitter);
  omen_event *wait = &emitter->trace->events.data[me->wait];
  OMEN_ASSERT (wait->kind == OMEN_WAIT);
  if (wait->value == OMEN_NONE || !me->wait_depth) {
    wait->kind = OMEN_BRANCH; /* of which no rule speaks */
    wait->object = OMEN_NONE;
  } else {
    wait->kind = OMEN_RELEASE;
    wait->object = (uint32_t)wait->value;
  }
  wait->value = 0;
  wait->mode &= OMEN_MODE_EXTRA; /* not timeout, or stuck */
  me->wait = OMEN_NONE;
  me->split = true;
}

/* The lock that a wait releases: an object. OMEN_NONE if no thread holds it as
   far as is known, but the recording lacks what came before, or may turn out
   to. */
static uint32_t
give_lock (omen_emitter *emitter, uint64_t address)
{
  uint32_t lock = omen_emit_object (emitter, OMEN_OPERAND_LOCK, address);
  omen_sync_object *object = &emitter->objects.data[lock];
  omen_actor *me = omen_emitter_me (emitter);
  if (object->writer == me->thread) {
    me->wait_depth = object->depth;
    object->writer = OMEN_NONE;
    object->depth = 0;
    return lock;
  }
  me->wait_depth = 0; /* misuse: another thread holds it, or none */
  if (object->writer != OMEN_NONE
      || !(emitter->live || emitter->trace->flags & OMEN_TRACE_PARTIAL))
    return lock;
  emitter->trace->rebuilt.odd++;
  return OMEN_NONE;
}

/* All operations on the condition keep their order: the lock is released and
   acquired again. */
static void
wait_in_order (omen_emitter *emitter)
{
  uint64_t address = emitter->item.parts[1].a;
  uint32_t lock = give_lock (emitter, address);
  omen_actor *me = omen_emitter_me (emitter);
  omen_emit_order_kept (emitter);
  if (lock != OMEN_NONE && me->wait_depth)
    omen_emit_event (emitter, OMEN_RELEASE, emitter->objects.data[lock].id);
  omen_emit_given (emitter, address);
  me->wait_lock = lock;
  me->split = true;
}

void
omen_emit_wait (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint32_t condition, lock;
  const omen_sync_object *object;
  omen_actor *me = omen_emitter_me (emitter);
  omen_eid e;
  if (me->wait != OMEN_NONE) /* of a handler, or made up */
    omen_emit_split_wait (emitter);
  if (omen_emit_in_order (emitter)) {
    wait_in_order (emitter);
    return;
  }
  omen_emit_use (emitter);
  condition = omen_emit_object (emitter, OMEN_OPERAND_CONDITION, item->a);
  lock = give_lock (emitter, item->parts[1].a);
  omen_emit_given (emitter, item->parts[1].a);
  omen_emit_before_wait (emitter);
  object = &emitter->objects.data[condition];
  e = omen_emit_event (emitter, OMEN_WAIT, object->id);
  omen_emitter_last (emitter)->value
      = lock == OMEN_NONE ? OMEN_NONE : emitter->objects.data[lock].id;
  if (omen_item_arg (item) & OMEN_LOCK_TIMEOUT)
    omen_emitter_last (emitter)->mode |= OMEN_MODE_TIMEOUT;
  me->wait = e;
  me->wait_condition = condition;
  me->wait_lock = lock;
  me->notifies = (uint32_t)object->next.count;
  me->alls = object->alls;
  me->split = false;
}

/* The same choice as in the check of traces: a broadcast after the wait serves
   all, else the earliest signal that is left. */
static bool
take_notify (omen_sync_object *condition, const omen_actor *me)
{
  uint32_t i;
  if (condition->alls > me->alls)
    return true;
  i = omen_first_free (&condition->next, me->notifies);
  if (i >= condition->next.count)
    return false;
  condition->next.data[i] = i + 1;
  return true;
}

static void
take_lock (omen_emitter *emitter, uint32_t lock)
{
  omen_actor *me = omen_emitter_me (emitter);
  omen_sync_object *object = &emitter->objects.data[lock];
  if (!me->wait_depth)
    return;
  object->writer = me->thread;
  object->depth = me->wait_depth;
  omen_emit_holding (emitter, lock);
}

static void
emit_wake (omen_emitter *emitter, uint32_t condition, uint32_t lock)
{
  omen_actor *me = omen_emitter_me (emitter);
  bool timeout = omen_item_arg (&emitter->item) & OMEN_LOCK_TIMEOUT;
  omen_sync_object *object = &emitter->objects.data[condition];
  me->wait = OMEN_NONE;
  omen_emit_event (emitter, OMEN_WAKE, object->id);
  omen_emitter_last (emitter)->value
      = lock == OMEN_NONE ? OMEN_NONE : emitter->objects.data[lock].id;
  if (timeout)
    omen_emitter_last (emitter)->mode |= OMEN_MODE_TIMEOUT;
  else if (!take_notify (object, me))
    omen_emitter_last (emitter)->mode |= OMEN_MODE_SPURIOUS;
}

/* A wake whose wait came before the start, or was emitted with its order
   kept. */
static void
wake_in_order (omen_emitter *emitter)
{
  uint64_t address = emitter->item.parts[1].a;
  omen_actor *me = omen_emitter_me (emitter);
  uint32_t lock = me->split ? me->wait_lock : OMEN_NONE;
  if (!me->split) {
    lock = omen_emit_object (emitter, OMEN_OPERAND_LOCK, address);
    me->wait_depth = 1;
  }
  me->split = false;
  if (lock != OMEN_NONE && me->wait_depth) {
    if (omen_emit_lock_held (emitter, lock))
      lock = omen_emit_fresh (emitter, OMEN_OPERAND_LOCK, address);
    omen_emit_event (emitter, OMEN_ACQUIRE, emitter->objects.data[lock].id);
    take_lock (emitter, lock);
  }
  omen_emit_taken (emitter, address);
  omen_emit_order_kept (emitter);
}

/* Will the wake take a lock that is held as far as is known? Then some of the
   file is wrong or missing. */
static bool
takes_held (const omen_emitter *emitter, const omen_actor *me)
{
  return me->wait_lock != OMEN_NONE && me->wait_depth
         && omen_emit_lock_held (emitter, me->wait_lock);
}

void
omen_emit_wake (omen_emitter *emitter)
{
  omen_actor *me = omen_emitter_me (emitter);
  uint32_t lock = me->wait_lock;
  if (omen_emit_in_order (emitter)) {
    wake_in_order (emitter);
    return;
  }
  if (me->wait != OMEN_NONE && takes_held (emitter, me))
    omen_emit_split_wait (emitter);
  if (me->split) {
    me->split = false;
    if (lock == OMEN_NONE || !me->wait_depth)
      return;
    if (takes_held (emitter, me)) {
      emitter->trace->rebuilt.odd++;
      lock = omen_emit_fresh (emitter, OMEN_OPERAND_LOCK,
                              emitter->item.parts[1].a);
    }
    omen_emit_event (emitter, OMEN_ACQUIRE, emitter->objects.data[lock].id);
  } else if (me->wait != OMEN_NONE)
    emit_wake (emitter, me->wait_condition, lock);
  else
    return; /* its wait is not in the trace */
  if (lock != OMEN_NONE)
    take_lock (emitter, lock);
  omen_emit_taken (emitter, emitter->item.parts[1].a);
}

void
omen_emit_notify (omen_emitter *emitter)
{
  bool all = emitter->item.kind == OMEN_ITEM_NOTIFY_ALL;
  omen_sync_object *object;
  uint32_t condition, count;
  if (omen_emit_in_order (emitter)) {
    omen_emit_order_kept (emitter);
    return;
  }
  omen_emit_use (emitter);
  condition
      = omen_emit_object (emitter, OMEN_OPERAND_CONDITION, emitter->item.a);
  object = &emitter->objects.data[condition];
  count = (uint32_t)object->next.count;
  omen_emit_event (emitter, all ? OMEN_NOTIFY_ALL : OMEN_NOTIFY, object->id);
  omen_emitter_last (emitter)->value = OMEN_NONE;
  if (all)
    object->alls++;
  else
    OMEN_VEC_PUSH (object->next, count);
}

/* ---- semaphores ---- */

static void
emit_operation (omen_emitter *emitter, uint32_t s)
{
  omen_sync_object *object = &emitter->objects.data[s];
  switch (emitter->item.kind) {
  case OMEN_ITEM_SEM_INIT:
    object->known = true;
    object->count = (uint32_t)omen_item_arg (&emitter->item);
    omen_emit_event (emitter, OMEN_SEM_INIT, object->id);
    omen_emitter_last (emitter)->value = object->count;
    return;
  case OMEN_ITEM_SEM_UP:
    object->count++;
    omen_emit_event (emitter, OMEN_SEM_UP, object->id);
    return;
  case OMEN_ITEM_SEM_DOWN:
    if (object->known && !object->count) {
      emitter->trace->rebuilt.odd++;
      s = omen_emit_fresh (emitter, OMEN_OPERAND_SEMAPHORE, emitter->item.a);
      object = &emitter->objects.data[s];
    }
    object->count -= object->count > 0;
    omen_emit_event (emitter, OMEN_SEM_DOWN, object->id);
    if (omen_item_arg (&emitter->item) & OMEN_LOCK_TRY)
      omen_emitter_last (emitter)->mode |= OMEN_MODE_TRY;
    return;
  default: /* a failed operation: only if it certainly has to fail */
    if (object->known && !object->count)
      omen_emit_event (emitter, OMEN_SEM_FAIL, object->id);
  }
}

void
omen_emit_semaphore (omen_emitter *emitter)
{
  uint64_t address = emitter->item.a;
  if (omen_emit_in_order (emitter)) {
    omen_emit_order_kept (emitter);
    return;
  }
  if (emitter->item.kind == OMEN_ITEM_SEM_INIT)
    omen_emit_made (emitter);
  else
    omen_emit_use (emitter);
  emit_operation (emitter,
                  omen_emit_object (emitter, OMEN_OPERAND_SEMAPHORE, address));
  if (emitter->item.kind == OMEN_ITEM_SEM_INIT
      || emitter->item.kind == OMEN_ITEM_SEM_UP)
    omen_emit_given (emitter, address);
  else
    omen_emit_taken (emitter, address);
}

/* ---- barriers ---- */

static void
emit_arrival (omen_emitter *emitter, uint32_t b)
{
  uint64_t size = (uint32_t)omen_item_arg (&emitter->item);
  omen_sync_object *object = &emitter->objects.data[b];
  if (!size)
    return;
  if (object->count && object->size != size) {
    emitter->trace->rebuilt.odd++;
    b = omen_emit_fresh (emitter, OMEN_OPERAND_BARRIER, emitter->item.a);
    object = &emitter->objects.data[b];
  }
  object->size = size;
  omen_emitter_me (emitter)->barrier = b;
  omen_emitter_me (emitter)->barrier_address = emitter->item.a;
  *omen_map_at (&emitter->arrived,
                OMEN_PAIR (b, omen_emitter_me (emitter)->thread))
      = object->round;
  omen_emit_event (emitter, OMEN_ARRIVE, object->id);
  omen_emitter_last (emitter)->value = size;
  if (++object->count == size) {
    object->count = 0;
    object->round++;
  }
}

/* The barrier that the thread arrived at: others may have destroyed it
   meanwhile. */
static uint32_t
left_barrier (omen_emitter *emitter)
{
  const omen_actor *me = omen_emitter_me (emitter);
  return me->barrier_address == emitter->item.a
             ? me->barrier
             : omen_emit_object (emitter, OMEN_OPERAND_BARRIER,
                                 emitter->item.a);
}

void
omen_emit_barrier (omen_emitter *emitter)
{
  uint32_t b, round;
  if (omen_emit_in_order (emitter)) {
    omen_emit_order_kept (emitter);
    return;
  }
  if (emitter->item.kind == OMEN_ITEM_ARRIVE) {
    omen_emit_use (emitter);
    emit_arrival (emitter, omen_emit_object (emitter, OMEN_OPERAND_BARRIER,
                                             emitter->item.a));
    return;
  }
  b = left_barrier (emitter);
  round = omen_map_get (&emitter->arrived,
                        OMEN_PAIR (b, omen_emitter_me (emitter)->thread));
  if (round == OMEN_NONE || round >= emitter->objects.data[b].round)
    emitter->trace->rebuilt.odd++;
  else
    omen_emit_event (emitter, OMEN_DEPART, emitter->objects.data[b].id);
}
