/* Numbers: an item goes when those before it in its stripe have gone.

   A stripe's counter is the next number. That of an atomic stripe is the number
   of the last writer n: readers of n may go, and writer n + 2 when all readers
   of n have.

   A wait has two numbers (condition and lock), and so has a wake. If both are
   of one stripe it goes at the first and the second is passed over. */
#include "runtime/abi.h"
#include "trace/item_numbers.h"
#include "trace/rebuild_merge.h"

/* The stripes of an item that is not atomic, the lock's first; how many. */
static unsigned
needs_of (const omen_item *item, omen_need needs[2])
{
  omen_need own = { omen_stripe (item->a), item->b };
  if (!omen_item_numbered (item->kind) || item->b == OMEN_NUMBER_NONE)
    return 0;
  if (!omen_item_is_wait (item->kind)) {
    needs[0] = own;
    return 1;
  }
  needs[0] = (omen_need){ omen_stripe (item->parts[1].a), item->parts[1].b };
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

void
omen_numbers_leave (omen_merge *merge, uint32_t t)
{
  omen_merge_thread *thread = &merge->threads[t];
  uint32_t *link = &merge->waiters[thread->queue];
  OMEN_ASSERT (thread->state == OMEN_MERGE_NUMBER);
  while (*link != t)
    link = &merge->threads[*link].next_waiter;
  *link = thread->next_waiter;
}

/* Numbers up to this one have their turn. */
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

/* ---- atomics ---- */

static uint32_t
readers_left (const omen_merge *merge, uint32_t stripe, uint64_t number)
{
  uint32_t left
      = omen_map_get (&merge->summary->readers, OMEN_PAIR (stripe, number / 2));
  return left == OMEN_NONE ? 0 : left;
}

static bool
atomic_turn (omen_merge *merge, uint32_t t, const omen_item *item)
{
  uint32_t stripe = omen_stripe (item->a), queue = OMEN_STRIPES + stripe;
  uint64_t last = merge->numbers[queue];
  if (item->b == OMEN_NUMBER_NONE)
    return true;
  if (omen_item_atomic_reads (merge->file, item))
    return item->b <= last || wait_for (merge, t, queue, item->b);
  return (item->b <= last + 2 && !readers_left (merge, stripe, last))
         || wait_for (merge, t, queue, item->b);
}

static void
atomic_pass (omen_merge *merge, const omen_item *item)
{
  uint32_t stripe = omen_stripe (item->a), queue = OMEN_STRIPES + stripe;
  uint64_t last = merge->numbers[queue];
  if (item->b == OMEN_NUMBER_NONE)
    return;
  if (omen_item_atomic_reads (merge->file, item)) {
    omen_merge_pass_reader (merge, OMEN_PAIR (stripe, item->b / 2));
  } else if (item->b > last) {
    omen_merge_set (merge, &merge->numbers[queue], item->b);
    last = item->b;
  }
  wake (merge, queue, readers_left (merge, stripe, last) ? last : last + 2);
}

/* ---- stripes ---- */

bool
omen_numbers_turn (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_need needs[2];
  unsigned count;
  if (merge->one_log)
    return true;
  if (item->kind == OMEN_ITEM_ATOMIC)
    return atomic_turn (merge, t, item);
  count = needs_of (item, needs);
  for (unsigned i = 0; i < count; i++)
    if (needs[i].number > merge->numbers[needs[i].queue])
      return wait_for (merge, t, needs[i].queue, needs[i].number);
  return true;
}

/* Was the number passed before its turn? */
static bool
passed_before (const omen_merge *merge, uint32_t queue, uint64_t number)
{
  for (size_t i = 0; i < merge->passed.count; i++)
    if (merge->passed.data[i].queue == queue
        && merge->passed.data[i].number == number)
      return true;
  return false;
}

static void
advance (omen_merge *merge, uint32_t queue)
{
  uint64_t next = merge->numbers[queue] + 1;
  while (merge->passed.count && passed_before (merge, queue, next))
    next++;
  omen_merge_set (merge, &merge->numbers[queue], next);
  wake (merge, queue, next);
}

static void
pass_number (omen_merge *merge, uint32_t queue, uint64_t number)
{
  if (number == merge->numbers[queue])
    advance (merge, queue);
  else if (number > merge->numbers[queue])
    OMEN_VEC_PUSH (merge->passed,
                   ((omen_passed){ queue, number, merge->step }));
}

void
omen_numbers_pass (omen_merge *merge, const omen_item *item)
{
  if (item->kind == OMEN_ITEM_ATOMIC) {
    atomic_pass (merge, item);
    return;
  }
  if (!omen_item_numbered (item->kind) || item->b == OMEN_NUMBER_NONE)
    return;
  if (omen_item_is_wait (item->kind)) {
    uint64_t lock = item->parts[1].b, own = item->b;
    uint32_t queue = omen_stripe (item->parts[1].a);
    /* of one stripe: the lower one first */
    if (queue == omen_stripe (item->a) && own < lock) {
      pass_number (merge, queue, own);
      pass_number (merge, queue, lock);
      return;
    }
    pass_number (merge, queue, lock);
  }
  pass_number (merge, omen_stripe (item->a), item->b);
}

/* The two numbers of a thread that waits with both. */
static bool
waits_with (omen_merge *merge, uint32_t t, omen_need needs[2])
{
  omen_merge_thread *thread = &merge->threads[t];
  omen_item item;
  return thread->state == OMEN_MERGE_NUMBER
         && omen_cursor_peek (&thread->cursor, &item)
         && item.kind != OMEN_ITEM_ATOMIC && needs_of (&item, needs) == 2;
}

/* Two threads can each have the lower number in one of two stripes, which is
   chance: the objects differ. Then the lock's number decides. */
static bool
in_circle (omen_merge *merge, uint32_t t)
{
  omen_need mine[2], other[2];
  if (!waits_with (merge, t, mine)
      || mine[0].number != merge->numbers[mine[0].queue])
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
    omen_numbers_leave (merge, t);
    omen_merge_pass (merge, t, &item);
    omen_merge_ready (merge, t);
    return true;
  }
  return false;
}
