/* Merges the items of all threads into one order as they arrive.

   An item is emitted when what must come before it has been; else its thread
   waits, and what follows is queued. The condition's number of a wait or wake
   is consumed as soon as its thread reaches it: only the lock's number decides,
   so no two waits can wait for each other. */
#include "online/follow_state.h"

#include <string.h>

uint32_t
omen_follow_thread_of (omen_follow *follow, uint32_t id)
{
  uint32_t *index = omen_map_at (&follow->index, id);
  if (*index == OMEN_NONE) {
    *index = (uint32_t)follow->threads.count;
    OMEN_VEC_PUSH (follow->threads,
                   ((omen_follow_thread){ .id = id,
                                          .joiner = OMEN_NONE,
                                          .tid = OMEN_NONE,
                                          .wait_lock = OMEN_NONE }));
  }
  return *index;
}

static void
make_ready (omen_follow *follow, uint32_t t)
{
  OMEN_ASSERT (follow->threads.data[t].wait != OMEN_FOLLOW_READY);
  follow->threads.data[t].wait = OMEN_FOLLOW_READY;
  OMEN_VEC_PUSH (follow->ready, t);
}

/* ---- numbers ---- */

static void
wake_queue (omen_follow *follow, uint32_t queue)
{
  uint32_t *link = &follow->waiters[queue];
  while (*link != OMEN_NONE) {
    uint32_t t = *link;
    omen_follow_thread *thread = &follow->threads.data[t];
    OMEN_ASSERT (thread->wait == OMEN_FOLLOW_NUMBER
                 && thread->need.queue == queue);
    if (thread->need.number > follow->numbers[queue]) {
      link = &thread->next_waiter;
      continue;
    }
    *link = thread->next_waiter;
    make_ready (follow, t);
  }
}

static bool
was_early (omen_follow *follow, uint32_t queue, uint64_t number)
{
  uint64_t key = omen_number_key (queue, number);
  if (OMEN_LIKELY (!follow->early_count)
      || omen_map_get (&follow->early, key) != 1)
    return false;
  *omen_map_at (&follow->early, key) = OMEN_NONE;
  if (!--follow->early_count) { /* it only grows */
    omen_map_fini (&follow->early);
    omen_map_init (&follow->early);
  }
  return true;
}

static void
next_in_queue (omen_follow *follow, uint32_t queue, uint64_t next)
{
  OMEN_ASSERT (next > follow->numbers[queue]);
  do
    follow->numbers[queue] = next++;
  while (was_early (follow, queue, next - 1));
  wake_queue (follow, queue);
}

static void
pass_number (omen_follow *follow, uint64_t object, uint64_t number)
{
  uint32_t queue = omen_shard (object);
  uint64_t next = follow->numbers[queue];
  if (number == next)
    next_in_queue (follow, queue, next + 1);
  else if (number > next && number < OMEN_NUMBERS) {
    OMEN_ASSERT (queue < OMEN_SHARDS);
    *omen_map_at (&follow->early, omen_number_key (queue, number)) = 1;
    follow->early_count++;
  }
}

/* ---- may it go? ---- */

static bool
wait_for_number (omen_follow *follow, uint32_t t, uint64_t object,
                 uint64_t number)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  uint32_t queue = omen_shard (object);
  if (number == OMEN_NUMBER_NONE || number <= follow->numbers[queue])
    return false;
  OMEN_ASSERT (thread->wait == OMEN_FOLLOW_READY); /* for one thing at a time */
  thread->wait = OMEN_FOLLOW_NUMBER;
  thread->need = (omen_item_need){ queue, number };
  thread->next_waiter = follow->waiters[queue];
  follow->waiters[queue] = t;
  return true;
}

static bool
wait_for_fork (omen_follow *follow, uint32_t t, const omen_follow_item *item)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  uint32_t parent = (uint32_t)item->arg;
  if (thread->forked || parent == OMEN_NONE || parent == thread->id)
    return false;
  OMEN_ASSERT (thread->wait == OMEN_FOLLOW_READY);
  thread->wait = OMEN_FOLLOW_FORK;
  return true;
}

static bool
wait_for_end (omen_follow *follow, uint32_t t, const omen_follow_item *item)
{
  uint32_t child = omen_follow_thread_of (follow, (uint32_t)item->object);
  if (child == t || follow->threads.data[child].ended
      || follow->threads.data[child].joiner != OMEN_NONE)
    return false;
  OMEN_ASSERT (follow->threads.data[t].wait == OMEN_FOLLOW_READY);
  follow->threads.data[t].wait = OMEN_FOLLOW_JOIN;
  follow->threads.data[child].joiner = t;
  return true;
}

/* True: not yet. */
static bool
must_wait (omen_follow *follow, uint32_t t, omen_follow_item *item)
{
  if (item->kind == OMEN_ITEM_THREAD_BEGIN)
    return wait_for_fork (follow, t, item);
  if (item->kind == OMEN_ITEM_JOIN)
    return wait_for_end (follow, t, item);
  if (!omen_item_numbered (item->kind))
    return false;
  if (!omen_item_is_wait (item->kind))
    return wait_for_number (follow, t, item->object, item->number);
  if (item->number != OMEN_NUMBER_NONE) {
    pass_number (follow, item->object, item->number);
    item->number = OMEN_NUMBER_NONE; /* once */
  }
  return wait_for_number (follow, t, item->lock, item->lock_number);
}

