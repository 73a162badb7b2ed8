/* Emits ordered items as events. The rules for locks are those of
   recording/events/locks.c, for writers only. */
#include "wire/abi.h"
#include "online/follow_state.h"

#include <string.h>

/* Ended threads that were not joined keep their ids for a while: what is known
   about them still matters. */
#define GONE_MAX 256

static void
emit_event (omen_follow *follow, uint32_t t, omen_kind kind, uint32_t object,
            uint32_t location)
{
  omen_event event = { .kind = (uint8_t)kind,
                       .thread = follow->threads.data[t].tid,
                       .object = object,
                       .location = location };
  OMEN_ASSERT (event.thread != OMEN_NONE);
  follow->counts.events++;
  follow->sink.event (follow->sink.context, &event);
}

static uint32_t
location_of_pc (omen_follow *follow, uint64_t pc)
{
  uint32_t *id
      = omen_map_at (&follow->locations, pc == OMEN_MAP_NO_KEY ? 0 : pc);
  if (*id == OMEN_NONE) {
    *id = (uint32_t)follow->pcs.count;
    OMEN_VEC_PUSH (follow->pcs, pc);
  }
  return *id;
}

/* ---- threads ---- */

static omen_tid
new_tid (omen_follow *follow, uint32_t id)
{
  omen_tid tid = (omen_tid)follow->tids.count;
  if (follow->gone.count > GONE_MAX) { /* the one that went first */
    tid = follow->gone.data[0];
    memmove (follow->gone.data, follow->gone.data + 1,
             --follow->gone.count * sizeof *follow->gone.data);
    follow->tids.data[tid] = id;
  } else
    OMEN_VEC_PUSH (follow->tids, id);
  return tid;
}

/* The id of a new child: that of a thread that its parent joined, if any, since
   all events of that one precede the child's. */
static omen_tid
child_tid (omen_follow *follow, uint32_t parent, uint32_t id)
{
  omen_ids *joined = &follow->threads.data[parent].joined;
  omen_tid tid;
  if (!joined->count)
    return new_tid (follow, id);
  tid = OMEN_VEC_POP (*joined);
  follow->tids.data[tid] = id;
  return tid;
}

static void
emit_fork (omen_follow *follow, uint32_t t, const omen_follow_item *item,
           uint32_t location)
{
  uint32_t child = omen_follow_thread_of (follow, (uint32_t)item->object);
  if (child == t || follow->threads.data[child].tid != OMEN_NONE)
    return; /* it has begun */
  follow->threads.data[child].tid
      = child_tid (follow, t, (uint32_t)item->object);
  emit_event (follow, t, OMEN_FORK, follow->threads.data[child].tid, location);
}

static void
forget_gone (omen_follow *follow, omen_tid tid)
{
  for (size_t i = 0; i < follow->gone.count; i++)
    if (follow->gone.data[i] == tid) {
      memmove (follow->gone.data + i, follow->gone.data + i + 1,
               (--follow->gone.count - i) * sizeof *follow->gone.data);
      return;
    }
}

static void
emit_join (omen_follow *follow, uint32_t t, const omen_follow_item *item,
           uint32_t location)
{
  uint32_t child = omen_follow_thread_of (follow, (uint32_t)item->object);
  omen_follow_thread *thread = &follow->threads.data[child];
  omen_tid tid = thread->tid;
  if (child == t || tid == OMEN_NONE || follow->tids.data[tid] != thread->id)
    return; /* unknown, or its id is used by another thread */
  emit_event (follow, t, OMEN_JOIN, tid, location);
  if (thread->ended && !thread->held) {
    forget_gone (follow, tid);
    follow->tids.data[tid] = OMEN_NONE;
    OMEN_VEC_PUSH (follow->threads.data[t].joined, tid);
  }
}

static void
leave_functions (omen_follow *follow, uint32_t t, uint64_t depth)
{
  omen_depth left;
  while (omen_frames_left (&follow->threads.data[t].frames, depth, &left))
    emit_event (follow, t, OMEN_EXIT, left.function, OMEN_NONE);
}

