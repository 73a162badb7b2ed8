/* Sequence numbers: an item is appended when those before it in its queue have
   been.

   For a shard, the merge keeps the next number to be appended; for a shard of
   atomics the number n of the last writer: readers of n may be appended, and
   writer n + 2 once all readers of n have been.

   A wait has two numbers (condition and lock), and so has a wake. If both are
   of one shard, the item is appended at the first number, and the second one is
   skipped. */
#include "wire/item_numbers.h"
#include "recording/merge/merge.h"

/* The numbers that an item must wait for, the lock's first; returns their
   number. */
static unsigned
needs_of (const omen_merge *merge, const omen_item *item,
          omen_item_need needs[2])
{
  unsigned count = omen_item_needs (merge->file, item, needs);
  omen_item_need own = needs[0];
  if (count < 2)
    return count;
  needs[0] = needs[1];
  needs[1] = own;
  if (needs[0].queue != own.queue)
    return 2;
  if (own.number < needs[0].number)
    needs[0].number = own.number;
  return 1;
}

/* ---- waiting ---- */

static bool
wait_for (omen_merge *merge, uint32_t t, uint32_t queue, uint64_t number)
{
  omen_merge_thread *thread = &merge->threads[t];
  thread->state = OMEN_MERGE_NUMBER;
  thread->queue = queue;
  thread->number = number;
  thread->next_waiter = merge->waiters[queue];
  merge->waiters[queue] = t;
  return false;
}

/* Removes a blocked thread from its queue. */
static void
leave_queue (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint32_t *link = &merge->waiters[thread->queue];
  OMEN_ASSERT (thread->state == OMEN_MERGE_NUMBER);
  while (*link != t)
    link = &merge->threads[*link].next_waiter;
  *link = thread->next_waiter;
}

/* Makes the threads ready that wait for numbers up to this one. */
static void
wake (omen_merge *merge, uint32_t queue, uint64_t number)
{
  uint32_t *link = &merge->waiters[queue];
  while (*link != OMEN_NONE) {
    uint32_t t = *link;
    omen_merge_thread *thread = &merge->threads[t];
    if (thread->number > number) {
      link = &thread->next_waiter;
      continue;
    }
    *link = thread->next_waiter;
    omen_merge_ready (merge, t);
  }
}

/* ---- turns ---- */

static uint32_t
readers_left (const omen_merge *merge, uint32_t queue, uint64_t number)
{
  uint32_t left
      = omen_map_get (&merge->summary->readers, OMEN_PAIR (queue, number / 2));
  return left == OMEN_NONE ? 0 : left;
}

static bool
has_turn (const omen_merge *merge, const omen_item_need *need)
{
  uint64_t last = merge->numbers[need->queue];
  if (need->queue < OMEN_SHARDS || need->reads)
    return need->number <= last;
  return need->number <= last + 2 && !readers_left (merge, need->queue, last);
}

bool
omen_numbers_turn (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_item_need needs[2];
  unsigned count;
  if (merge->one_log)
    return true;
  count = needs_of (merge, item, needs);
  for (unsigned i = 0; i < count; i++)
    if (!has_turn (merge, &needs[i]))
      return wait_for (merge, t, needs[i].queue, needs[i].number);
  return true;
}

bool
omen_numbers_may (omen_merge *merge, const omen_item *item)
{
  omen_item_need needs[2];
  unsigned count = needs_of (merge, item, needs);
  for (unsigned i = 0; i < count; i++)
    if (!has_turn (merge, &needs[i]))
      return false;
  return true;
}

/* ---- passing ---- */

static void
pass_atomic (omen_merge *merge, const omen_item_need *need)
{
  uint64_t last = merge->numbers[need->queue];
  if (need->reads) {
    uint32_t *left = omen_map_at (&merge->summary->readers,
                                  OMEN_PAIR (need->queue, need->number / 2));
    OMEN_ASSERT (*left && *left != OMEN_NONE);
    --*left;
  } else if (need->number > last) {
    merge->numbers[need->queue] = need->number;
    last = need->number;
  }
  wake (merge, need->queue,
        readers_left (merge, need->queue, last) ? last : last + 2);
}

/* Was the number passed before its turn? */
static bool
passed_before (const omen_merge *merge, uint32_t queue, uint64_t number)
{
  return merge->passed.count
         && omen_map_get (&merge->passed, omen_number_key (queue, number)) == 1;
}

static void
pass_early (omen_merge *merge, const omen_item_need *need)
{
  if (need->number < OMEN_NUMBERS)
    *omen_map_at (&merge->passed, omen_number_key (need->queue, need->number))
        = 1;
}

static void
next_number (omen_merge *merge, uint32_t queue)
{
  uint64_t next = merge->numbers[queue] + 1;
  while (passed_before (merge, queue, next))
    next++;
  merge->numbers[queue] = next;
  wake (merge, queue, next);
}

static void
pass_need (omen_merge *merge, const omen_item_need *need)
{
  if (need->queue >= OMEN_SHARDS)
    pass_atomic (merge, need);
  else if (need->number == merge->numbers[need->queue])
    next_number (merge, need->queue);
  else if (need->number > merge->numbers[need->queue])
    pass_early (merge, need);
}

void
omen_numbers_pass (omen_merge *merge, const omen_item *item)
{
  omen_item_need needs[2];
  unsigned count = omen_item_needs (merge->file, item, needs);
  /* two numbers of one shard: the lower one first */
  unsigned first = count == 2
                   && (needs[0].queue != needs[1].queue
                       || needs[1].number < needs[0].number);
  for (unsigned i = 0; i < count; i++)
    pass_need (merge, &needs[i ^ first]);
}

/* Does t wait for both numbers of an item that has two (a wait or wake)? Sets
   them. */
static bool
waits_with (omen_merge *merge, uint32_t t, omen_item_need needs[2])
{
  omen_merge_thread *thread = &merge->threads[t];
  omen_item item;
  return thread->state == OMEN_MERGE_NUMBER
         && omen_cursor_peek (&thread->cursor, &item)
         && needs_of (merge, &item, needs) == 2;
}

/* Two threads may each have the lower number in one of two shards, since these
   hold different objects. Then the lock's number decides. */
static bool
in_circle (omen_merge *merge, uint32_t t)
{
  omen_item_need mine[2], other[2];
  if (!waits_with (merge, t, mine) || !has_turn (merge, &mine[0]))
    return false;
  for (uint32_t u = 0; u < merge->count; u++)
    if (u != t && waits_with (merge, u, other)
        && other[1].queue == mine[1].queue
        && other[1].number == merge->numbers[mine[1].queue]
        && other[0].queue == mine[0].queue)
      return true;
  return false;
}

bool
omen_numbers_relax (omen_merge *merge)
{
  for (uint32_t t = 0; t < merge->count; t++) {
    omen_item item;
    if (!in_circle (merge, t))
      continue;
    omen_cursor_peek (&merge->threads[t].cursor, &item);
    leave_queue (merge, t);
    omen_merge_pass (merge, t, &item);
    omen_merge_ready (merge, t);
    return true;
  }
  return false;
}