/* ---- it goes ---- */

static void
begin_child (omen_follow *follow, uint32_t id)
{
  uint32_t child = omen_follow_thread_of (follow, id);
  follow->threads.data[child].forked = true;
  if (follow->threads.data[child].wait == OMEN_FOLLOW_FORK)
    make_ready (follow, child);
}

static void
end_thread (omen_follow *follow, uint32_t t)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  thread->ended = true;
  if (thread->joiner != OMEN_NONE) {
    OMEN_ASSERT (follow->threads.data[thread->joiner].wait == OMEN_FOLLOW_JOIN);
    make_ready (follow, thread->joiner);
  }
  thread->joiner = OMEN_NONE;
}

static void
emit_item (omen_follow *follow, uint32_t t, const omen_follow_item *item)
{
  omen_follow_emit (follow, t, item);
  if (item->kind == OMEN_ITEM_FORK)
    begin_child (follow, (uint32_t)item->object);
  else if (item->kind == OMEN_ITEM_THREAD_END)
    end_thread (follow, t);
  else if (follow->one_log)
    return; /* one log is in order already */
  else if (omen_item_is_wait (item->kind))
    pass_number (follow, item->lock, item->lock_number);
  else if (omen_item_numbered (item->kind) && item->number != OMEN_NUMBER_NONE)
    pass_number (follow, item->object, item->number);
}

static void
forget_gone (omen_follow_thread *thread)
{
  OMEN_ASSERT (thread->head <= thread->queue.count);
  if (thread->head == thread->queue.count) {
    thread->queue.count = thread->head = 0;
    if (thread->ended)
      OMEN_VEC_FINI (thread->queue);
  } else if (thread->head >= 1024 && thread->head * 2 >= thread->queue.count) {
    thread->queue.count -= thread->head;
    memmove (thread->queue.data, thread->queue.data + thread->head,
             thread->queue.count * sizeof *thread->queue.data);
    thread->head = 0;
  }
}

static void
run_queue (omen_follow *follow, uint32_t t)
{
  while (follow->threads.data[t].head < follow->threads.data[t].queue.count) {
    omen_follow_thread *thread = &follow->threads.data[t];
    omen_follow_item *item = &thread->queue.data[thread->head], mine;
    if (must_wait (follow, t, item))
      break;
    mine = *item;
    OMEN_ASSERT (follow->queued > 0);
    thread->head++;
    follow->queued--;
    emit_item (follow, t, &mine);
  }
  forget_gone (&follow->threads.data[t]);
}

static void
run_ready (omen_follow *follow)
{
  while (follow->ready.count)
    run_queue (follow, OMEN_VEC_POP (follow->ready));
}

/* ---- what never comes ---- */

/* In each shard, skip to the least number that a thread waits for. */
static bool
pass_over (omen_follow *follow)
{
  bool any = false;
  for (uint32_t queue = 0; queue < OMEN_SHARDS; queue++) {
    uint64_t least = UINT64_MAX;
    for (uint32_t t = follow->waiters[queue]; t != OMEN_NONE;
         t = follow->threads.data[t].next_waiter)
      if (follow->threads.data[t].need.number < least)
        least = follow->threads.data[t].need.number;
    if (least == UINT64_MAX)
      continue;
    OMEN_ASSERT (least > follow->numbers[queue]); /* else it would not wait */
    follow->counts.passed_over += least - follow->numbers[queue];
    follow->numbers[queue] = least;
    wake_queue (follow, queue);
    any = true;
  }
  run_ready (follow);
  return any;
}

/* Release all threads that wait for a fork or an end; false: none does. */
static bool
stop_waiting_for_threads (omen_follow *follow)
{
  bool any = false;
  for (uint32_t t = 0; t < follow->threads.count; t++) {
    omen_follow_thread *thread = &follow->threads.data[t];
    if (thread->wait == OMEN_FOLLOW_FORK)
      begin_child (follow, thread->id);
    else if (thread->joiner != OMEN_NONE && thread->head == thread->queue.count)
      end_thread (follow, t);
    else
      continue;
    any = true;
  }
  run_ready (follow);
  return any;
}

/* A number or thread is missing: stop waiting for it. Items may remain in a
   queue that is still too long; they are not emitted. */
static void
make_room (omen_follow *follow)
{
  while (follow->queued > follow->most / 2
         && (stop_waiting_for_threads (follow) || pass_over (follow)))
    ;
}

void
omen_follow_settle (omen_follow *follow)
{
  while (stop_waiting_for_threads (follow))
    ;
  follow->counts.unused = follow->queued;
}

void
omen_follow_offer (omen_follow *follow, uint32_t t,
                   const omen_follow_item *item)
{
  omen_follow_thread *thread = &follow->threads.data[t];
  omen_follow_item mine = *item;
  OMEN_ASSERT (!follow->ready.count);
  if (thread->wait == OMEN_FOLLOW_READY
      && (follow->one_log || !must_wait (follow, t, &mine))) {
    OMEN_ASSERT (!thread->queue.count);
    emit_item (follow, t, &mine);
  } else {
    thread = &follow->threads.data[t];
    OMEN_VEC_PUSH (thread->queue, mine);
    follow->queued++;
  }
  run_ready (follow);
  if (OMEN_UNLIKELY (follow->queued > follow->most))
    make_room (follow);
}
