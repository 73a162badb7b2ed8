/* Which events an item becomes. */
#include "recording/events/events.h"
#include "wire/abi.h"

#include <stdio.h>
#include <string.h>

/* ---- emitting events ---- */

omen_event *
omen_emitter_last (omen_emitter *emitter)
{
  return &OMEN_VEC_LAST (emitter->trace->events);
}

omen_eid
omen_emit_event (omen_emitter *emitter, omen_kind kind, uint32_t object)
{
  omen_actor *me = omen_emitter_me (emitter);
  omen_event event = { .kind = (uint8_t)kind,
                       .thread = me->thread,
                       .object = object,
                       .location = emitter->location };
  if (OMEN_UNLIKELY (me->wait != OMEN_NONE))
    omen_emit_split_wait (emitter);
  if (OMEN_UNLIKELY (emitter->outside_end) && !me->busy) {
    me->busy = true;
    OMEN_VEC_PUSH (emitter->busy, emitter->actor);
  }
  me->known = me->spoke = true;
  OMEN_VEC_PUSH (emitter->trace->items, me->items);
  return omen_trace_add (emitter->trace, &event);
}

/* The thread's name is its number. */
uint32_t
omen_emit_actor (omen_emitter *emitter, uint32_t id)
{
  uint32_t *actor = omen_map_at (&emitter->actor_of, id);
  char name[16];
  int length;
  omen_actor new
      = { .wait = OMEN_NONE, .called = OMEN_NONE, .thread_locals = OMEN_NONE };
  if (*actor != OMEN_NONE)
    return *actor;
  length = snprintf (name, sizeof name, "T%u", id);
  new.thread = omen_trace_thread (emitter->trace, name, (size_t)length);
  *actor = (uint32_t)emitter->actors.count;
  OMEN_VEC_PUSH (emitter->actors, new);
  return *actor;
}

/* ---- single items ---- */

static void
emit_thread (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint32_t other = omen_emit_actor (emitter, (uint32_t)item->a);
  omen_tid thread = emitter->actors.data[other].thread;
  omen_actor *them = &emitter->actors.data[other];
  if (other == emitter->actor)
    return;
  if (item->kind == OMEN_ITEM_FORK && (them->known || them->joined)) {
    emitter->trace->rebuilt.odd++; /* one log can say anything */
    return;
  }
  them->known = true;
  omen_emit_event (
      emitter, item->kind == OMEN_ITEM_FORK ? OMEN_FORK : OMEN_JOIN, thread);
  if (item->kind == OMEN_ITEM_JOIN)
    them->joined = true;
  else
    omen_emit_forked (emitter);
}

static void
emit_begin (omen_emitter *emitter)
{
  omen_own_memory own = omen_item_own_memory (&emitter->item);
  omen_actor *me = omen_emitter_me (emitter);
  me->stack_start = own.stack;
  me->stack_end = own.stack_end;
  omen_emit_stack (emitter, own.stack, own.stack_end);
  if (own.locals)
    omen_emit_thread_locals (emitter, own.locals, own.locals_end);
  omen_emit_named_locals (emitter, &own);
}

static void
emit_end (omen_emitter *emitter)
{
  omen_emit_locals_left (emitter, 0);
  omen_emit_named_locals_end (emitter);
  omen_emit_thread_locals_end (emitter);
  omen_emitter_me (emitter)->stack_start = 0;
  omen_emitter_me (emitter)->stack_end = 0;
  omen_emitter_me (emitter)->ended = true;
}

static void
emit_object (omen_emitter *emitter)
{
  omen_kind kind = emitter->item.kind == OMEN_ITEM_HAPPENS_BEFORE
                       ? OMEN_HAPPENS_BEFORE
                       : OMEN_HAPPENS_AFTER;
  if (omen_item_arg (&emitter->item) & OMEN_ORDER_LIBRARY) {
    omen_emit_event (emitter, kind,
                     omen_emit_library (emitter, emitter->item.a));
    omen_emitter_last (emitter)->mode |= OMEN_MODE_MAYBE;
    omen_emit_left (emitter, kind == OMEN_HAPPENS_BEFORE);
    return;
  }
  uint32_t object
      = omen_emit_object (emitter, OMEN_OPERAND_OBJECT, emitter->item.a);
  omen_emit_event (emitter, kind, emitter->objects.data[object].id);
}

static void
emit_fence (omen_emitter *emitter)
{
  omen_emit_event (emitter, OMEN_FENCE, OMEN_NONE);
  omen_emitter_last (emitter)->order
      = omen_notes_site (emitter->file, emitter->item.site)->order;
}

/* Of a function without markers: applies up to the next marker, which says
   where its function was called from. */
static void
emit_called (omen_emitter *emitter)
{
  omen_actor *me = omen_emitter_me (emitter);
  me->called = omen_emit_function (emitter, emitter->item.site);
  me->called_from = emitter->item.a;
}