/* Ids of children that it joined, and its own, become free for children of
   other threads, after a while. */
static void
emit_end (omen_follow *follow, uint32_t t)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  leave_functions (follow, t, 0);
  for (size_t i = 0; i < thread->joined.count; i++)
    OMEN_VEC_PUSH (follow->gone, thread->joined.data[i]);
  if (!thread->held)
    OMEN_VEC_PUSH (follow->gone, thread->tid);
  OMEN_VEC_FINI (thread->joined);
  OMEN_VEC_FINI (thread->frames);
}

/* ---- functions and blocks ---- */

static const char *
string_of (const omen_follow *follow, uint32_t string)
{
  return string == OMEN_NONE
             ? ""
             : omen_names_text (&follow->tail.reader.trace->strings, string);
}

/* "name\nfile\nline": the name. */
static uint32_t
function_of (omen_follow *follow, uint32_t site)
{
  while (follow->site_functions.count <= site)
    OMEN_VEC_PUSH (follow->site_functions, OMEN_NONE);
  if (follow->site_functions.data[site] == OMEN_NONE) {
    const char *text = string_of (
        follow, omen_notes_site (&follow->tail.file, site)->function);
    size_t length = strcspn (text, "\n");
    follow->site_functions.data[site] = omen_names_id (
        &follow->functions, length ? text : "?", length ? length : 1);
  }
  return follow->site_functions.data[site];
}

static void
emit_frame (omen_follow *follow, uint32_t t, const omen_follow_item *item)
{
  omen_frames *frames = &follow->threads.data[t].frames;
  uint64_t depth = omen_frames_depth (frames, item->object);
  uint32_t function;
  if (item->kind == OMEN_SITE_LANDED) {
    leave_functions (follow, t, depth);
    return;
  }
  leave_functions (follow, t, depth ? depth - 1 : 0);
  if (item->kind == OMEN_SITE_EXIT)
    return;
  function = function_of (follow, item->site);
  omen_frames_enter (frames,
                     (omen_depth){ .depth = depth,
                                   .function = function,
                                   .site = item->site,
                                   .from = OMEN_NONE },
                     omen_notes_site (&follow->tail.file, item->site)->caller
                         != 0);
  emit_event (follow, t, OMEN_ENTER, function, OMEN_NONE);
}

static void
emit_block (omen_follow *follow, uint32_t t, const omen_follow_item *item,
            uint32_t location)
{
  const char *text
      = string_of (follow, follow->tail.reader.strings.data[item->object]);
  uint32_t label = omen_names_id (&follow->labels, text, strlen (text));
  emit_event (follow, t,
              item->kind == OMEN_ITEM_BLOCK_BEGIN ? OMEN_BEGIN : OMEN_END,
              label, location);
}

/* ---- locks ---- */

static void
take_lock (omen_follow *follow, uint32_t t, omen_lid lock, uint32_t depth,
           uint32_t location)
{
  omen_follow_mutex *mutex = &follow->locks.list.data[lock];
  mutex->writer = t;
  mutex->depth = depth;
  follow->threads.data[t].held++;
  emit_event (follow, t, OMEN_ACQUIRE, lock, location);
}

static void
follow_release (omen_follow *follow, uint32_t t, omen_lid lock,
                uint32_t location)
{
  omen_follow_mutex *mutex = &follow->locks.list.data[lock];
  follow->threads.data[mutex->writer].held--;
  mutex->writer = OMEN_NONE;
  mutex->depth = 0;
  emit_event (follow, t, OMEN_RELEASE, lock, location);
}

