/* Locks. Only the outermost acquire and release of a lock become events, and
   only consistent ones: if a held lock is acquired, its memory was reused for
   another lock in between, and a new object begins. */
#include "recording/events/events.h"

/* ---- objects by address ---- */

/* A lock in a heap block has the stack of its allocation. */
static void
note_home (omen_telling *telling, omen_lid lock, uint64_t address, uint32_t b)
{
  const omen_block *block
      = b == OMEN_NONE ? NULL : &telling->blocks.blocks.data[b];
  if (block && block->kind == OMEN_BLOCK_HEAP)
    omen_trace_home (telling->trace, lock,
                     (omen_home){ block->maker, block->stack, block->size,
                                  address - block->base });
}

static uint32_t
make_object (omen_telling *telling, omen_operand table, uint64_t address)
{
  uint32_t block = omen_tell_block (telling, address);
  omen_sync_object object = {
    .address = address, .block = block, .writer = OMEN_NONE, .robbed = OMEN_NONE
  };
  object.id = omen_tell_object_name (telling, table, address, block);
  if (table == OMEN_OPERAND_LOCK)
    note_home (telling, object.id, address, block);
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

/* A block that was allocated again has new objects in it. */
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

/* Is it still the lock at its address, and held? What a thread held whose
   remaining records are not used is unknown. */
static bool
is_held_for_sure (const omen_telling *telling, uint32_t lock)
{
  const omen_sync_object *object = &telling->objects.data[lock];
  return omen_tell_lock_held (telling, lock) && !telling->order->ended
         && omen_map_get (&telling->object_of[OMEN_OPERAND_LOCK],
                          object->address)
                == lock;
}

/* Only the destruction of held locks is emitted: that is misuse, otherwise
   nothing follows from it. */
static void
tell_destroyed (omen_telling *telling, uint32_t lock)
{
  if (is_held_for_sure (telling, lock))
    omen_tell (telling, OMEN_DESTROY, telling->objects.data[lock].id);
}

void
omen_tell_holding (omen_telling *telling, uint32_t lock)
{
  omen_sync_object *object = &telling->objects.data[lock];
  if (!object->listed && omen_tell_lock_held (telling, lock))
    OMEN_VEC_PUSH (telling->holding, lock);
  object->listed |= omen_tell_lock_held (telling, lock);
}

void
omen_tell_destroyed_in (omen_telling *telling, uint32_t block)
{
  omen_ids *list = &telling->holding;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    uint32_t lock = list->data[i];
    omen_sync_object *object = &telling->objects.data[lock];
    if (object->block == block)
      tell_destroyed (telling, lock);
    object->listed
        = object->block != block && omen_tell_lock_held (telling, lock);
    if (object->listed)
      list->data[kept++] = lock;
  }
  list->count = kept;
}

/* Initialised or destroyed. */
void
omen_tell_renew (omen_telling *telling, uint64_t address)
{
  static const omen_operand tables[]
      = { OMEN_OPERAND_LOCK, OMEN_OPERAND_CONDITION, OMEN_OPERAND_BARRIER,
          OMEN_OPERAND_SEMAPHORE };
  bool destroyed = telling->item.kind == OMEN_ITEM_LOCK_DESTROY;
  for (unsigned i = 0; i < OMEN_COUNT (tables); i++) {
    uint32_t object = omen_map_get (&telling->object_of[tables[i]], address);
    if (object == OMEN_NONE)
      continue;
    if (tables[i] == OMEN_OPERAND_LOCK && destroyed)
      tell_destroyed (telling, object);
    if (destroyed && omen_item_arg (&telling->item) & OMEN_LOCK_ERROR)
      return; /* it is still there */
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
  const omen_sync_object *object = &telling->objects.data[lock];
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

/* The call failed because the thread holds it already, or for other reasons. */
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
  omen_sync_object *object = &telling->objects.data[lock];
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
  omen_sync_object *object = &telling->objects.data[lock];
  OMEN_ASSERT (object->depth);
  if (--object->depth)
    return;
  object->writer = OMEN_NONE;
  tell (telling, OMEN_RELEASE, lock);
}

/* A release by a thread that does not hold it: misuse, which the trace can show
   if another thread does. If the call succeeded the lock is free. */
static void
release_stray (omen_telling *telling, uint32_t lock)
{
  omen_sync_object *object = &telling->objects.data[lock];
  telling->trace->rebuilt.odd++;
  if (object->writer == OMEN_NONE
      || object->writer == omen_tell_me (telling)->thread)
    return; /* a failed call releases nothing */
  tell (telling, OMEN_RELEASE, lock);
  if (omen_item_arg (&telling->item) & OMEN_LOCK_ERROR)
    return;
  object->robbed = object->writer;
  object->writer = OMEN_NONE;
}

/* A lock that the thread acquired and another one released: for the thread it
   was its own to release. It is free then, whichever thread has it by now. */
static void
release_robbed (omen_telling *telling, uint32_t lock)
{
  omen_sync_object *object = &telling->objects.data[lock];
  object->robbed = object->writer;
  object->writer = OMEN_NONE;
  tell (telling, OMEN_RELEASE, lock);
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
  else if (telling->objects.data[lock].robbed == omen_tell_me (telling)->thread)
    release_robbed (telling, lock);
  else
    release_stray (telling, lock);
}

/* A failed try has to fail; if no thread holds the lock as far as is known,
   only a request is emitted. */
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

/* Does the thread release a lock that it does not hold? It is free then,
   whoever holds it: that is like initialising it again, in a race with all its
   users. Not where the call refuses, or the beginning of the recording is
   lost. */
static bool
opens_by_force (omen_telling *telling, uint32_t lock)
{
  unsigned kind = telling->item.kind;
  return (kind == OMEN_ITEM_RELEASE || kind == OMEN_ITEM_READ_RELEASE)
         && !(omen_item_arg (&telling->item) & OMEN_LOCK_ERROR)
         && telling->objects.data[lock].writer != omen_tell_me (telling)->thread
         && telling->objects.data[lock].robbed != omen_tell_me (telling)->thread
         && !*read_depth (telling, lock) && !telling->start;
}

void
omen_tell_lock (omen_telling *telling)
{
  uint64_t address = telling->item.a;
  uint32_t lock = omen_tell_object (telling, OMEN_OPERAND_LOCK, address);
  if (opens_by_force (telling, lock))
    omen_tell_made (telling);
  else if (telling->item.kind != OMEN_ITEM_REQUEST)
    omen_tell_use (telling);
  tell_operation (telling, lock);
  omen_tell_holding (
      telling, omen_map_get (&telling->object_of[OMEN_OPERAND_LOCK], address));
  if (telling->item.kind == OMEN_ITEM_RELEASE
      || telling->item.kind == OMEN_ITEM_READ_RELEASE)
    omen_tell_given (telling, address);
  else if (telling->item.kind != OMEN_ITEM_REQUEST)
    omen_tell_taken (telling, address);
}
