/* Items in their order, told as events. */
#include "trace/rebuild_events.h"
#include "runtime/abi.h"

#include <stdio.h>
#include <string.h>

/* ---- telling ---- */

omen_event *
omen_tell_last (omen_telling *telling)
{
  return &OMEN_VEC_LAST (telling->trace->events);
}

omen_eid
omen_tell (omen_telling *telling, omen_kind kind, uint32_t object)
{
  omen_actor *me = omen_tell_me (telling);
  omen_event event = { .kind = (uint8_t)kind,
                       .thread = me->thread,
                       .object = object,
                       .location = telling->location };
  if (OMEN_UNLIKELY (me->wait != OMEN_NONE))
    omen_tell_split_wait (telling);
  if (OMEN_UNLIKELY (telling->outside_end) && !me->busy) {
    me->busy = true;
    OMEN_VEC_PUSH (telling->busy, telling->actor);
  }
  me->known = true;
  OMEN_VEC_PUSH (telling->trace->items, me->items);
  return omen_trace_add (telling->trace, &event);
}

/* The thread's number is its name. */
uint32_t
omen_tell_actor (omen_telling *telling, uint32_t id)
{
  uint32_t *actor = omen_map_at (&telling->actor_of, id);
  char name[16];
  int length;
  omen_actor new = { .wait = OMEN_NONE,
                     .called = OMEN_NONE,
                     .thread_locals = OMEN_NONE };
  if (*actor != OMEN_NONE)
    return *actor;
  length = snprintf (name, sizeof name, "T%u", id);
  new.thread = omen_trace_thread (telling->trace, name, (size_t)length);
  *actor = (uint32_t)telling->actors.count;
  OMEN_VEC_PUSH (telling->actors, new);
  return *actor;
}

/* ---- single items ---- */

static void
tell_thread (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  uint32_t other = omen_tell_actor (telling, (uint32_t)item->a);
  omen_tid thread = telling->actors.data[other].thread;
  omen_actor *them = &telling->actors.data[other];
  if (other == telling->actor)
    return;
  if (item->kind == OMEN_ITEM_FORK && (them->known || them->joined)) {
    telling->trace->rebuilt.odd++; /* one log can say anything */
    return;
  }
  them->known = true;
  omen_tell (telling, item->kind == OMEN_ITEM_FORK ? OMEN_FORK : OMEN_JOIN,
             thread);
  if (item->kind == OMEN_ITEM_JOIN)
    them->joined = true;
}

static void
tell_begin (omen_telling *telling)
{
  omen_own_memory own = omen_item_own_memory (&telling->item);
  omen_actor *me = omen_tell_me (telling);
  me->stack_start = own.stack;
  me->stack_end = own.stack_end;
  omen_tell_stack (telling, own.stack, own.stack_end);
  if (own.locals)
    omen_tell_thread_locals (telling, own.locals, own.locals_end);
  omen_tell_named_locals (telling, &own);
}

static void
tell_end (omen_telling *telling)
{
  omen_tell_locals_left (telling, 0);
  omen_tell_named_locals_end (telling);
  omen_tell_thread_locals_end (telling);
  omen_tell_me (telling)->stack_start = 0;
  omen_tell_me (telling)->stack_end = 0;
}

static void
tell_object (omen_telling *telling)
{
  uint32_t object
      = omen_tell_object (telling, OMEN_OPERAND_OBJECT, telling->item.a);
  omen_tell (telling,
             telling->item.kind == OMEN_ITEM_HAPPENS_BEFORE
                 ? OMEN_HAPPENS_BEFORE
                 : OMEN_HAPPENS_AFTER,
             telling->objects.data[object].id);
}

static void
tell_fence (omen_telling *telling)
{
  omen_tell (telling, OMEN_FENCE, OMEN_NONE);
  omen_tell_last (telling)->order
      = omen_notes_site (telling->file, telling->item.site)->order;
}

/* Up to the next marker that is where its function was called from. */
static void
tell_called (omen_telling *telling)
{
  omen_actor *me = omen_tell_me (telling);
  me->called = omen_tell_function (telling, telling->item.site);
  me->called_from = telling->item.a;
}

