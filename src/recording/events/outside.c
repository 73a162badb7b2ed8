/* Uninstrumented code. Its accesses are not recorded, so possible effects of it
   keep their order:

   - a lock or semaphore that it uses (an opaque lock) guards accesses that are
     not recorded: all operations on it keep the order of the trace;
   - a value that no write stored may be the last effect of other threads: it
     comes after everything before it in the trace, unless one thread alone
     uses the memory;
   - at a read whose writer is unknown, everything before it in the trace stays
     before everything after it: a cut (merge/order.h). */
#include "recording/events/events.h"
#include "wire/abi.h"

/* Ranges of woven code have the id of a site where others have a pc. */
omen_outside_code
omen_emit_outside (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint64_t pc = item->notes < 2 ? 0 : omen_item_pc (item);
  bool range = item->kind == OMEN_ITEM_RANGE_READ
               || item->kind == OMEN_ITEM_RANGE_WRITE;
  uint32_t *known;
  OMEN_ASSERT (item->kind >= OMEN_ITEM_FIRST);
  if (!pc || pc == OMEN_MAP_NO_KEY || (range && omen_item_arg (item) >> 63))
    return OMEN_OUTSIDE_NOT;
  known = omen_map_at (&emitter->pc_outside, pc);
  if (*known == OMEN_NONE)
    *known = omen_notes_outside (emitter->file, pc);
  return (omen_outside_code)*known;
}

/* ---- opaque locks ---- */

static void
emit_opaque (omen_emitter *emitter, uint64_t address, omen_kind kind)
{
  uint32_t object;
  if (OMEN_LIKELY (omen_map_get (&emitter->file->opaque, address) == OMEN_NONE))
    return;
  object = omen_emit_object (emitter, OMEN_OPERAND_OBJECT, address);
  omen_emit_event (emitter, kind, emitter->objects.data[object].id);
}

void
omen_emit_given (omen_emitter *emitter, uint64_t address)
{
  emit_opaque (emitter, address, OMEN_HAPPENS_BEFORE);
}

void
omen_emit_taken (omen_emitter *emitter, uint64_t address)
{
  emit_opaque (emitter, address, OMEN_HAPPENS_AFTER);
}

/* ---- values that no write stored: which threads use the memory ---- */

#define SHARED (OMEN_NONE - 1)

static void
note_user (omen_emitter *emitter, uint64_t address, uint64_t size,
           uint32_t thread)
{
  uint64_t end = address + size;
  if (end <= emitter->outside_start || address >= emitter->outside_end)
    return;
  for (uint64_t word = address >> 3; word <= (end - 1) >> 3; word++) {
    uint32_t user = omen_map_get (&emitter->outside_user, word);
    if (user != OMEN_NONE && user != thread)
      *omen_map_at (&emitter->outside_user, word)
          = user == SHARED - 1 ? thread : SHARED;
  }
}

static void
note_item (omen_emitter *emitter, const omen_item *item, uint32_t thread)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
  case OMEN_SITE_STORE:
    note_user (emitter, item->a, item->size, thread);
    return;
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    if (omen_item_length (item))
      note_user (emitter, item->a, omen_item_length (item), thread);
    return;
  case OMEN_ITEM_ATOMIC:
    note_user (emitter, item->a, 16, thread);
    return;
  default:
    return;
  }
}

static void
note_thread (omen_emitter *emitter, const omen_notes_thread *thread)
{
  omen_note_cursor cursor;
  omen_item item;
  uint32_t id = thread->id == OMEN_NONE ? 0 : thread->id;
  omen_cursor_init (&cursor, emitter->file, thread);
  while (omen_cursor_position (&cursor) < thread->notes
         && omen_cursor_peek (&cursor, &item)) {
    if (item.kind == OMEN_ITEM_SWITCH)
      id = (uint32_t)item.a;
    else
      note_item (emitter, &item, id);
    omen_cursor_pass (&cursor, &item);
  }
  omen_cursor_fini (&cursor);
}

/* Words that changed without a record, at first with no user. */
static void
list_words (omen_emitter *emitter)
{
  const omen_rebuilt *order = emitter->order;
  emitter->outside_start = UINT64_MAX;
  emitter->outside_end = 1;
  for (size_t i = 0; i < order->outside.count; i++) {
    const omen_outside *outside = &order->outside.data[i];
    uint64_t end = outside->address + outside->size;
    if (!outside->size)
      continue;
    if (outside->address < emitter->outside_start)
      emitter->outside_start = outside->address;
    if (end > emitter->outside_end)
      emitter->outside_end = end;
    for (uint64_t word = outside->address >> 3; word <= (end - 1) >> 3; word++)
      *omen_map_at (&emitter->outside_user, word) = SHARED - 1;
  }
}

