/* Named thread-local variables of the program, `errors@T2`: each is at the same
   distance from the thread pointer in every thread. They hide the block of all
   thread-locals, which still contains the rest (those of libraries, at
   distances chosen by the dynamic linker). The first thread's are not on its
   stack and exist from the start, like globals. */
#include "recording/events/events.h"

#include <stdio.h>

/* Its name in the source has no thread. */
static omen_vid
name_local (omen_emitter *emitter, const omen_data_object *local)
{
  char text[512];
  omen_variable_shape shape = local->shape;
  omen_vid v;
  const char *thread
      = omen_names_text (&emitter->trace->names[OMEN_OPERAND_THREAD],
                         omen_emitter_me (emitter)->thread);
  int length = snprintf (
      text, sizeof text, "%.400s@%.64s",
      omen_names_text (&emitter->trace->strings, local->name), thread);
  v = omen_names_again (&emitter->trace->names[OMEN_OPERAND_VARIABLE], text,
                        (size_t)length);
  if (shape.source == OMEN_NONE)
    shape.source = local->name;
  omen_layouts_shape (&emitter->trace->layouts, v, shape);
  return v;
}

static void
emit_on_stack (omen_emitter *emitter, uint64_t base, uint64_t size, omen_vid v)
{
  uint32_t b
      = omen_blocks_add (&emitter->blocks, base, size, OMEN_BLOCK_STACK, v);
  omen_emit_reachable (emitter, b);
  OMEN_VEC_PUSH (omen_emitter_me (emitter)->named_locals, b);
  omen_emit_event (emitter, OMEN_ALLOC,
                   omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
  omen_emitter_last (emitter)->value = size;
}

static bool
is_inside (uint64_t base, uint64_t size, uint64_t start, uint64_t end)
{
  return base >= start && base < end && size <= end - base;
}

void
omen_emit_named_locals (omen_emitter *emitter, const omen_own_memory *own)
{
  uint64_t pointer = own->pointer ? own->pointer : own->locals_end;
  for (size_t i = 0; pointer && i < emitter->file->thread_locals.count; i++) {
    omen_data_object local = emitter->file->thread_locals.data[i];
    uint64_t base = pointer - local.address;
    if (local.address > pointer || local.size >= UINT32_MAX)
      continue;
    if (own->locals
        && is_inside (base, local.size, own->locals, own->locals_end))
      emit_on_stack (emitter, base, local.size, name_local (emitter, &local));
    else if (!own->locals && (base >= own->stack_end || pointer <= own->stack))
      omen_blocks_add (&emitter->blocks, base, local.size, OMEN_BLOCK_GLOBAL,
                       name_local (emitter, &local));
  }
}

/* They end with their thread. As with all thread-locals, another thread may use
   them a moment later, so the blocks stay. */
void
omen_emit_named_locals_end (omen_emitter *emitter)
{
  omen_ids *named = &omen_emitter_me (emitter)->named_locals;
  for (size_t i = 0; i < named->count; i++) {
    omen_vid v = emitter->blocks.blocks.data[named->data[i]].variable;
    omen_emit_event (emitter, OMEN_FREE,
                     omen_trace_place (emitter->trace, v, 0, OMEN_WHOLE));
    OMEN_VEC_PUSH (emitter->ended_locals, named->data[i]);
  }
  OMEN_VEC_CLEAR (*named);
}
