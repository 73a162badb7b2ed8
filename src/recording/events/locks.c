/* Locks. Only the outermost acquire and release of a lock become events, and
   only consistent ones: if a held lock is acquired, its memory was reused for
   another lock in between, and a new object begins. */
#include "recording/events/events.h"

/* ---- objects by address ---- */

/* A lock in a heap block has the stack of its allocation. */
static void
note_home (omen_emitter *emitter, omen_lid lock, uint64_t address, uint32_t b)
{
  const omen_block *block
      = b == OMEN_NONE ? NULL : &emitter->blocks.blocks.data[b];
  if (block && block->kind == OMEN_BLOCK_HEAP)
    omen_trace_home (emitter->trace, lock,
                     (omen_home){ block->maker, block->stack, block->size,
                                  address - block->base });
}

static uint32_t
make_object (omen_emitter *emitter, omen_operand table, uint64_t address)
{
  uint32_t block = omen_emit_block (emitter, address);
  omen_sync_object object = {
    .address = address, .block = block, .writer = OMEN_NONE, .robbed = OMEN_NONE
  };
  object.id = omen_emit_object_name (emitter, table, address, block);
  if (table == OMEN_OPERAND_LOCK)
    note_home (emitter, object.id, address, block);
  OMEN_VEC_PUSH (emitter->objects, object);
  return (uint32_t)emitter->objects.count - 1;
}

uint32_t
omen_emit_fresh (omen_emitter *emitter, omen_operand table, uint64_t address)
{
  uint32_t object = make_object (emitter, table, address);
  *omen_map_at (&emitter->object_of[table], address) = object;
  return object;
}

/* A block that was allocated again has new objects in it. */
uint32_t
omen_emit_object (omen_emitter *emitter, omen_operand table, uint64_t address)
{
  uint32_t object = omen_map_get (&emitter->object_of[table], address);
  if (object != OMEN_NONE
      && emitter->objects.data[object].block
             == omen_emit_block (emitter, address))
    return object;
  return omen_emit_fresh (emitter, table, address);
}

/* Is it still the lock at its address, and held? What a thread held whose
   remaining records are not used is unknown. */
static bool
is_held_for_sure (const omen_emitter *emitter, uint32_t lock)
{
  const omen_sync_object *object = &emitter->objects.data[lock];
  return omen_emit_lock_held (emitter, lock) && !emitter->order->ended
         && omen_map_get (&emitter->object_of[OMEN_OPERAND_LOCK],
                          object->address)
                == lock;
}

/* Only the destruction of held locks is emitted: that is misuse, otherwise
   nothing follows from it. */
static void
emit_destroyed (omen_emitter *emitter, uint32_t lock)
{
  if (is_held_for_sure (emitter, lock))
    omen_emit_event (emitter, OMEN_DESTROY, emitter->objects.data[lock].id);
}

void
omen_emit_holding (omen_emitter *emitter, uint32_t lock)
{
  omen_sync_object *object = &emitter->objects.data[lock];
  if (!object->listed && omen_emit_lock_held (emitter, lock))
    OMEN_VEC_PUSH (emitter->holding, lock);
  object->listed |= omen_emit_lock_held (emitter, lock);
}

void
omen_emit_destroyed_in (omen_emitter *emitter, uint32_t block)
{
  omen_ids *list = &emitter->holding;
  size_t kept = 0;
  for (size_t i = 0; i < list->count; i++) {
    uint32_t lock = list->data[i];
    omen_sync_object *object = &emitter->objects.data[lock];
    if (object->block == block)
      emit_destroyed (emitter, lock);
    object->listed
        = object->block != block && omen_emit_lock_held (emitter, lock);
    if (object->listed)
      list->data[kept++] = lock;
  }
  list->count = kept;
}

/* Initialised or destroyed. */
void
omen_emit_renew (omen_emitter *emitter, uint64_t address)
{
  static const omen_operand tables[]
      = { OMEN_OPERAND_LOCK, OMEN_OPERAND_CONDITION, OMEN_OPERAND_BARRIER,
          OMEN_OPERAND_SEMAPHORE };
  bool destroyed = emitter->item.kind == OMEN_ITEM_LOCK_DESTROY;
  for (unsigned i = 0; i < OMEN_COUNT (tables); i++) {
    uint32_t object = omen_map_get (&emitter->object_of[tables[i]], address);
    if (object == OMEN_NONE)
      continue;
    if (tables[i] == OMEN_OPERAND_LOCK && destroyed)
      emit_destroyed (emitter, object);
    if (destroyed && omen_item_arg (&emitter->item) & OMEN_LOCK_ERROR)
      return; /* it is still there */
    *omen_map_at (&emitter->object_of[tables[i]], address) = OMEN_NONE;
  }
}

