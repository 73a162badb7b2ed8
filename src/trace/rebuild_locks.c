/* Locks. Only the outermost acquire and release of a lock are events, and only
   such that make sense: if a lock that somebody holds is taken, its memory was
   used for another lock in between, and a new one begins. */
#include "trace/rebuild_events.h"

/* ---- objects by address ---- */

static uint32_t
make_object (omen_telling *telling, omen_operand table, uint64_t address)
{
  uint32_t block = omen_tell_block (telling, address);
  omen_object object = { .block = block, .writer = OMEN_NONE };
  object.id = omen_tell_object_name (telling, table, address, block);
  OMEN_VEC_PUSH (telling->objects, object);
  return (uint32_t)telling->objects.count - 1;
}

uint32_t
omen_tell_fresh (omen_telling *telling, omen_operand table, uint64_t address)
{
  uint32_t object = make_object (telling, table, address);
  *omen_map_at (&telling->object_of[table], address) = object;
  return object;
}

/* A block that was allocated anew has new objects in it. */
uint32_t
omen_tell_object (omen_telling *telling, omen_operand table, uint64_t address)
{
  uint32_t object = omen_map_get (&telling->object_of[table], address);
  if (object != OMEN_NONE
      && telling->objects.data[object].block
             == omen_tell_block (telling, address))
    return object;
  return omen_tell_fresh (telling, table, address);
}

static void
tell_destroyed (omen_telling *telling, uint32_t lock)
{
  omen_trace *trace = telling->trace;
  const omen_name *name
      = &trace->names[OMEN_OPERAND_LOCK].names[telling->objects.data[lock].id];
  omen_vid v = omen_trace_name (trace, OMEN_OPERAND_VARIABLE, name->text,
                                name->length);
  omen_tell (telling, OMEN_FREE, omen_trace_place (trace, v, 0, OMEN_WHOLE));
}

/* Initialised or destroyed. The latter while it is held is worth telling: the
   misuse is free(l) of a lock that is held. */
void
omen_tell_renew (omen_telling *telling, uint64_t address)
{
  static const omen_operand tables[]
      = { OMEN_OPERAND_LOCK, OMEN_OPERAND_CONDITION, OMEN_OPERAND_BARRIER,
          OMEN_OPERAND_SEMAPHORE };
  for (unsigned i = 0; i < OMEN_COUNT (tables); i++) {
    uint32_t object = omen_map_get (&telling->object_of[tables[i]], address);
    if (object == OMEN_NONE)
      continue;
    if (tables[i] == OMEN_OPERAND_LOCK
        && telling->item.kind == OMEN_ITEM_LOCK_DESTROY
        && omen_tell_lock_held (telling, object))
      tell_destroyed (telling, object);
    *omen_map_at (&telling->object_of[tables[i]], address) = OMEN_NONE;
  }
}

/* ---- who holds what ---- */

static uint32_t *
read_depth (omen_telling *telling, uint32_t lock)
{
  uint32_t *depth = omen_map_at (
      &telling->held, OMEN_PAIR (lock, omen_tell_me (telling)->thread));
  if (*depth == OMEN_NONE)
    *depth = 0;
  return depth;
}

bool
omen_tell_lock_held (const omen_telling *telling, uint32_t lock)
{
  const omen_object *object = &telling->objects.data[lock];
  return object->writer != OMEN_NONE || object->readers;
}

static void
tell (omen_telling *telling, omen_kind kind, uint32_t lock)
{
  omen_tell (telling, kind, telling->objects.data[lock].id);
  if ((kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE)
      && omen_item_arg (&telling->item) & OMEN_LOCK_TRY)
    omen_tell_last (telling)->mode |= OMEN_MODE_TRY;
}

/* ---- taking ---- */

/* The call failed because the thread has it already, or for other reasons. */
static void
acquire_error (omen_telling *telling, uint32_t lock)
{
  if (telling->objects.data[lock].writer != omen_tell_me (telling)->thread)
    return;
  tell (telling, OMEN_ACQUIRE, lock);
  tell (telling, OMEN_RELEASE, lock);
}

static void
acquire (omen_telling *telling, uint32_t lock)
{
  omen_tid me = omen_tell_me (telling)->thread;
  uint64_t flags = omen_item_arg (&telling->item);
  omen_object *object = &telling->objects.data[lock];
  if (flags & OMEN_LOCK_ERROR) {
    acquire_error (telling, lock);
    return;
  }
  if (object->writer == me && flags & OMEN_LOCK_RECURSIVE) {
    object->depth++;
    return;
  }
  if (omen_tell_lock_held (telling, lock)) {
    telling->trace->rebuilt.odd++;
    lock = omen_tell_fresh (telling, OMEN_OPERAND_LOCK, telling->item.a);
    object = &telling->objects.data[lock];
  }
  tell (telling, OMEN_ACQUIRE, lock);
  object->writer = me;
  object->depth = 1;
}

