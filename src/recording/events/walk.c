/* The walk over the items in the merged order; how it begins and ends. */
#include "recording/events/events.h"
#include "recording/scan/settled.h"
#include "wire/abi.h"

/* Drops past events; the others get new numbers. */
static void
forget_past (omen_emitter *emitter, bool end)
{
  omen_ids moved = { 0 };
  omen_past_forget (&emitter->past, end, &moved);
  for (size_t i = 0; moved.count && i < emitter->actors.count; i++) {
    omen_actor *actor = &emitter->actors.data[i];
    if (actor->wait != OMEN_NONE)
      actor->wait = moved.data[actor->wait];
  }
  OMEN_VEC_FINI (moved);
  OMEN_VEC_CLEAR (emitter->stacks->list);
}

#define CHECK_EVERY 4096u /* items between two checks of the limits */

/* Has it reached a limit of the file? `done`: records so far. */
static bool
emitting_is_over (omen_emitter *emitter, uint64_t done)
{
  const omen_notes_file *file = emitter->file;
  if (OMEN_LIKELY (++emitter->steps % CHECK_EVERY) || !file->limits)
    return false;
  emitter->cut = omen_limits_over (file->limits, done, file->reader->notes);
  return emitter->cut;
}

/* An access of woven code that is left out (scan/settled.h). */
static bool
is_settled (const omen_emitter *emitter, const omen_source *source)
{
  const omen_item *item = &emitter->item;
  return item->kind <= OMEN_SITE_STORE && source->outside == source->outside_end
         && omen_settled_is (emitter->file->settled, item->a, item->size);
}

/* Items that were dropped (scan/extract.h). */
static void
pass_skipped (omen_emitter *emitter, omen_source *source)
{
  uint64_t items = emitter->item.a;
  emitter->actors.data[source->actor].items += items;
  emitter->trace->rebuilt.settled += items;
  emitter->walked += items - 1;
}

static void
emit_run (omen_emitter *emitter, omen_source *source,
          const omen_order_slice *run)
{
  uint64_t start = omen_cursor_position (&source->cursor);
  uint64_t end = start + run->notes;
  while (omen_cursor_position (&source->cursor) < end
         && omen_cursor_peek (&source->cursor, &emitter->item)) {
    if (OMEN_UNLIKELY (emitting_is_over (
            emitter,
            emitter->walked + omen_cursor_position (&source->cursor) - start)))
      break;
    if (emitter->item.kind == OMEN_ITEM_SWITCH)
      source->actor = omen_emit_actor (emitter, (uint32_t)emitter->item.a);
    else if (emitter->item.site == OMEN_SKIPPED)
      pass_skipped (emitter, source);
    else if (is_settled (emitter, source)) {
      emitter->actors.data[source->actor].items++;
      emitter->trace->rebuilt.settled++;
    } else
      omen_emit_item (emitter, source);
    if (OMEN_UNLIKELY (omen_past_due (&emitter->past)))
      forget_past (emitter, false);
    omen_cursor_pass (&source->cursor, &emitter->item);
  }
  emitter->walked += omen_cursor_position (&source->cursor) - start;
  OMEN_ASSERT (emitter->cut || omen_cursor_position (&source->cursor) == end);
}

static void
open_source (omen_emitter *emitter, const omen_notes_thread *thread)
{
  uint32_t id = thread->id == OMEN_NONE ? 0 : thread->id;
  omen_source source = { .actor = omen_emit_actor (emitter, id) };
  omen_cursor_init (&source.cursor, emitter->file, thread);
  OMEN_VEC_PUSH (emitter->sources, source);
}

/* Makes room for sites that a growing file has added. */
static void
learn_sites (omen_emitter *emitter)
{
  while (emitter->site_locations.count < emitter->file->sites.count) {
    OMEN_VEC_PUSH (emitter->site_locations, OMEN_NONE);
    OMEN_VEC_PUSH (emitter->site_functions, OMEN_NONE);
    OMEN_VEC_PUSH (emitter->site_shown, OMEN_NONE);
  }
}

void
omen_emitter_init (omen_emitter *emitter, const omen_notes_file *file,
                   omen_trace *trace, omen_stacks *stacks,
                   const omen_past_filter *filter)
{
  *emitter = (omen_emitter){ .file = file, .trace = trace, .stacks = stacks };
  omen_blocks_init (&emitter->blocks);
  omen_map_init (&emitter->actor_of);
  omen_map_init (&emitter->held);
  omen_map_init (&emitter->arrived);
  omen_map_init (&emitter->regions);
  omen_map_init (&emitter->gone);
  omen_map_init (&emitter->descriptors);
  omen_map_init (&emitter->pointer_at);
  emitter->lowest = UINT64_MAX;
  omen_map_init (&emitter->pc_locations);
  omen_map_init (&emitter->pc_outside);
  for (unsigned i = 0; i < OMEN_OPERANDS; i++)
    omen_map_init (&emitter->object_of[i]);
  omen_map_init (&emitter->outside_user);
  omen_past_init (&emitter->past, filter, trace);
  emitter->values = !(emitter->file->flags & OMEN_RECORDING_NO_VALUES);
}

