/* The walk over the items in their order; what it begins and ends with. */
#include "recording/events/events.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

/* What is past goes; events have other numbers then. */
static void
forget (omen_telling *telling, bool end)
{
  omen_ids moved = { 0 };
  omen_past_forget (&telling->past, end, &moved);
  for (size_t i = 0; moved.count && i < telling->actors.count; i++) {
    omen_actor *actor = &telling->actors.data[i];
    if (actor->wait != OMEN_NONE)
      actor->wait = moved.data[actor->wait];
  }
  OMEN_VEC_FINI (moved);
  OMEN_VEC_CLEAR (telling->stacks->list);
}

#define LOOK_EVERY 4096u /* items from one look at the limits to the next */

/* Has it reached the file's limits? `done`: notes so far. */
static bool
is_over (omen_telling *telling, uint64_t done)
{
  const omen_notes_file *file = telling->file;
  if (OMEN_LIKELY (++telling->looks % LOOK_EVERY) || !file->limits)
    return false;
  telling->cut = omen_limits_over (file->limits, done, file->reader->notes);
  return telling->cut;
}

/* An access of woven code that nobody need know of (scan/settled.h). */
static bool
is_settled (const omen_telling *telling, const omen_source *source)
{
  const omen_item *item = &telling->item;
  return item->kind <= OMEN_SITE_STORE && source->outside == source->outside_end
         && omen_settled_is (telling->file->settled, item->a, item->size);
}

static void
tell_run (omen_telling *telling, omen_source *source,
          const omen_order_slice *run)
{
  uint64_t start = omen_cursor_position (&source->cursor);
  uint64_t end = start + run->notes;
  while (omen_cursor_position (&source->cursor) < end
         && omen_cursor_peek (&source->cursor, &telling->item)) {
    if (OMEN_UNLIKELY (is_over (
            telling,
            telling->told + omen_cursor_position (&source->cursor) - start)))
      break;
    if (telling->item.kind == OMEN_ITEM_SWITCH)
      source->actor = omen_tell_actor (telling, (uint32_t)telling->item.a);
    else if (is_settled (telling, source)) {
      telling->actors.data[source->actor].items++;
      telling->trace->rebuilt.settled++;
    } else
      omen_tell_item (telling, source);
    if (OMEN_UNLIKELY (omen_past_due (&telling->past)))
      forget (telling, false);
    omen_cursor_pass (&source->cursor, &telling->item);
  }
  telling->told += omen_cursor_position (&source->cursor) - start;
  OMEN_ASSERT (telling->cut || omen_cursor_position (&source->cursor) == end);
}

static void
open_source (omen_telling *telling, const omen_notes_thread *thread)
{
  uint32_t id = thread->id == OMEN_NONE ? 0 : thread->id;
  omen_source source = { .actor = omen_tell_actor (telling, id) };
  omen_cursor_init (&source.cursor, telling->file, thread);
  OMEN_VEC_PUSH (telling->sources, source);
}

/* Those of new threads, too; and what was written from outside. */
static void
open_sources (omen_telling *telling)
{
  const omen_notes_file *file = telling->file;
  size_t next = 0, count = telling->order->outside.count;
  for (size_t t = telling->sources.count; t < file->threads.count; t++)
    open_source (telling, &file->threads.data[t]);
  for (uint32_t t = 0; t < telling->sources.count; t++) {
    omen_source *source = &telling->sources.data[t];
    source->outside = next;
    while (next < count && telling->order->outside.data[next].thread == t)
      next++;
    source->outside_end = next;
    omen_cursor_renew (&source->cursor);
  }
  OMEN_ASSERT (next == count);
}

/* The file may have more sites than before. */
static void
learn_sites (omen_telling *telling)
{
  while (telling->site_locations.count < telling->file->sites.count) {
    OMEN_VEC_PUSH (telling->site_locations, OMEN_NONE);
    OMEN_VEC_PUSH (telling->site_functions, OMEN_NONE);
    OMEN_VEC_PUSH (telling->site_shown, OMEN_NONE);
  }
}

void
omen_telling_init (omen_telling *telling, const omen_notes_file *file,
                   omen_trace *trace, omen_stacks *stacks,
                   const omen_past_wish *wish)
{
  *telling = (omen_telling){ .file = file, .trace = trace, .stacks = stacks };
  omen_blocks_init (&telling->blocks);
  omen_map_init (&telling->actor_of);
  omen_map_init (&telling->held);
  omen_map_init (&telling->arrived);
  omen_map_init (&telling->regions);
  omen_map_init (&telling->gone);
  omen_map_init (&telling->descriptors);
  omen_map_init (&telling->pointer_at);
  telling->lowest = UINT64_MAX;
  omen_map_init (&telling->pc_locations);
  omen_map_init (&telling->pc_outside);
  for (unsigned i = 0; i < OMEN_OPERANDS; i++)
    omen_map_init (&telling->object_of[i]);
  omen_map_init (&telling->outside_user);
  omen_past_init (&telling->past, wish, trace);
  telling->values = !(telling->file->flags & OMEN_RECORDING_NO_VALUES);
}