static void
tell_woven (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  bool ignored = omen_tell_me (telling)->ignore;
  switch (item->kind) {
  case OMEN_SITE_LOAD:
    if (!ignored)
      omen_tell_load (telling);
    return;
  case OMEN_SITE_STORE:
    omen_tell_access (telling, ignored ? OMEN_EXTERNAL : OMEN_WRITE, item->a,
                      item->size, item->b);
    return;
  case OMEN_SITE_STACK_ALLOC:
    omen_tell_local (telling);
    return;
  case OMEN_SITE_STACK_FREE:
    omen_tell_local_end (telling, item->a);
    return;
  case OMEN_SITE_EXTERNAL:
    omen_tell_external (telling, item->a, item->b);
    return;
  case OMEN_SITE_FENCE:
    tell_fence (telling);
    return;
  case OMEN_SITE_CALLED:
    tell_called (telling);
    return;
  default:
    omen_tell_me (telling)->called = OMEN_NONE;
    omen_tell_frame (telling);
  }
}

static void
tell_renewed (omen_telling *telling)
{
  omen_tell_renew (telling, telling->item.a);
}

static void
tell_range (omen_telling *telling)
{
  omen_tell_range (telling,
                   telling->item.kind == OMEN_ITEM_RANGE_READ ? OMEN_READ
                                                              : OMEN_WRITE,
                   omen_tell_me (telling)->ignore);
}

static void
tell_external (omen_telling *telling)
{
  if (!telling->file->blind)
    omen_tell_external (telling, telling->item.a,
                        omen_item_arg (&telling->item));
}

static void
tell_ignore (omen_telling *telling)
{
  omen_actor *me = omen_tell_me (telling);
  if (telling->item.kind == OMEN_ITEM_IGNORE_BEGIN)
    me->ignore++;
  else
    me->ignore -= me->ignore > 0;
}

/* No event: a replay has to know. */
static void
tell_interrupt (omen_telling *telling)
{
  const omen_actor *me = omen_tell_me (telling);
  omen_interrupt interrupt
      = { me->thread, (uint32_t)telling->item.a, me->items };
  OMEN_VEC_PUSH (telling->trace->interrupts, interrupt);
}

/* What the recorder's own items tell. Of those that are not here (TIME, GAP,
   SIGNAL_END) nothing happens. */
#define TELLS(name, function) [OMEN_ITEM_##name - OMEN_ITEM_FIRST] = function
static void (*const tells[OMEN_ITEM_END - OMEN_ITEM_FIRST]) (omen_telling *)
    = {
        TELLS (THREAD_BEGIN, tell_begin),
        TELLS (THREAD_END, tell_end),
        TELLS (FORK, tell_thread),
        TELLS (JOIN, tell_thread),
        TELLS (ACQUIRE, omen_tell_lock),
        TELLS (RELEASE, omen_tell_lock),
        TELLS (READ_ACQUIRE, omen_tell_lock),
        TELLS (READ_RELEASE, omen_tell_lock),
        TELLS (REQUEST, omen_tell_lock),
        TELLS (TRY_FAIL, omen_tell_lock),
        TELLS (READ_TRY_FAIL, omen_tell_lock),
        TELLS (LOCK_FAIL, omen_tell_lock),
        TELLS (LOCK_INIT, tell_renewed),
        TELLS (LOCK_DESTROY, tell_renewed),
        TELLS (WAIT, omen_tell_wait),
        TELLS (WAKE, omen_tell_wake),
        TELLS (NOTIFY, omen_tell_notify),
        TELLS (NOTIFY_ALL, omen_tell_notify),
        TELLS (SEM_INIT, omen_tell_semaphore),
        TELLS (SEM_UP, omen_tell_semaphore),
        TELLS (SEM_DOWN, omen_tell_semaphore),
        TELLS (SEM_FAIL, omen_tell_semaphore),
        TELLS (ARRIVE, omen_tell_barrier),
        TELLS (DEPART, omen_tell_barrier),
        TELLS (HAPPENS_BEFORE, tell_object),
        TELLS (HAPPENS_AFTER, tell_object),
        TELLS (ALLOC, omen_tell_alloc),
        TELLS (FREE, omen_tell_free),
        TELLS (RANGE_READ, tell_range),
        TELLS (RANGE_WRITE, tell_range),
        TELLS (EXTERNAL, tell_external),
        TELLS (ATOMIC, omen_tell_atomic),
        TELLS (BLOCK_BEGIN, omen_tell_mark),
        TELLS (BLOCK_END, omen_tell_mark),
        TELLS (EMIT, omen_tell_emit),
        TELLS (DEAD, omen_tell_dead),
        TELLS (IGNORE_BEGIN, tell_ignore),
        TELLS (IGNORE_END, tell_ignore),
        TELLS (SIGNAL_BEGIN, tell_interrupt),
      };
