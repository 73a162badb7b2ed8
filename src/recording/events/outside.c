/* Code that is not woven. Its accesses are not recorded, so what it may have
   done keeps its order:

   - a lock or semaphore that it uses (an opaque lock) guards accesses that are
     not recorded: all operations on it keep the order of the trace;
   - a value that nobody wrote may be the last effect of other threads: it comes
     after all that was done until then, unless one thread alone uses the
     memory;
   - at a read whose writer is unknown, all that was done before stays before
     all that is done after: a cut (merge/order.h). */
#include "recording/events/events.h"
#include "wire/abi.h"

/* Ranges of woven code have the id of a site where others have a pc. */
omen_outside_code
omen_tell_outside (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  uint64_t pc = item->notes < 2 ? 0 : omen_item_pc (item);
  bool range = item->kind == OMEN_ITEM_RANGE_READ
               || item->kind == OMEN_ITEM_RANGE_WRITE;
  uint32_t *known;
  OMEN_ASSERT (item->kind >= OMEN_ITEM_FIRST);
  if (!pc || pc == OMEN_MAP_NO_KEY || (range && omen_item_arg (item) >> 63))
    return OMEN_OUTSIDE_NOT;
  known = omen_map_at (&telling->pc_outside, pc);
  if (*known == OMEN_NONE)
    *known = omen_notes_outside (telling->file, pc);
  return (omen_outside_code)*known;
}

/* ---- boxes ---- */

static void
tell_box (omen_telling *telling, uint64_t address, omen_kind kind)
{
  uint32_t object;
  if (OMEN_LIKELY (omen_map_get (&telling->file->boxes, address) == OMEN_NONE))
    return;
  object = omen_tell_object (telling, OMEN_OPERAND_OBJECT, address);
  omen_tell (telling, kind, telling->objects.data[object].id);
}

void
omen_tell_given (omen_telling *telling, uint64_t address)
{
  tell_box (telling, address, OMEN_HAPPENS_BEFORE);
}

void
omen_tell_taken (omen_telling *telling, uint64_t address)
{
  tell_box (telling, address, OMEN_HAPPENS_AFTER);
}

/* ---- values that nobody wrote: who uses the memory ---- */

#define SHARED (OMEN_NONE - 1)

static void
note_user (omen_telling *telling, uint64_t address, uint64_t size,
           uint32_t thread)
{
  uint64_t end = address + size;
  if (end <= telling->outside_start || address >= telling->outside_end)
    return;
  for (uint64_t word = address >> 3; word <= (end - 1) >> 3; word++) {
    uint32_t user = omen_map_get (&telling->outside_user, word);
    if (user != OMEN_NONE && user != thread)
      *omen_map_at (&telling->outside_user, word)
          = user == SHARED - 1 ? thread : SHARED;
  }
}

static void
note_item (omen_telling *telling, const omen_item *item, uint32_t thread)
{
  switch (item->kind) {
  case OMEN_SITE_LOAD:
  case OMEN_SITE_STORE:
    note_user (telling, item->a, item->size, thread);
    return;
  case OMEN_ITEM_RANGE_READ:
  case OMEN_ITEM_RANGE_WRITE:
    if (omen_item_length (item))
      note_user (telling, item->a, omen_item_length (item), thread);
    return;
  case OMEN_ITEM_ATOMIC:
    note_user (telling, item->a, 16, thread);
    return;
  default:
    return;
  }
}

static void
note_thread (omen_telling *telling, const omen_notes_thread *thread)
{
  omen_note_cursor cursor;
  omen_item item;
  uint32_t id = thread->id == OMEN_NONE ? 0 : thread->id;
  omen_cursor_init (&cursor, telling->file, thread);
  while (omen_cursor_position (&cursor) < thread->notes
         && omen_cursor_peek (&cursor, &item)) {
    if (item.kind == OMEN_ITEM_SWITCH)
      id = (uint32_t)item.a;
    else
      note_item (telling, &item, id);
    omen_cursor_pass (&cursor, &item);
  }
  omen_cursor_fini (&cursor);
}

/* Words that changed without a record, at first with no user. */
static void
list_words (omen_telling *telling)
{
  const omen_rebuilt *order = telling->order;
  telling->outside_start = UINT64_MAX;
  telling->outside_end = 1;
  for (size_t i = 0; i < order->outside.count; i++) {
    const omen_outside *outside = &order->outside.data[i];
    uint64_t end = outside->address + outside->size;
    if (!outside->size)
      continue;
    if (outside->address < telling->outside_start)
      telling->outside_start = outside->address;
    if (end > telling->outside_end)
      telling->outside_end = end;
    for (uint64_t word = outside->address >> 3; word <= (end - 1) >> 3; word++)
      *omen_map_at (&telling->outside_user, word) = SHARED - 1;
  }
}