void
omen_emitter_fini (omen_emitter *emitter)
{
  omen_past_fini (&emitter->past);
  for (size_t t = 0; t < emitter->sources.count; t++)
    omen_cursor_fini (&emitter->sources.data[t].cursor);
  OMEN_VEC_FINI (emitter->sources);
  for (size_t i = 0; i < emitter->actors.count; i++) {
    OMEN_VEC_FINI (emitter->actors.data[i].frames);
    OMEN_VEC_FINI (emitter->actors.data[i].locals);
    OMEN_VEC_FINI (emitter->actors.data[i].named_locals);
    OMEN_VEC_FINI (emitter->actors.data[i].blocks);
  }
  for (size_t i = 0; i < emitter->objects.count; i++)
    OMEN_VEC_FINI (emitter->objects.data[i].next);
  for (unsigned i = 0; i < OMEN_OPERANDS; i++)
    omen_map_fini (&emitter->object_of[i]);
  OMEN_VEC_FINI (emitter->actors);
  OMEN_VEC_FINI (emitter->objects);
  OMEN_VEC_FINI (emitter->site_locations);
  OMEN_VEC_FINI (emitter->site_functions);
  OMEN_VEC_FINI (emitter->site_shown);
  omen_map_fini (&emitter->actor_of);
  omen_map_fini (&emitter->held);
  omen_map_fini (&emitter->arrived);
  omen_map_fini (&emitter->regions);
  omen_map_fini (&emitter->gone);
  omen_map_fini (&emitter->descriptors);
  omen_map_fini (&emitter->pointer_at);
  OMEN_VEC_FINI (emitter->pointers);
  OMEN_VEC_FINI (emitter->ended_locals);
  OMEN_VEC_FINI (emitter->busy);
  OMEN_VEC_FINI (emitter->reached);
  OMEN_VEC_FINI (emitter->holding);
  omen_map_fini (&emitter->outside_user);
  omen_map_fini (&emitter->pc_locations);
  omen_map_fini (&emitter->pc_outside);
  omen_blocks_fini (&emitter->blocks);
}

void
omen_emitter_part (omen_emitter *emitter, const omen_rebuilt *order)
{
  emitter->order = order;
  learn_sites (emitter);
  /* Creates actors of new threads and finds their changes from outside. */
  const omen_notes_file *file = emitter->file;
  size_t next = 0, count = order->outside.count;
  for (size_t t = emitter->sources.count; t < file->threads.count; t++)
    open_source (emitter, &file->threads.data[t]);
  for (uint32_t t = 0; t < emitter->sources.count; t++) {
    omen_source *source = &emitter->sources.data[t];
    source->outside = next;
    while (next < count && order->outside.data[next].thread == t)
      next++;
    source->outside_end = next;
    omen_cursor_renew (&source->cursor);
  }
  OMEN_ASSERT (next == count);
  for (size_t i = 0; i < order->runs.count && !emitter->cut; i++) {
    const omen_order_slice *run = &order->runs.data[i];
    emit_run (emitter, &emitter->sources.data[run->thread], run);
  }
}

void
omen_emitter_end (omen_emitter *emitter)
{
  omen_trace *trace = emitter->trace;
  if (emitter->past.filter)
    forget_past (emitter, true);
  trace->rebuilt.emitted = emitter->past.forgotten + trace->events.count;
  trace->rebuilt.past = emitter->past.front;
  if (emitter->past.forgotten)
    trace->flags |= OMEN_TRACE_PARTIAL;
  omen_emit_inits (emitter);
}

/* Records in the trace that a limit cut off the rest of the file. */
static void
note_part (const omen_emitter *emitter)
{
  const omen_limits *limits = emitter->file->limits;
  omen_rebuild_counts *counts = &emitter->trace->rebuilt;
  if (!limits || !limits->hit)
    return;
  counts->cut = limits->hit;
  counts->part = emitter->walked;
  counts->whole = emitter->file->reader->notes;
  emitter->trace->flags |= OMEN_TRACE_PARTIAL;
}

/* Of memory and time; trace and model get the rest. */
#define EVENTS_SHARE 0.6

void
omen_rebuild_events (const omen_notes_file *file, const omen_rebuilt *order,
                     const omen_start *begin, omen_trace *trace,
                     omen_depending *depending, omen_stacks *stacks,
                     omen_ids *uses)
{
  omen_emitter emitter;
  omen_limits_begin (file->limits, "making events of notes", EVENTS_SHARE);
  omen_emitter_init (&emitter, file, trace, stacks, NULL);
  emitter.uses = uses;
  emitter.start = begin;
  emitter.depending = depending;
  emitter.order = order;
  learn_sites (&emitter);
  omen_emit_outside_start (&emitter);
  omen_emit_start (&emitter);
  omen_emitter_part (&emitter, order);
  note_part (&emitter);
  if (!trace->rebuilt.cut)
    omen_emit_ends (&emitter);
  omen_emitter_end (&emitter);
  omen_emitter_fini (&emitter);
}
