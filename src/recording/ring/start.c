/* Makes the events that stand for the state at the start of a recording that
   has lost its beginning. */
#include "recording/ring/start.h"
#include "recording/events/events.h"

/* ---- operations that keep their order ---- */

static void
emit_order (omen_emitter *emitter, omen_kind kind)
{
  uint32_t object
      = omen_emit_object (emitter, OMEN_OPERAND_OBJECT, emitter->item.a);
  omen_emit_event (emitter, kind, emitter->objects.data[object].id);
}

bool
omen_emit_in_order (omen_emitter *emitter)
{
  if (OMEN_LIKELY (!emitter->start)
      || omen_map_get (&emitter->start->ordered, emitter->item.a) == OMEN_NONE)
    return false;
  emit_order (emitter, OMEN_HAPPENS_AFTER);
  return true;
}

void
omen_emit_order_kept (omen_emitter *emitter)
{
  emit_order (emitter, OMEN_HAPPENS_BEFORE);
}

/* ---- the state at the start ---- */

/* A write lock has one holder, which omen_start_find ensures. */
static void
emit_hold (omen_emitter *emitter, const omen_start_hold *hold)
{
  uint32_t lock = omen_emit_object (emitter, OMEN_OPERAND_LOCK, hold->lock);
  omen_sync_object *object = &emitter->objects.data[lock];
  omen_tid me = omen_emitter_me (emitter)->thread;
  OMEN_ASSERT (object->writer == OMEN_NONE
               && (hold->reads || !object->readers));
  omen_emit_event (emitter, hold->reads ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE,
                   object->id);
  if (hold->reads) {
    object->readers++;
    *omen_map_at (&emitter->held, OMEN_PAIR (lock, me)) = hold->depth;
  } else {
    object->writer = me;
    object->depth = hold->depth;
  }
  omen_emit_holding (emitter, lock);
}

static uint32_t
start_object (omen_emitter *emitter)
{
  static const char name[] = "start";
  return omen_trace_name (emitter->trace, OMEN_OPERAND_OBJECT, name,
                          sizeof name - 1);
}

/* The events from `first` on have no site. */
static void
emit_no_depends (omen_emitter *emitter, size_t first)
{
  if (emitter->depending)
    omen_depending_events (emitter->depending, emitter->trace, emitter->actor,
                           0, first, emitter->trace->events.count);
}

/* Nothing happens before all locks that were held at the start are held. */
void
omen_emit_start (omen_emitter *emitter)
{
  const omen_start *start = emitter->start;
  const omen_trace *trace = emitter->trace;
  if (!start)
    return;
  emitter->location = omen_emit_pc_location (emitter, 0);
  for (size_t i = 0; i < start->holds.count; i++) {
    size_t first = trace->events.count;
    emitter->actor = omen_emit_actor (emitter, start->holds.data[i].thread);
    emit_hold (emitter, &start->holds.data[i]);
    omen_emit_event (emitter, OMEN_HAPPENS_BEFORE, start_object (emitter));
    emit_no_depends (emitter, first);
  }
  for (size_t i = 0; i < start->threads.count; i++) {
    uint32_t id = start->threads.data[i];
    uint32_t ignoring = omen_map_get (&start->ignoring, id);
    size_t first = trace->events.count;
    emitter->actor = omen_emit_actor (emitter, id);
    if (start->holds.count)
      omen_emit_event (emitter, OMEN_HAPPENS_AFTER, start_object (emitter));
    emit_no_depends (emitter, first);
    omen_emitter_me (emitter)->ignore = ignoring == OMEN_NONE ? 0 : ignoring;
  }
}

/* ---- memory from before the start ---- */

/* The block is unknown, its uses are those of regions. Its free comes after the
   uses that it came after in the run, and before later uses of the memory; no
   race is claimed with it. */
void
omen_emit_old_free (omen_emitter *emitter)
{
  const unsigned bits = 16;                 /* regions, see events/names.c */
  const uint64_t most = UINT64_C (1) << 32; /* more than a block can be */
  uint64_t address = emitter->item.a;
  uint64_t size = omen_item_arg (&emitter->item) & OMEN_ALLOC_SIZE;
  uint64_t end;
  if (size > most || size > UINT64_MAX - address)
    size = 0;
  for (end = address + size; address < end;) {
    uint64_t next = ((address >> bits) + 1) << bits;
    uint64_t stop = next && next < end ? next : end;
    if (omen_map_get (&emitter->regions, address >> bits) != OMEN_NONE)
      omen_emit_external (emitter, address, stop - address);
    address = stop;
  }
}
