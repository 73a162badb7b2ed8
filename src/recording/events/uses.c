/* Locks, conditions, semaphores and barriers are memory, too: initialising or
   destroying one, or releasing what another thread may hold, writes it, and
   using it reads it. So that races with these are found, a byte that stands for
   the object is accessed before the operation. It lies behind the variable, at
   the object's offset, where nothing else is accessed, but belongs to it:
   freeing the variable writes it, too.

     T0|w(m+40:1=0)|f.c:5         pthread_mutex_init
     T1|ar.rlx(m+40:1=0)|f.c:9    pthread_mutex_lock
     T1|acq(m)|f.c:9
     T0|w.gone(m+40:1=1)|f.c:7    pthread_mutex_destroy

   The value is the same as long as the object exists, so these accesses order
   nothing else. Nothing more is claimed about uses of a destroyed object.

   Reads are atomic, since users do not race with each other. What POSIX allows
   is ordered: a lock or semaphore may be destroyed as soon as one has it (the
   use comes before the release, or up, of the previous holder), a barrier as
   soon as one has left it, a condition when its waiters were notified; so
   a wake and a departure are no uses.

   Uninstrumented code passes such objects on in ways that are not recorded, so
   its operations emit no accesses. */
#include "recording/events/events.h"

/* OMEN_NONE: outside all variables, or not to be emitted. */
static omen_pid
place_of_object (omen_emitter *emitter)
{
  uint64_t address = emitter->item.a, behind;
  const omen_block *block;
  uint32_t b;
  if (!emitter->uses || emitter->file->blind
      || omen_emitter_me (emitter)->ignore
      || emitter->file->flags & OMEN_RECORDING_SYNC_ONLY
      || !omen_notes_has_woven (emitter->file) || omen_emit_outside (emitter))
    return OMEN_NONE;
  b = omen_emit_block (emitter, address);
  if (b == OMEN_NONE)
    return OMEN_NONE;
  block = &emitter->blocks.blocks.data[b];
  if (block->kind == OMEN_BLOCK_REGION) /* a named semaphore's, say */
    return OMEN_NONE;
  behind = block->size + (address - block->base);
  return behind < UINT32_MAX - 1
             ? omen_trace_place (emitter->trace, block->variable,
                                 (uint32_t)behind, 1)
             : OMEN_NONE;
}

/* The value, which says whether the object was destroyed. */
static void
emit_use (omen_emitter *emitter, omen_kind kind, omen_order order,
          bool destroys)
{
  omen_pid place = place_of_object (emitter);
  uint32_t *gone;
  if (place == OMEN_NONE)
    return;
  gone = omen_map_at (&emitter->gone, place);
  if (*gone == OMEN_NONE || kind == OMEN_WRITE)
    *gone = destroys;
  OMEN_VEC_PUSH (*emitter->uses, omen_emit_event (emitter, kind, place));
  omen_emitter_last (emitter)->order = (uint8_t)order;
  omen_emitter_last (emitter)->value_kind = OMEN_VALUE_INT;
  omen_emitter_last (emitter)->value = *gone;
  if (destroys)
    omen_emitter_last (emitter)->mode |= OMEN_MODE_GONE;
}

void
omen_emit_use (omen_emitter *emitter)
{
  emit_use (emitter, OMEN_ATOMIC_READ, OMEN_ORDER_RELAXED, false);
}

void
omen_emit_made (omen_emitter *emitter)
{
  bool destroys = emitter->item.kind == OMEN_ITEM_LOCK_DESTROY
                  && !(omen_item_arg (&emitter->item) & OMEN_LOCK_ERROR);
  emit_use (emitter, OMEN_WRITE, OMEN_ORDER_SC, destroys);
}