static void
emit_woven (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  bool ignored = omen_emitter_me (emitter)->ignore;
  switch (item->kind) {
  case OMEN_SITE_LOAD:
    if (!ignored)
      omen_emit_woven (emitter, OMEN_READ);
    return;
  case OMEN_SITE_STORE:
    omen_emit_woven (emitter, ignored ? OMEN_EXTERNAL : OMEN_WRITE);
    return;
  case OMEN_SITE_STACK_ALLOC:
    omen_emit_local (emitter);
    return;
  case OMEN_SITE_STACK_FREE:
    omen_emit_local_end (emitter, item->a);
    return;
  case OMEN_SITE_EXTERNAL:
    omen_emit_external (emitter, item->a, item->b);
    return;
  case OMEN_SITE_FENCE:
    emit_fence (emitter);
    return;
  case OMEN_SITE_CALLED:
    emit_called (emitter);
    return;
  default:
    omen_emitter_me (emitter)->called = OMEN_NONE;
    omen_emit_frame (emitter);
  }
}

static void
emit_renewed (omen_emitter *emitter)
{
  omen_emit_made (emitter);
  omen_emit_renew (emitter, emitter->item.a);
}

static void
emit_range (omen_emitter *emitter)
{
  omen_emit_range (emitter,
                   emitter->item.kind == OMEN_ITEM_RANGE_READ ? OMEN_READ
                                                              : OMEN_WRITE,
                   omen_emitter_me (emitter)->ignore);
}

static void
emit_external (omen_emitter *emitter)
{
  if (!emitter->file->blind)
    omen_emit_external (emitter, emitter->item.a,
                        omen_item_arg (&emitter->item));
}

static void
emit_ignore (omen_emitter *emitter)
{
  omen_actor *me = omen_emitter_me (emitter);
  if (emitter->item.kind == OMEN_ITEM_IGNORE_BEGIN)
    me->ignore++;
  else
    me->ignore -= me->ignore > 0;
}

/* No event, but a replay has to know. */
static void
emit_interrupt (omen_emitter *emitter)
{
  const omen_actor *me = omen_emitter_me (emitter);
  omen_interrupt interrupt
      = { me->thread, (uint32_t)emitter->item.a, me->items };
  if (interrupt.signal & OMEN_SIGNAL_DEADLY) {
    interrupt.signal &= ~OMEN_SIGNAL_DEADLY;
    emitter->trace->death = interrupt;
  } else
    OMEN_VEC_PUSH (emitter->trace->interrupts, interrupt);
}

/* By kind of runtime item: the function that emits its events. Kinds that are
   missing here (TIME, GAP, SIGNAL_END) have none. */
#define EMITS(name, function) [OMEN_ITEM_##name - OMEN_ITEM_FIRST] = function
static void (*const emits[OMEN_ITEM_END - OMEN_ITEM_FIRST]) (omen_emitter *) = {
  EMITS (THREAD_BEGIN, emit_begin),
  EMITS (THREAD_END, emit_end),
  EMITS (FORK, emit_thread),
  EMITS (JOIN, emit_thread),
  EMITS (ACQUIRE, omen_emit_lock),
  EMITS (RELEASE, omen_emit_lock),
  EMITS (READ_ACQUIRE, omen_emit_lock),
  EMITS (READ_RELEASE, omen_emit_lock),
  EMITS (REQUEST, omen_emit_lock),
  EMITS (TRY_FAIL, omen_emit_lock),
  EMITS (READ_TRY_FAIL, omen_emit_lock),
  EMITS (LOCK_FAIL, omen_emit_lock),
  EMITS (LOCK_INIT, emit_renewed),
  EMITS (LOCK_DESTROY, emit_renewed),
  EMITS (WAIT, omen_emit_wait),
  EMITS (WAKE, omen_emit_wake),
  EMITS (NOTIFY, omen_emit_notify),
  EMITS (NOTIFY_ALL, omen_emit_notify),
  EMITS (SEM_INIT, omen_emit_semaphore),
  EMITS (SEM_UP, omen_emit_semaphore),
  EMITS (SEM_DOWN, omen_emit_semaphore),
  EMITS (SEM_FAIL, omen_emit_semaphore),
  EMITS (ARRIVE, omen_emit_barrier),
  EMITS (DEPART, omen_emit_barrier),
  EMITS (HAPPENS_BEFORE, emit_object),
  EMITS (HAPPENS_AFTER, emit_object),
  EMITS (ALLOC, omen_emit_alloc),
  EMITS (FREE, omen_emit_free),
  EMITS (RANGE_READ, emit_range),
  EMITS (RANGE_WRITE, emit_range),
  EMITS (EXTERNAL, emit_external),
  EMITS (ATOMIC, omen_emit_atomic),
  EMITS (BLOCK_BEGIN, omen_emit_mark),
  EMITS (BLOCK_END, omen_emit_mark),
  EMITS (EMIT, omen_emit_property_event),
  EMITS (DEAD, omen_emit_dead),
  EMITS (IGNORE_BEGIN, emit_ignore),
  EMITS (IGNORE_END, emit_ignore),
  EMITS (SIGNAL_BEGIN, emit_interrupt),
  EMITS (DESCRIPTOR, omen_emit_descriptor),
};
#undef EMITS