static void
read_acquire (omen_telling *telling, uint32_t lock)
{
  uint32_t *depth = read_depth (telling, lock);
  if (omen_item_arg (&telling->item) & OMEN_LOCK_ERROR)
    return;
  if (*depth) {
    ++*depth;
    return;
  }
  if (telling->objects.data[lock].writer != OMEN_NONE) {
    telling->trace->rebuilt.odd++;
    lock = omen_tell_fresh (telling, OMEN_OPERAND_LOCK, telling->item.a);
    depth = read_depth (telling, lock);
  }
  tell (telling, OMEN_READ_ACQUIRE, lock);
  telling->objects.data[lock].readers++;
  *depth = 1;
}

/* ---- giving ---- */

static void
release_read (omen_telling *telling, uint32_t lock, uint32_t *depth)
{
  if (--*depth)
    return;
  OMEN_ASSERT (telling->objects.data[lock].readers);
  telling->objects.data[lock].readers--;
  tell (telling, OMEN_READ_RELEASE, lock);
}

static void
release_write (omen_telling *telling, uint32_t lock)
{
  omen_object *object = &telling->objects.data[lock];
  OMEN_ASSERT (object->depth);
  if (--object->depth)
    return;
  object->writer = OMEN_NONE;
  tell (telling, OMEN_RELEASE, lock);
}

/* By somebody who does not have it: misuse, which the trace can show if
   somebody else does. A lock that was really given up is free. */
static void
release_stray (omen_telling *telling, uint32_t lock)
{
  omen_object *object = &telling->objects.data[lock];
  telling->trace->rebuilt.odd++;
  if (object->writer == OMEN_NONE
      || object->writer == omen_tell_me (telling)->thread)
    return; /* a call that failed gives up nothing */
  tell (telling, OMEN_RELEASE, lock);
  if (!(omen_item_arg (&telling->item) & OMEN_LOCK_ERROR))
    object->writer = OMEN_NONE;
}

static void
release (omen_telling *telling, uint32_t lock)
{
  uint32_t *depth = read_depth (telling, lock);
  if (telling->objects.data[lock].writer == omen_tell_me (telling)->thread
      && !(omen_item_arg (&telling->item) & OMEN_LOCK_ERROR))
    release_write (telling, lock);
  else if (*depth)
    release_read (telling, lock, depth);
  else
    release_stray (telling, lock);
}

/* A failed try has to fail; if nobody has the lock as far as we can tell, the
   trace only says that somebody asked. */
static void
try_fail (omen_telling *telling, uint32_t lock, bool held, omen_kind kind)
{
  tell (telling, held ? kind : OMEN_LOCK_FAIL, lock);
}

static void
tell_operation (omen_telling *telling, uint32_t lock)
{
  switch (telling->item.kind) {
  case OMEN_ITEM_ACQUIRE:
    acquire (telling, lock);
    return;
  case OMEN_ITEM_READ_ACQUIRE:
    read_acquire (telling, lock);
    return;
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
    release (telling, lock);
    return;
  case OMEN_ITEM_TRY_FAIL:
    try_fail (telling, lock, omen_tell_lock_held (telling, lock),
              OMEN_TRY_FAIL);
    return;
  case OMEN_ITEM_READ_TRY_FAIL:
    try_fail (telling, lock, telling->objects.data[lock].writer != OMEN_NONE,
              OMEN_READ_TRY_FAIL);
    return;
  case OMEN_ITEM_REQUEST:
    tell (telling, OMEN_REQUEST, lock);
    return;
  default:
    OMEN_ASSERT (telling->item.kind == OMEN_ITEM_LOCK_FAIL);
    tell (telling, OMEN_LOCK_FAIL, lock);
  }
}

void
omen_tell_lock (omen_telling *telling)
{
  uint64_t address = telling->item.a;
  tell_operation (telling,
                  omen_tell_object (telling, OMEN_OPERAND_LOCK, address));
  if (telling->item.kind == OMEN_ITEM_RELEASE
      || telling->item.kind == OMEN_ITEM_READ_RELEASE)
    omen_tell_given (telling, address);
  else if (telling->item.kind != OMEN_ITEM_REQUEST)
    omen_tell_taken (telling, address);
}