void
omen_tell_outside_start (omen_telling *telling)
{
  if (!telling->order->outside.count)
    return;
  list_words (telling);
  if (telling->outside_start == UINT64_MAX)
    return;
  for (size_t t = 0; t < telling->file->threads.count; t++)
    note_thread (telling, &telling->file->threads.data[t]);
}

/* ---- after all that was done ---- */

static uint32_t
everything (omen_telling *telling)
{
  static const char name[] = "outside";
  return omen_trace_name (telling->trace, OMEN_OPERAND_OBJECT, name,
                          sizeof name - 1);
}

static uint32_t
unexplained (omen_telling *telling)
{
  return omen_trace_name (telling->trace, OMEN_OPERAND_OBJECT,
                          OMEN_UNEXPLAINED_OBJECT,
                          sizeof OMEN_UNEXPLAINED_OBJECT - 1);
}

/* What the actor did until now comes before values that nobody wrote. It
   belongs to its last item, not to the one that it has not done yet. */
static void
tell_done (omen_telling *telling, uint32_t actor, uint32_t object)
{
  uint32_t me = telling->actor;
  omen_actor *other = &telling->actors.data[actor];
  OMEN_ASSERT (other->wait == OMEN_NONE && !other->joined);
  telling->actor = actor;
  omen_tell (telling, OMEN_HAPPENS_BEFORE, object);
  if (other->items && actor != me)
    OMEN_VEC_LAST (telling->trace->items) = other->items - 1;
  telling->actor = me;
  telling->done = true;
}

/* Nothing may come between a wait and its end, so it is emitted before. */
void
omen_tell_before_wait (omen_telling *telling)
{
  if (telling->outside_end && !omen_tell_me (telling)->joined) {
    tell_done (telling, telling->actor, everything (telling));
    if (telling->order && telling->order->cuts)
      tell_done (telling, telling->actor, unexplained (telling));
  }
}

static void
tell_all_done (omen_telling *telling)
{
  omen_ids *busy = &telling->busy;
  size_t kept = 0;
  for (size_t i = 0; i < busy->count; i++) {
    omen_actor *other = &telling->actors.data[busy->data[i]];
    if (busy->data[i] == telling->actor || other->wait != OMEN_NONE) {
      busy->data[kept++] = busy->data[i];
      continue;
    }
    if (!other->joined)
      tell_done (telling, busy->data[i], everything (telling));
    other->busy = false;
  }
  busy->count = kept;
}

void
omen_tell_after_cut (omen_telling *telling)
{
  omen_tell_me (telling)->cuts = telling->cuts;
  omen_tell (telling, OMEN_HAPPENS_AFTER, unexplained (telling));
}

/* All actors that emitted events since the last cut. */
void
omen_tell_cut (omen_telling *telling)
{
  for (uint32_t a = 0; a < telling->actors.count; a++) {
    omen_actor *actor = &telling->actors.data[a];
    if (actor->spoke && !actor->joined && actor->wait == OMEN_NONE)
      tell_done (telling, a, unexplained (telling));
    actor->spoke = false;
  }
  telling->cuts++;
  if (omen_tell_me (telling)->wait == OMEN_NONE)
    omen_tell_after_cut (telling);
}

/* A block that the thread allocated and no other uses was changed by what the
   thread itself called. */
static bool
is_private (omen_telling *telling, uint64_t address, uint64_t size)
{
  uint32_t b = omen_tell_block (telling, address);
  if (b == OMEN_NONE)
    return true; /* and nobody's */
  if (telling->live
      || telling->blocks.blocks.data[b].maker != omen_tell_me (telling)->thread)
    return false;
  for (uint64_t word = address >> 3; word <= (address + size - 1) >> 3; word++)
    if (omen_map_get (&telling->outside_user, word) == SHARED)
      return false;
  return true;
}

void
omen_tell_changed (omen_telling *telling, uint64_t address, uint64_t size)
{
  if (!is_private (telling, address, size)) {
    tell_all_done (telling);
    if (telling->done)
      omen_tell (telling, OMEN_HAPPENS_AFTER, everything (telling));
  }
  omen_tell_external (telling, address, size);
}