/* ---- holders ---- */

static uint32_t *
read_depth (omen_emitter *emitter, uint32_t lock)
{
  uint32_t *depth = omen_map_at (
      &emitter->held, OMEN_PAIR (lock, omen_emitter_me (emitter)->thread));
  if (*depth == OMEN_NONE)
    *depth = 0;
  return depth;
}

bool
omen_emit_lock_held (const omen_emitter *emitter, uint32_t lock)
{
  const omen_sync_object *object = &emitter->objects.data[lock];
  return object->writer != OMEN_NONE || object->readers;
}

static void
emit_lock (omen_emitter *emitter, omen_kind kind, uint32_t lock)
{
  omen_emit_event (emitter, kind, emitter->objects.data[lock].id);
  if ((kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE)
      && omen_item_arg (&emitter->item) & OMEN_LOCK_TRY)
    omen_emitter_last (emitter)->mode |= OMEN_MODE_TRY;
}

/* ---- taking ---- */

/* The call failed because the thread holds it already, or for other reasons. */
static void
acquire_error (omen_emitter *emitter, uint32_t lock)
{
  if (emitter->objects.data[lock].writer != omen_emitter_me (emitter)->thread)
    return;
  emit_lock (emitter, OMEN_ACQUIRE, lock);
  emit_lock (emitter, OMEN_RELEASE, lock);
}

static void
emit_acquire (omen_emitter *emitter, uint32_t lock)
{
  omen_tid me = omen_emitter_me (emitter)->thread;
  uint64_t flags = omen_item_arg (&emitter->item);
  omen_sync_object *object = &emitter->objects.data[lock];
  if (flags & OMEN_LOCK_ERROR) {
    acquire_error (emitter, lock);
    return;
  }
  if (object->writer == me && flags & OMEN_LOCK_RECURSIVE) {
    object->depth++;
    return;
  }
  if (omen_emit_lock_held (emitter, lock)) {
    emitter->trace->rebuilt.odd++;
    lock = omen_emit_fresh (emitter, OMEN_OPERAND_LOCK, emitter->item.a);
    object = &emitter->objects.data[lock];
  }
  emit_lock (emitter, OMEN_ACQUIRE, lock);
  object->writer = me;
  object->depth = 1;
}

static void
read_acquire (omen_emitter *emitter, uint32_t lock)
{
  uint32_t *depth = read_depth (emitter, lock);
  if (omen_item_arg (&emitter->item) & OMEN_LOCK_ERROR)
    return;
  if (*depth) {
    ++*depth;
    return;
  }
  if (emitter->objects.data[lock].writer != OMEN_NONE) {
    emitter->trace->rebuilt.odd++;
    lock = omen_emit_fresh (emitter, OMEN_OPERAND_LOCK, emitter->item.a);
    depth = read_depth (emitter, lock);
  }
  emit_lock (emitter, OMEN_READ_ACQUIRE, lock);
  emitter->objects.data[lock].readers++;
  *depth = 1;
}

/* ---- giving ---- */

static void
release_read (omen_emitter *emitter, uint32_t lock, uint32_t *depth)
{
  if (--*depth)
    return;
  OMEN_ASSERT (emitter->objects.data[lock].readers);
  emitter->objects.data[lock].readers--;
  emit_lock (emitter, OMEN_READ_RELEASE, lock);
}

static void
release_write (omen_emitter *emitter, uint32_t lock)
{
  omen_sync_object *object = &emitter->objects.data[lock];
  OMEN_ASSERT (object->depth);
  if (--object->depth)
    return;
  object->writer = OMEN_NONE;
  emit_lock (emitter, OMEN_RELEASE, lock);
}

/* A release by a thread that does not hold it: misuse, which the trace can show
   if another thread does. If the call succeeded the lock is free. */
static void
release_stray (omen_emitter *emitter, uint32_t lock)
{
  omen_sync_object *object = &emitter->objects.data[lock];
  emitter->trace->rebuilt.odd++;
  if (object->writer == OMEN_NONE
      || object->writer == omen_emitter_me (emitter)->thread)
    return; /* a failed call releases nothing */
  emit_lock (emitter, OMEN_RELEASE, lock);
  if (omen_item_arg (&emitter->item) & OMEN_LOCK_ERROR)
    return;
  object->robbed = object->writer;
  object->writer = OMEN_NONE;
}

/* A release of a lock that the thread acquired, but another thread has released
   since: the thread still counts as its holder, so this is no misuse.
   Afterwards the lock is free, even if a third thread has acquired it. */