#undef TELLS

static void
tell_runtime (omen_telling *telling)
{
  unsigned kind = telling->item.kind;
  OMEN_ASSERT (kind >= OMEN_ITEM_FIRST && kind < OMEN_ITEM_END);
  if (tells[kind - OMEN_ITEM_FIRST])
    tells[kind - OMEN_ITEM_FIRST](telling);
}

uint32_t
omen_tell_item_site (const omen_item *item)
{
  if (item->kind < OMEN_ITEM_FIRST)
    return item->site;
  if (item->kind == OMEN_ITEM_ATOMIC && !omen_item_pc (item))
    return (uint32_t)omen_item_arg (item);
  if ((item->kind == OMEN_ITEM_RANGE_READ
       || item->kind == OMEN_ITEM_RANGE_WRITE)
      && omen_item_arg (item) >> 63)
    return (uint32_t)omen_item_pc (item);
  return 0;
}

static uint32_t
location_of (omen_telling *telling)
{
  const omen_item *item = &telling->item;
  uint32_t site = omen_tell_item_site (item);
  return site ? omen_tell_site_location (telling, site)
              : omen_tell_pc_location (
                    telling, item->notes < 2 ? 0 : omen_item_pc (item));
}

/* Markers of functions are told by themselves. */
static bool
is_marker (const omen_item *item)
{
  return item->kind >= OMEN_SITE_ENTER && item->kind <= OMEN_SITE_LANDED;
}

/* ---- the walk ---- */

/* A thread of the file on the way, and what was written from outside. */
typedef struct omen_source {
  omen_note_cursor cursor;
  uint32_t actor;
  size_t outside, outside_end; /* in order->outside */
} omen_source;

static void
tell_outside (omen_telling *telling, omen_source *source)
{
  const omen_outside *all = telling->order->outside.data;
  uint64_t at = omen_cursor_position (&source->cursor);
  while (source->outside < source->outside_end
         && all[source->outside].position <= at) {
    const omen_outside *outside = &all[source->outside++];
    omen_tell_changed (telling, outside->address, outside->size);
  }
}

/* Of what a site is known to depend on; nothing is said of ranges. */
static uint32_t
depending_site (const omen_item *item)
{
  return item->kind == OMEN_ITEM_RANGE_READ
                 || item->kind == OMEN_ITEM_RANGE_WRITE
             ? 0
             : omen_tell_item_site (item);
}

static uint32_t
actor_of_thread (const omen_telling *telling, omen_tid thread)
{
  uint32_t actor = telling->actor;
  if (telling->actors.data[actor].thread == thread)
    return actor;
  for (actor = 0; telling->actors.data[actor].thread != thread; actor++)
    OMEN_ASSERT (actor + 1 < telling->actors.count);
  return actor;
}

/* What the events from `outside` to `first` and those after it depend on: the
   former come from code that is not woven, in other threads, too. */
static void
tell_depends (omen_telling *telling, size_t outside, size_t first)
{
  omen_depending *depending = telling->depending;
  uint32_t site = depending_site (&telling->item), actor = telling->actor;
  size_t end = telling->trace->events.count;
  for (size_t e = outside; e < first; e++)
    omen_depending_told (
        depending, telling->trace,
        actor_of_thread (telling, telling->trace->events.data[e].thread), 0, e,
        e + 1);
  omen_depending_told (depending, telling->trace, actor, site, first, end);
  if (end == first && site && omen_depending_lost (depending, actor, site))
    omen_depending_bound (depending, actor, site,
                          omen_tell (telling, OMEN_BRANCH, OMEN_NONE));
}

static void
tell_item (omen_telling *telling, omen_source *source)
{
  size_t outside = telling->trace->events.count, first;
  telling->actor = source->actor;
  telling->location = location_of (telling);
  if (OMEN_UNLIKELY (source->outside < source->outside_end))
    tell_outside (telling, source);
  first = telling->trace->events.count;
  if (telling->item.kind < OMEN_ITEM_FIRST)
    tell_woven (telling);
  else
    tell_runtime (telling);
  if (first < telling->trace->events.count && !is_marker (&telling->item))
    omen_tell_frames (telling, first);
  if (telling->depending)
    tell_depends (telling, outside, first);
  omen_tell_me (telling)->items += omen_item_counts (telling->item.kind);
}

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

