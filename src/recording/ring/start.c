/* Makes the events that stand for the state at the start of a recording that
   has lost its beginning. */
#include "recording/ring/start.h"
#include "recording/events/events.h"

/* ---- operations that keep their order ---- */

static void
tell_order (omen_telling *telling, omen_kind kind)
{
  uint32_t object
      = omen_tell_object (telling, OMEN_OPERAND_OBJECT, telling->item.a);
  omen_tell (telling, kind, telling->objects.data[object].id);
}

bool
omen_tell_in_order (omen_telling *telling)
{
  if (OMEN_LIKELY (!telling->start)
      || omen_map_get (&telling->start->ordered, telling->item.a) == OMEN_NONE)
    return false;
  tell_order (telling, OMEN_HAPPENS_AFTER);
  return true;
}

void
omen_tell_order_kept (omen_telling *telling)
{
  tell_order (telling, OMEN_HAPPENS_BEFORE);
}

/* ---- the state at the start ---- */

/* A write lock has one holder, which omen_start_find ensures. */
static void
tell_hold (omen_telling *telling, const omen_start_hold *hold)
{
  uint32_t lock = omen_tell_object (telling, OMEN_OPERAND_LOCK, hold->lock);
  omen_sync_object *object = &telling->objects.data[lock];
  omen_tid me = omen_tell_me (telling)->thread;
  OMEN_ASSERT (object->writer == OMEN_NONE
               && (hold->reads || !object->readers));
  omen_tell (telling, hold->reads ? OMEN_READ_ACQUIRE : OMEN_ACQUIRE,
             object->id);
  if (hold->reads) {
    object->readers++;
    *omen_map_at (&telling->held, OMEN_PAIR (lock, me)) = hold->depth;
  } else {
    object->writer = me;
    object->depth = hold->depth;
  }
  omen_tell_holding (telling, lock);
}

static uint32_t
start_object (omen_telling *telling)
{
  static const char name[] = "start";
  return omen_trace_name (telling->trace, OMEN_OPERAND_OBJECT, name,
                          sizeof name - 1);
}

/* The events from `first` on have no site. */
static void
tell_no_depends (omen_telling *telling, size_t first)
{
  if (telling->depending)
    omen_depending_told (telling->depending, telling->trace, telling->actor, 0,
                         first, telling->trace->events.count);
}

/* Nothing happens before all locks that were held at the start are held. */
void
omen_tell_start (omen_telling *telling)
{
  const omen_start *start = telling->start;
  const omen_trace *trace = telling->trace;
  if (!start)
    return;
  telling->location = omen_tell_pc_location (telling, 0);
  for (size_t i = 0; i < start->holds.count; i++) {
    size_t first = trace->events.count;
    telling->actor = omen_tell_actor (telling, start->holds.data[i].thread);
    tell_hold (telling, &start->holds.data[i]);
    omen_tell (telling, OMEN_HAPPENS_BEFORE, start_object (telling));
    tell_no_depends (telling, first);
  }
  for (size_t i = 0; i < start->threads.count; i++) {
    uint32_t id = start->threads.data[i];
    uint32_t ignoring = omen_map_get (&start->ignoring, id);
    size_t first = trace->events.count;
    telling->actor = omen_tell_actor (telling, id);
    if (start->holds.count)
      omen_tell (telling, OMEN_HAPPENS_AFTER, start_object (telling));
    tell_no_depends (telling, first);
    omen_tell_me (telling)->ignore = ignoring == OMEN_NONE ? 0 : ignoring;
  }
}

/* ---- memory from before the start ---- */

/* The block is unknown, its uses are those of regions. Its free comes after the
   uses that it came after in the run, and before later uses of the memory; no
   race is claimed with it. */
void
omen_tell_old_free (omen_telling *telling)
{
  const unsigned bits = 16;                 /* regions, see events/names.c */
  const uint64_t most = UINT64_C (1) << 32; /* more than a block can be */
  uint64_t address = telling->item.a;
  uint64_t size = omen_item_arg (&telling->item) & OMEN_ALLOC_SIZE;
  uint64_t end;
  if (size > most || size > UINT64_MAX - address)
    size = 0;
  for (end = address + size; address < end;) {
    uint64_t next = ((address >> bits) + 1) << bits;
    uint64_t stop = next && next < end ? next : end;
    if (omen_map_get (&telling->regions, address >> bits) != OMEN_NONE)
      omen_tell_external (telling, address, stop - address);
    address = stop;
  }
}