void
omen_telling_fini (omen_telling *telling)
{
  omen_past_fini (&telling->past);
  for (size_t t = 0; t < telling->sources.count; t++)
    omen_cursor_fini (&telling->sources.data[t].cursor);
  OMEN_VEC_FINI (telling->sources);
  for (size_t i = 0; i < telling->actors.count; i++) {
    OMEN_VEC_FINI (telling->actors.data[i].frames);
    OMEN_VEC_FINI (telling->actors.data[i].locals);
    OMEN_VEC_FINI (telling->actors.data[i].named_locals);
    OMEN_VEC_FINI (telling->actors.data[i].blocks);
  }
  for (size_t i = 0; i < telling->objects.count; i++)
    OMEN_VEC_FINI (telling->objects.data[i].next);
  for (unsigned i = 0; i < OMEN_OPERANDS; i++)
    omen_map_fini (&telling->object_of[i]);
  OMEN_VEC_FINI (telling->actors);
  OMEN_VEC_FINI (telling->objects);
  OMEN_VEC_FINI (telling->site_locations);
  OMEN_VEC_FINI (telling->site_functions);
  OMEN_VEC_FINI (telling->site_shown);
  omen_map_fini (&telling->actor_of);
  omen_map_fini (&telling->held);
  omen_map_fini (&telling->arrived);
  omen_map_fini (&telling->regions);
  omen_map_fini (&telling->gone);
  omen_map_fini (&telling->descriptors);
  omen_map_fini (&telling->pointer_at);
  OMEN_VEC_FINI (telling->pointers);
  OMEN_VEC_FINI (telling->ended_locals);
  OMEN_VEC_FINI (telling->busy);
  OMEN_VEC_FINI (telling->holding);
  omen_map_fini (&telling->outside_user);
  omen_map_fini (&telling->pc_locations);
  omen_map_fini (&telling->pc_outside);
  omen_blocks_fini (&telling->blocks);
}

void
omen_telling_part (omen_telling *telling, const omen_rebuilt *order)
{
  telling->order = order;
  learn_sites (telling);
  open_sources (telling);
  for (size_t i = 0; i < order->runs.count && !telling->cut; i++) {
    const omen_order_slice *run = &order->runs.data[i];
    tell_run (telling, &telling->sources.data[run->thread], run);
  }
}

void
omen_telling_end (omen_telling *telling)
{
  omen_trace *trace = telling->trace;
  if (telling->past.wish)
    forget (telling, true);
  trace->rebuilt.told = telling->past.forgotten + trace->events.count;
  trace->rebuilt.past = telling->past.front;
  if (telling->past.forgotten)
    trace->flags |= OMEN_TRACE_PARTIAL;
  omen_tell_inits (telling);
}

/* If not all of the file is in the trace for want of time or memory. */
static void
note_part (const omen_telling *telling)
{
  const omen_limits *limits = telling->file->limits;
  omen_rebuild_counts *counts = &telling->trace->rebuilt;
  if (!limits || !limits->hit)
    return;
  counts->cut = limits->hit;
  counts->part = telling->told;
  counts->whole = telling->file->reader->notes;
  telling->trace->flags |= OMEN_TRACE_PARTIAL;
}

#define EVENTS_SHARE 0.6 /* of the limits: trace and model come after it */

void
omen_rebuild_events (const omen_notes_file *file, const omen_rebuilt *order,
                     const omen_start *begin, omen_trace *trace,
                     omen_depending *depending, omen_stacks *stacks,
                     omen_ids *uses)
{
  omen_telling telling;
  omen_limits_begin (file->limits, "making events of notes", EVENTS_SHARE);
  omen_telling_init (&telling, file, trace, stacks, NULL);
  telling.uses = uses;
  telling.start = begin;
  telling.depending = depending;
  telling.order = order;
  learn_sites (&telling);
  omen_tell_outside_start (&telling);
  omen_tell_start (&telling);
  omen_telling_part (&telling, order);
  note_part (&telling);
  if (!trace->rebuilt.cut)
    omen_tell_ends (&telling);
  omen_telling_end (&telling);
  omen_telling_fini (&telling);
}