static void
tell_run (omen_telling *telling, omen_source *source, const omen_run *run)
{
  uint64_t end = omen_cursor_position (&source->cursor) + run->notes;
  while (omen_cursor_position (&source->cursor) < end
         && omen_cursor_peek (&source->cursor, &telling->item)) {
    if (telling->item.kind == OMEN_ITEM_SWITCH)
      source->actor = omen_tell_actor (telling, (uint32_t)telling->item.a);
    else
      tell_item (telling, source);
    if (OMEN_UNLIKELY (omen_past_due (&telling->past)))
      forget (telling, false);
    omen_cursor_pass (&source->cursor, &telling->item);
  }
  OMEN_ASSERT (omen_cursor_position (&source->cursor) == end);
}

static omen_source *
open_sources (omen_telling *telling)
{
  const omen_notes_file *file = telling->file;
  omen_source *sources = omen_zalloc (file->threads.count, sizeof *sources);
  size_t next = 0, count = telling->order->outside.count;
  for (uint32_t t = 0; t < file->threads.count; t++) {
    uint32_t id = file->threads.data[t].id;
    omen_cursor_init (&sources[t].cursor, file, &file->threads.data[t]);
    sources[t].actor = omen_tell_actor (telling, id == OMEN_NONE ? 0 : id);
    sources[t].outside = next;
    while (next < count && telling->order->outside.data[next].thread == t)
      next++;
    sources[t].outside_end = next;
  }
  return sources;
}

static void
start (omen_telling *telling)
{
  omen_blocks_init (&telling->blocks);
  omen_map_init (&telling->actor_of);
  omen_map_init (&telling->held);
  omen_map_init (&telling->arrived);
  omen_map_init (&telling->regions);
  omen_map_init (&telling->pointer_at);
  telling->lowest = UINT64_MAX;
  omen_map_init (&telling->pc_locations);
  omen_map_init (&telling->pc_outside);
  for (unsigned i = 0; i < OMEN_OPERANDS; i++)
    omen_map_init (&telling->object_of[i]);
  for (size_t i = 0; i < telling->file->sites.count; i++) {
    OMEN_VEC_PUSH (telling->site_locations, OMEN_NONE);
    OMEN_VEC_PUSH (telling->site_functions, OMEN_NONE);
    OMEN_VEC_PUSH (telling->site_shown, OMEN_NONE);
  }
  telling->values = !(telling->file->flags & OMEN_RECORDING_NO_VALUES);
}

static void
finish (omen_telling *telling)
{
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
  omen_map_fini (&telling->pointer_at);
  OMEN_VEC_FINI (telling->pointers);
  OMEN_VEC_FINI (telling->ended_locals);
  OMEN_VEC_FINI (telling->busy);
  omen_map_fini (&telling->outside_user);
  omen_map_fini (&telling->pc_locations);
  omen_map_fini (&telling->pc_outside);
  omen_blocks_fini (&telling->blocks);
}

void
omen_rebuild_events (const omen_notes_file *file, const omen_rebuilt *order,
                     const omen_start *begin, omen_trace *trace,
                     omen_depending *depending, omen_stacks *stacks)
{
  omen_telling telling = { .file = file,
                           .order = order,
                           .start = begin,
                           .trace = trace,
                           .depending = depending,
                           .stacks = stacks };
  omen_source *sources;
  start (&telling);
  omen_past_init (&telling.past, omen_rebuild_past, trace);
  omen_tell_outside_start (&telling);
  omen_tell_start (&telling);
  sources = open_sources (&telling);
  for (size_t i = 0; i < order->runs.count; i++) {
    const omen_run *run = &order->runs.data[i];
    tell_run (&telling, &sources[run->thread], run);
  }
  if (omen_rebuild_past)
    forget (&telling, true);
  trace->rebuilt.told = telling.past.forgotten + trace->events.count;
  trace->rebuilt.past = telling.past.front;
  if (telling.past.forgotten)
    trace->flags |= OMEN_TRACE_PARTIAL;
  omen_tell_inits (&telling);
  omen_past_fini (&telling.past);
  for (size_t t = 0; t < file->threads.count; t++)
    omen_cursor_fini (&sources[t].cursor);
  omen_free (sources);
  finish (&telling);
}