static void
release_robbed (omen_emitter *emitter, uint32_t lock)
{
  omen_sync_object *object = &emitter->objects.data[lock];
  object->robbed = object->writer;
  object->writer = OMEN_NONE;
  emit_lock (emitter, OMEN_RELEASE, lock);
}

static void
release (omen_emitter *emitter, uint32_t lock)
{
  uint32_t *depth = read_depth (emitter, lock);
  if (emitter->objects.data[lock].writer == omen_emitter_me (emitter)->thread
      && !(omen_item_arg (&emitter->item) & OMEN_LOCK_ERROR))
    release_write (emitter, lock);
  else if (*depth)
    release_read (emitter, lock, depth);
  else if (emitter->objects.data[lock].robbed
           == omen_emitter_me (emitter)->thread)
    release_robbed (emitter, lock);
  else
    release_stray (emitter, lock);
}

/* A failed try has to fail; if no thread holds the lock as far as is known,
   only a request is emitted. */
static void
try_fail (omen_emitter *emitter, uint32_t lock, bool held, omen_kind kind)
{
  emit_lock (emitter, held ? kind : OMEN_LOCK_FAIL, lock);
}

static void
emit_operation (omen_emitter *emitter, uint32_t lock)
{
  switch (emitter->item.kind) {
  case OMEN_ITEM_ACQUIRE:
    emit_acquire (emitter, lock);
    return;
  case OMEN_ITEM_READ_ACQUIRE:
    read_acquire (emitter, lock);
    return;
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
    release (emitter, lock);
    return;
  case OMEN_ITEM_TRY_FAIL:
    try_fail (emitter, lock, omen_emit_lock_held (emitter, lock),
              OMEN_TRY_FAIL);
    return;
  case OMEN_ITEM_READ_TRY_FAIL:
    try_fail (emitter, lock, emitter->objects.data[lock].writer != OMEN_NONE,
              OMEN_READ_TRY_FAIL);
    return;
  case OMEN_ITEM_REQUEST:
    emit_lock (emitter, OMEN_REQUEST, lock);
    return;
  default:
    OMEN_ASSERT (emitter->item.kind == OMEN_ITEM_LOCK_FAIL);
    emit_lock (emitter, OMEN_LOCK_FAIL, lock);
  }
}

/* Is the operation a release of what the thread does not hold now? */
static bool
releases_another (omen_emitter *emitter, uint32_t lock)
{
  const omen_sync_object *object = &emitter->objects.data[lock];
  omen_tid me = omen_emitter_me (emitter)->thread;
  unsigned kind = emitter->item.kind;
  return (kind == OMEN_ITEM_RELEASE || kind == OMEN_ITEM_READ_RELEASE)
         && object->writer != me && object->robbed != me
         && !*read_depth (emitter, lock);
}

/* The lock to release: if it was initialised again while the thread held it,
   the thread releases the one that it has taken. */
static uint32_t
lock_to_release (omen_emitter *emitter, uint32_t lock)
{
  const omen_sync_object *now = &emitter->objects.data[lock];
  if (!releases_another (emitter, lock))
    return lock;
  for (size_t i = 0; i < emitter->holding.count; i++) {
    uint32_t old = emitter->holding.data[i];
    const omen_sync_object *object = &emitter->objects.data[old];
    if (object->address == now->address && object->block == now->block
        && (object->writer == omen_emitter_me (emitter)->thread
            || *read_depth (emitter, old)))
      return old;
  }
  return lock;
}

/* Does the thread release a lock that it does not hold? The lock is free then,
   even if another thread holds it: that is like initialising it again, in a
   race with all its users. Not if the call returned an error, or the beginning
   of the recording is lost. */
static bool
opens_by_force (omen_emitter *emitter, uint32_t lock)
{
  return releases_another (emitter, lock)
         && !(omen_item_arg (&emitter->item) & OMEN_LOCK_ERROR)
         && !emitter->start;
}

void
omen_emit_lock (omen_emitter *emitter)
{
  uint64_t address = emitter->item.a;
  uint32_t lock = lock_to_release (
      emitter, omen_emit_object (emitter, OMEN_OPERAND_LOCK, address));
  if (opens_by_force (emitter, lock))
    omen_emit_made (emitter);
  else if (emitter->item.kind != OMEN_ITEM_REQUEST)
    omen_emit_use (emitter);
  emit_operation (emitter, lock);
  omen_emit_holding (
      emitter, omen_map_get (&emitter->object_of[OMEN_OPERAND_LOCK], address));
  if (emitter->item.kind == OMEN_ITEM_RELEASE
      || emitter->item.kind == OMEN_ITEM_READ_RELEASE)
    omen_emit_given (emitter, address);
  else if (emitter->item.kind != OMEN_ITEM_REQUEST)
    omen_emit_taken (emitter, address);
}
