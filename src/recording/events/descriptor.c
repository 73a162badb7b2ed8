/* File descriptors. An open one is a block of its own, which is used by what
   reads, writes, sends and receives through it and freed by close, so that
   lifetimes are predicted as of memory.

     T0|alloc(fd3@f.c:7,1)|f.c:7     open
     T1|r(fd3@f.c:7)|f.c:20          read
     T2|free(fd3@f.c:7)|f.c:31       close

   Its number means another one once it was closed and made again. One that was
   there from the start, or that nobody was seen to make, has no alloc. What
   code that is not woven closes, for reasons that are not seen, ends nothing.
 */
#include "recording/events/events.h"

static void
tell (omen_emitter *emitter, omen_kind kind, omen_vid v)
{
  omen_emit_event (emitter, kind,
                   omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
}

static bool
are_told (omen_emitter *emitter)
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
  if (!are_told (emitter))
    return;
  outside = omen_emit_outside (emitter);
  if (use == OMEN_DESCRIPTOR_MADE || (*v == OMEN_NONE && !outside))
    *v = omen_emit_descriptor_name (emitter, item->a);
  if (*v == OMEN_NONE)
    return;
  if (use == OMEN_DESCRIPTOR_MADE) {
    tell (emitter, OMEN_ALLOC, *v);
    omen_emitter_last (emitter)->value = 1;
  } else if (use == OMEN_DESCRIPTOR_USED) {
    if (!outside)
      tell (emitter, OMEN_READ, *v);
  } else {
    tell (emitter, outside ? OMEN_EXTERNAL : OMEN_FREE, *v);
    *v = OMEN_NONE;
  }
}
