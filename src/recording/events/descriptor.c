/* File descriptors. An open one is modelled as a heap block: reads, writes,
   sends and receives through it are accesses, and close frees it, so that its
   lifetime is predicted like that of memory.

     T0|alloc(fd3@f.c:7,1)|f.c:7     open
     T1|r(fd3@f.c:7)|f.c:20          read
     T2|free(fd3@f.c:7)|f.c:31       close

   A number that is closed and opened again denotes a new block. A descriptor
   whose open was not recorded (inherited, or opened by uninstrumented code) has
   no alloc. A close by uninstrumented code does not end the lifetime.
 */
#include "recording/events/events.h"

static void
emit_use (omen_emitter *emitter, omen_kind kind, omen_vid v)
{
  omen_emit_event (emitter, kind,
                   omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
}

static bool
are_emitted (omen_emitter *emitter)
{
  return emitter->uses && !emitter->live && !emitter->file->blind
         && !omen_emitter_me (emitter)->ignore
         && !(emitter->file->flags & OMEN_RECORDING_SYNC_ONLY)
         && omen_notes_has_woven (emitter->file);
}

void
omen_emit_descriptor (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint64_t use = omen_item_arg (item);
  uint32_t *v = omen_map_at (&emitter->descriptors, (uint32_t)item->a);
  bool outside;
  if (!are_emitted (emitter))
    return;
  outside = omen_emit_outside (emitter);
  if (use == OMEN_DESCRIPTOR_MADE || (*v == OMEN_NONE && !outside))
    *v = omen_emit_descriptor_name (emitter, item->a);
  if (*v == OMEN_NONE)
    return;
  if (use == OMEN_DESCRIPTOR_MADE) {
    emit_use (emitter, OMEN_ALLOC, *v);
    omen_emitter_last (emitter)->value = 1;
  } else if (use == OMEN_DESCRIPTOR_USED) {
    if (!outside)
      emit_use (emitter, OMEN_READ, *v);
  } else {
    emit_use (emitter, outside ? OMEN_EXTERNAL : OMEN_FREE, *v);
    *v = OMEN_NONE;
  }
}
