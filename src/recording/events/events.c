/* Which events an item becomes. */
#include "recording/events/events.h"
#include "wire/abi.h"

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
  me->known = me->spoke = true;
  OMEN_VEC_PUSH (telling->trace->items, me->items);
  return omen_trace_add (telling->trace, &event);
}

/* The thread's name is its number. */
uint32_t
omen_tell_actor (omen_telling *telling, uint32_t id)
{
  uint32_t *actor = omen_map_at (&telling->actor_of, id);
  char name[16];
  int length;
  omen_actor new
      = { .wait = OMEN_NONE, .called = OMEN_NONE, .thread_locals = OMEN_NONE };
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
  omen_tell_me (telling)->ended = true;
}

static void
tell_object (omen_telling *telling)
{
  omen_kind kind = telling->item.kind == OMEN_ITEM_HAPPENS_BEFORE
                       ? OMEN_HAPPENS_BEFORE
                       : OMEN_HAPPENS_AFTER;
  if (omen_item_arg (&telling->item) & OMEN_ORDER_LIBRARY) {
    omen_tell (telling, kind, omen_tell_library (telling, telling->item.a));
    omen_tell_last (telling)->mode |= OMEN_MODE_MAYBE;
    return;
  }
  uint32_t object
      = omen_tell_object (telling, OMEN_OPERAND_OBJECT, telling->item.a);
  omen_tell (telling, kind, telling->objects.data[object].id);
}

static void
tell_fence (omen_telling *telling)
{
  omen_tell (telling, OMEN_FENCE, OMEN_NONE);
  omen_tell_last (telling)->order
      = omen_notes_site (telling->file, telling->item.site)->order;
}

/* Of a function without markers: applies up to the next marker, which says
   where its function was called from. */
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
      omen_tell_woven (telling, OMEN_READ);
    return;
  case OMEN_SITE_STORE:
    omen_tell_woven (telling, ignored ? OMEN_EXTERNAL : OMEN_WRITE);
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
  omen_tell_made (telling);
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

/* No event, but a replay has to know. */
static void
tell_interrupt (omen_telling *telling)
{
  const omen_actor *me = omen_tell_me (telling);
  omen_interrupt interrupt
      = { me->thread, (uint32_t)telling->item.a, me->items };
  if (interrupt.signal & OMEN_SIGNAL_DEADLY) {
    interrupt.signal &= ~OMEN_SIGNAL_DEADLY;
    telling->trace->death = interrupt;
  } else
    OMEN_VEC_PUSH (telling->trace->interrupts, interrupt);
}

/* Items of the recorder. Those that are missing here (TIME, GAP, SIGNAL_END)
   make no event. */
#define TELLS(name, function) [OMEN_ITEM_##name - OMEN_ITEM_FIRST] = function
static void (*const tells[OMEN_ITEM_END - OMEN_ITEM_FIRST]) (omen_telling *) = {
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
  TELLS (DESCRIPTOR, omen_tell_descriptor),
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

static int
counts (const omen_item *item)
{
  bool heap = item->kind == OMEN_ITEM_ALLOC || item->kind == OMEN_ITEM_FREE;
  return omen_item_counts (item->kind, heap ? omen_item_arg (item) : 0);
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

/* Markers of functions are emitted elsewhere. */
static bool
is_marker (const omen_item *item)
{
  return item->kind >= OMEN_SITE_ENTER && item->kind <= OMEN_SITE_LANDED;
}

/* ---- an item ---- */

/* Changes from outside before the item, or right after it. */
static void
tell_outside (omen_telling *telling, omen_source *source, bool after)
{
  const omen_outside *all = telling->order->outside.data;
  uint64_t at
      = omen_cursor_position (&source->cursor) + after * telling->item.notes;
  while (source->outside < source->outside_end
         && all[source->outside].position + after <= at
         && all[source->outside].after == after) {
    const omen_outside *outside = &all[source->outside++];
    if (outside->size)
      omen_tell_changed (telling, outside->address, outside->size);
    else
      omen_tell_cut (telling);
  }
}

/* Dependences that the site names; ranges have none. */
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

/* The dependences of events `outside` to `first`, which come from code that is
   not woven, also in other threads. */
static void
tell_depends_outside (omen_telling *telling, size_t outside, size_t first)
{
  for (size_t e = outside; telling->depending && e < first; e++)
    omen_depending_told (
        telling->depending, telling->trace,
        actor_of_thread (telling, telling->trace->events.data[e].thread), 0, e,
        e + 1);
}

/* … and those after it. */
static void
tell_depends (omen_telling *telling, size_t first)
{
  omen_depending *depending = telling->depending;
  uint32_t site = depending_site (&telling->item), actor = telling->actor;
  size_t end = telling->trace->events.count;
  omen_depending_told (depending, telling->trace, actor, site, first, end);
  if (end == first && site && omen_depending_lost (depending, actor, site))
    omen_depending_bound (depending, actor, site,
                          omen_tell (telling, OMEN_BRANCH, OMEN_NONE));
}

void
omen_tell_item (omen_telling *telling, omen_source *source)
{
  const omen_trace *trace = telling->trace;
  size_t outside = trace->events.count, first;
  telling->actor = source->actor;
  telling->location = location_of (telling);
  if (OMEN_UNLIKELY (omen_tell_me (telling)->cuts < telling->cuts)
      && omen_tell_me (telling)->wait == OMEN_NONE)
    omen_tell_after_cut (telling);
  if (OMEN_UNLIKELY (source->outside < source->outside_end))
    tell_outside (telling, source, false);
  first = trace->events.count;
  if (telling->item.kind < OMEN_ITEM_FIRST)
    tell_woven (telling);
  else
    tell_runtime (telling);
  if (first < trace->events.count && !is_marker (&telling->item))
    omen_tell_frames (telling, first);
  tell_depends_outside (telling, outside, first);
  if (telling->depending)
    tell_depends (telling, first);
  omen_tell_me (telling)->items += counts (&telling->item);
  if (OMEN_LIKELY (source->outside == source->outside_end))
    return;
  outside = trace->events.count;
  tell_outside (telling, source, true);
  tell_depends_outside (telling, outside, trace->events.count);
}