static int
thread_events_of (const omen_item *item)
{
  bool asks = item->kind == OMEN_ITEM_ALLOC || item->kind == OMEN_ITEM_FREE
              || item->kind == OMEN_ITEM_DESCRIPTOR;
  return omen_item_counts (item->kind, asks ? omen_item_arg (item) : 0);
}

uint32_t
omen_emit_item_site (const omen_item *item)
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
location_of (omen_emitter *emitter)
{
  const omen_item *item = &emitter->item;
  uint32_t site = omen_emit_item_site (item);
  return site ? omen_emit_site_location (emitter, site)
              : omen_emit_pc_location (
                    emitter, item->notes < 2 ? 0 : omen_item_pc (item));
}

/* Markers of functions are emitted elsewhere. */
static bool
is_marker (const omen_item *item)
{
  return item->kind >= OMEN_SITE_ENTER && item->kind <= OMEN_SITE_LANDED;
}

/* ---- an item ---- */

/* Changes from outside before the item, or right after it. */
static void
emit_outside (omen_emitter *emitter, omen_source *source, bool after)
{
  const omen_outside *all = emitter->order->outside.data;
  uint64_t at
      = omen_cursor_position (&source->cursor) + after * emitter->item.notes;
  while (source->outside < source->outside_end
         && all[source->outside].position + after <= at
         && all[source->outside].after == after) {
    const omen_outside *outside = &all[source->outside++];
    if (outside->size)
      omen_emit_changed (emitter, outside->address, outside->size);
    else
      omen_emit_cut (emitter);
  }
}

/* Dependences that the site names; ranges have none. */
static uint32_t
depending_site (const omen_item *item)
{
  return item->kind == OMEN_ITEM_RANGE_READ
                 || item->kind == OMEN_ITEM_RANGE_WRITE
             ? 0
             : omen_emit_item_site (item);
}

static uint32_t
actor_of_thread (const omen_emitter *emitter, omen_tid thread)
{
  uint32_t actor = emitter->actor;
  if (emitter->actors.data[actor].thread == thread)
    return actor;
  for (actor = 0; emitter->actors.data[actor].thread != thread; actor++)
    OMEN_ASSERT (actor + 1 < emitter->actors.count);
  return actor;
}

/* The dependences of events `outside` to `first`, which come from code that is
   not woven, also in other threads. */
static void
emit_depends_outside (omen_emitter *emitter, size_t outside, size_t first)
{
  for (size_t e = outside; emitter->depending && e < first; e++)
    omen_depending_events (
        emitter->depending, emitter->trace,
        actor_of_thread (emitter, emitter->trace->events.data[e].thread), 0, e,
        e + 1);
}

/* … and those after it. */
static void
emit_depends (omen_emitter *emitter, size_t first)
{
  omen_depending *depending = emitter->depending;
  uint32_t site = depending_site (&emitter->item), actor = emitter->actor;
  size_t end = emitter->trace->events.count;
  omen_depending_events (depending, emitter->trace, actor, site, first, end);
  if (end == first && site && omen_depending_lost (depending, actor, site))
    omen_depending_bound (depending, actor, site,
                          omen_emit_event (emitter, OMEN_BRANCH, OMEN_NONE));
}

void
omen_emit_item (omen_emitter *emitter, omen_source *source)
{
  const omen_trace *trace = emitter->trace;
  size_t outside = trace->events.count, first;
  emitter->actor = source->actor;
  emitter->location = location_of (emitter);
  if (OMEN_UNLIKELY (omen_emitter_me (emitter)->cuts < emitter->cuts)
      && omen_emitter_me (emitter)->wait == OMEN_NONE)
    omen_emit_after_cut (emitter);
  if (OMEN_UNLIKELY (source->outside < source->outside_end))
    emit_outside (emitter, source, false);
  first = trace->events.count;
  if (emitter->item.kind < OMEN_ITEM_FIRST)
    emit_woven (emitter);
  else {
    unsigned kind = emitter->item.kind;
    OMEN_ASSERT (kind >= OMEN_ITEM_FIRST && kind < OMEN_ITEM_END);
    if (emits[kind - OMEN_ITEM_FIRST])
      emits[kind - OMEN_ITEM_FIRST](emitter);
  }
  if (first < trace->events.count && !is_marker (&emitter->item))
    omen_emit_frames (emitter, first);
  emit_depends_outside (emitter, outside, first);
  if (emitter->depending)
    emit_depends (emitter, first);
  omen_emitter_me (emitter)->items += thread_events_of (&emitter->item);
  if (OMEN_LIKELY (source->outside == source->outside_end))
    return;
  outside = trace->events.count;
  emit_outside (emitter, source, true);
  emit_depends_outside (emitter, outside, trace->events.count);
}