void
omen_emit_outside_start (omen_emitter *emitter)
{
  if (!emitter->order->outside.count)
    return;
  list_words (emitter);
  if (emitter->outside_start == UINT64_MAX)
    return;
  for (size_t t = 0; t < emitter->file->threads.count; t++)
    note_thread (emitter, &emitter->file->threads.data[t]);
}

/* ---- after all that was done ---- */

static uint32_t
everything (omen_emitter *emitter)
{
  static const char name[] = "outside";
  return omen_trace_name (emitter->trace, OMEN_OPERAND_OBJECT, name,
                          sizeof name - 1);
}

static uint32_t
unexplained (omen_emitter *emitter)
{
  return omen_trace_name (emitter->trace, OMEN_OPERAND_OBJECT,
                          OMEN_UNEXPLAINED_OBJECT,
                          sizeof OMEN_UNEXPLAINED_OBJECT - 1);
}

/* What the actor did so far precedes values that no write stored. The hb event
   belongs to its last item, not to the one that is still to come. */
static void
emit_done (omen_emitter *emitter, uint32_t actor, uint32_t object)
{
  uint32_t me = emitter->actor;
  omen_actor *other = &emitter->actors.data[actor];
  OMEN_ASSERT (other->wait == OMEN_NONE && !other->joined);
  emitter->actor = actor;
  omen_emit_event (emitter, OMEN_HAPPENS_BEFORE, object);
  if (other->items && actor != me)
    OMEN_VEC_LAST (emitter->trace->items) = other->items - 1;
  emitter->actor = me;
  emitter->done = true;
}

/* Nothing may come between a wait and its end, so it is emitted before. */
void
omen_emit_before_wait (omen_emitter *emitter)
{
  if (emitter->outside_end && !omen_emitter_me (emitter)->joined) {
    emit_done (emitter, emitter->actor, everything (emitter));
    if (emitter->order && emitter->order->cuts)
      emit_done (emitter, emitter->actor, unexplained (emitter));
  }
}

static void
emit_all_done (omen_emitter *emitter)
{
  omen_ids *busy = &emitter->busy;
  size_t kept = 0;
  for (size_t i = 0; i < busy->count; i++) {
    omen_actor *other = &emitter->actors.data[busy->data[i]];
    if (busy->data[i] == emitter->actor || other->wait != OMEN_NONE) {
      busy->data[kept++] = busy->data[i];
      continue;
    }
    if (!other->joined)
      emit_done (emitter, busy->data[i], everything (emitter));
    other->busy = false;
  }
  busy->count = kept;
}

void
omen_emit_after_cut (omen_emitter *emitter)
{
  omen_emitter_me (emitter)->cuts = emitter->cuts;
  omen_emit_event (emitter, OMEN_HAPPENS_AFTER, unexplained (emitter));
}

/* All actors that emitted events since the last cut. */
void
omen_emit_cut (omen_emitter *emitter)
{
  for (uint32_t a = 0; a < emitter->actors.count; a++) {
    omen_actor *actor = &emitter->actors.data[a];
    if (actor->spoke && !actor->joined && actor->wait == OMEN_NONE)
      emit_done (emitter, a, unexplained (emitter));
    actor->spoke = false;
  }
  emitter->cuts++;
  if (omen_emitter_me (emitter)->wait == OMEN_NONE)
    omen_emit_after_cut (emitter);
}

/* A block that the thread allocated and no other uses was changed by what the
   thread itself called, unless others write it unseen. */
static bool
is_private (omen_emitter *emitter, uint64_t address, uint64_t size)
{
  uint32_t b = omen_emit_block (emitter, address);
  if (b == OMEN_NONE)
    return true; /* outside all blocks */
  if (emitter->live || omen_mappings_exposed (&emitter->file->mappings, address)
      || emitter->blocks.blocks.data[b].maker
             != omen_emitter_me (emitter)->thread)
    return false;
  for (uint64_t word = address >> 3; word <= (address + size - 1) >> 3; word++)
    if (omen_map_get (&emitter->outside_user, word) == SHARED)
      return false;
  return true;
}

void
omen_emit_changed (omen_emitter *emitter, uint64_t address, uint64_t size)
{
  if (!is_private (emitter, address, size)) {
    emit_all_done (emitter);
    if (emitter->done)
      omen_emit_event (emitter, OMEN_HAPPENS_AFTER, everything (emitter));
  }
  omen_emit_external (emitter, address, size);
}