/* If a thread holds it, its memory was reused for another lock in between. */
static void
emit_acquire (omen_follow *follow, uint32_t t, const omen_follow_item *item,
              uint32_t location)
{
  omen_lid lock = omen_follow_lock_at (follow, item->object);
  omen_follow_mutex *mutex = &follow->locks.list.data[lock];
  if (item->arg & OMEN_LOCK_ERROR)
    return;
  if (mutex->writer == t && item->arg & OMEN_LOCK_RECURSIVE) {
    mutex->depth++;
    return;
  }
  if (mutex->writer != OMEN_NONE) {
    omen_follow_renew (follow, item->object, 1);
    lock = omen_follow_lock_at (follow, item->object);
  }
  take_lock (follow, t, lock, 1, location);
}

static void
emit_release (omen_follow *follow, uint32_t t, const omen_follow_item *item,
              uint32_t location)
{
  omen_lid lock = omen_follow_lock_at (follow, item->object);
  omen_follow_mutex *mutex = &follow->locks.list.data[lock];
  if (mutex->writer == OMEN_NONE || item->arg & OMEN_LOCK_ERROR
      || (mutex->writer == t && --mutex->depth))
    return; /* a reader's, or not the outermost one */
  follow_release (follow, t, lock, location);
}

static void
emit_wait (omen_follow *follow, uint32_t t, const omen_follow_item *item,
           uint32_t location)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  omen_lid lock = omen_follow_lock_at (follow, item->lock);
  thread->wait_lock = OMEN_NONE;
  if (follow->locks.list.data[lock].writer != t)
    return; /* misuse */
  thread->wait_lock = lock;
  thread->wait_depth = follow->locks.list.data[lock].depth;
  follow_release (follow, t, lock, location);
}

static void
emit_wake (omen_follow *follow, uint32_t t, const omen_follow_item *item,
           uint32_t location)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  omen_lid lock = omen_follow_lock_at (follow, item->lock);
  if (thread->wait_lock == lock
      && follow->locks.list.data[lock].writer == OMEN_NONE)
    take_lock (follow, t, lock, thread->wait_depth, location);
  thread->wait_lock = OMEN_NONE;
}

/* ---- all ---- */

static void
emit_runtime (omen_follow *follow, uint32_t t, const omen_follow_item *item)
{
  uint32_t location = location_of_pc (follow, item->pc);
  switch (item->kind) {
  case OMEN_ITEM_THREAD_END:
    emit_end (follow, t);
    return;
  case OMEN_ITEM_FORK:
    emit_fork (follow, t, item, location);
    return;
  case OMEN_ITEM_JOIN:
    emit_join (follow, t, item, location);
    return;
  case OMEN_ITEM_ACQUIRE:
    emit_acquire (follow, t, item, location);
    return;
  case OMEN_ITEM_RELEASE:
    emit_release (follow, t, item, location);
    return;
  case OMEN_ITEM_WAIT:
    emit_wait (follow, t, item, location);
    return;
  case OMEN_ITEM_WAKE:
    emit_wake (follow, t, item, location);
    return;
  case OMEN_ITEM_LOCK_INIT:
  case OMEN_ITEM_LOCK_DESTROY:
    omen_follow_renew (follow, item->object, 1);
    return;
  case OMEN_ITEM_BLOCK_BEGIN:
  case OMEN_ITEM_BLOCK_END:
    emit_block (follow, t, item, location);
    return;
  default:
    return;
  }
}

void
omen_follow_emit (omen_follow *follow, uint32_t t, const omen_follow_item *item)
{
  if (OMEN_UNLIKELY (follow->threads.data[t].tid == OMEN_NONE))
    follow->threads.data[t].tid = new_tid (follow, follow->threads.data[t].id);
  if (item->kind == OMEN_SITE_STACK_ALLOC)
    omen_follow_renew (follow, item->object, item->number);
  else if (item->kind == OMEN_ITEM_ALLOC)
    omen_follow_renew (follow, item->object, item->arg & OMEN_ALLOC_SIZE);
  else if (item->kind < OMEN_ITEM_FIRST)
    emit_frame (follow, t, item);
  else
    emit_runtime (follow, t, item);
}
