/* Numbers: an item goes when those before it in its queue have gone.

   A stripe's counter is the next number. That of the other queues is the number of
   who changed the object last, n: those who look at n may go, and n + 2 when all of
   them have.

   A wait has two numbers (condition and lock), and so has a wake. If both are
   of one stripe it goes at the first and the second is passed over. */
#include "runtime/abi.h"
#include "trace/item_numbers.h"
#include "trace/rebuild_merge.h"

/* Those that an item has to wait for, the lock's first; how many. */
static unsigned
needs_of (const omen_merge *merge, const omen_item *item, omen_need needs[2])
{
  unsigned count = omen_item_needs (merge->file, item, needs);
  omen_need own = needs[0];
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

/* ---- turns ---- */

static uint32_t
lookers_left (const omen_merge *merge, uint32_t queue, uint64_t number)
{
  uint32_t left
      = omen_map_get (&merge->summary->readers, OMEN_PAIR (queue, number / 2));
  return left == OMEN_NONE ? 0 : left;
}

/* How often a thread is yet to look at `number`. */
static uint32_t
looks_ahead (const omen_merge *merge, uint32_t t, uint32_t queue,
             uint64_t number)
{
  enum { LOOK_AHEAD = 1000 };
  omen_note_cursor *cursor = &merge->threads[t].cursor, ahead;
  uint64_t at = omen_cursor_position (cursor);
  uint32_t looks = 0;
  omen_item item;
  omen_cursor_init (&ahead, merge->file, cursor->thread);
  omen_cursor_seek (&ahead, at);
  while (omen_cursor_position (&ahead) < at + LOOK_AHEAD
         && omen_cursor_peek (&ahead, &item)) {
    omen_need needs[2];
    unsigned count = omen_item_needs (merge->file, &item, needs);
    for (unsigned i = 0; i < count; i++)
      looks += needs[i].queue == queue && needs[i].looks
               && needs[i].number == number;
    omen_cursor_pass (&ahead, &item);
  }
  omen_cursor_fini (&ahead);
  return looks;
}

/* Who sleeps at a failed try waits for somebody to take the lock. What it will
   look at later it need not have seen before that. */
static bool
are_asleep (const omen_merge *merge, uint32_t queue, uint64_t number,
            uint32_t lookers)
{
  uint32_t asleep = 0;
  for (size_t i = 0; i < merge->sleepers.count && asleep < lookers; i++) {
    uint32_t t = merge->sleepers.data[i];
    omen_item item;
    omen_need need;
    if (!omen_cursor_peek (&merge->threads[t].cursor, &item)
        || !omen_try_is (&item))
      continue;
    need = omen_need_of (item.a, item.b);
    if (need.queue == queue) /* the first of them has passed */
      asleep += looks_ahead (merge, t, queue, number)
                - (need.looks && need.number == number);
  }
  return asleep == lookers;
}

static bool
has_turn (const omen_merge *merge, const omen_need *need)
{
  uint64_t last = merge->numbers[need->queue];
  uint32_t lookers;
  if (need->queue < OMEN_STRIPES || need->looks)
    return need->number <= last;
  if (need->number > last + 2)
    return false;
  lookers = lookers_left (merge, need->queue, last);
  return !lookers || are_asleep (merge, need->queue, last, lookers);
}

/* Who has a lock counts alone. If somebody unlocked what another had, two may have
   got the same number: the second one's turn never comes. */
static bool
is_again (const omen_merge *merge, const omen_need *need)
{
  return need->queue >= 2 * OMEN_STRIPES && !need->looks
         && need->number <= merge->numbers[need->queue];
}

bool
omen_numbers_turn (omen_merge *merge, uint32_t t, const omen_item *item)
{
  omen_need needs[2];
  unsigned count;
  if (merge->one_log)
    return true;
  count = needs_of (merge, item, needs);
  for (unsigned i = 0; i < count; i++)
    if (is_again (merge, &needs[i]))
      return wait_for (merge, t, needs[i].queue, UINT64_MAX);
    else if (!has_turn (merge, &needs[i]))
      return wait_for (merge, t, needs[i].queue, needs[i].number);
  return true;
}

bool
omen_numbers_may (omen_merge *merge, const omen_item *item)
{
  omen_need needs[2];
  unsigned count = needs_of (merge, item, needs);
  for (unsigned i = 0; i < count; i++)
    if (is_again (merge, &needs[i]) || !has_turn (merge, &needs[i]))
      return false;
  return true;
}

/* ---- passing ---- */

/* In a queue that is no stripe's. */
static void
pass_change (omen_merge *merge, const omen_need *need)
{
  uint64_t last = merge->numbers[need->queue];
  if (need->looks) {
    omen_merge_pass_reader (merge, OMEN_PAIR (need->queue, need->number / 2));
  } else if (need->number > last) {
    omen_merge_set (merge, &merge->numbers[need->queue], need->number);
    last = need->number;
  }
  wake (merge, need->queue,
        lookers_left (merge, need->queue, last) && !merge->sleepers.count
            ? last
            : last + 2);
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
pass_need (omen_merge *merge, const omen_need *need)
{
  if (need->queue >= OMEN_STRIPES)
    pass_change (merge, need);
  else if (need->number == merge->numbers[need->queue])
    advance (merge, need->queue);
  else if (need->number > merge->numbers[need->queue])
    OMEN_VEC_PUSH (merge->passed, ((omen_passed){ need->queue, need->number,
                                                  merge->step }));
}

void
omen_numbers_pass (omen_merge *merge, const omen_item *item)
{
  omen_need needs[2];
  unsigned count = omen_item_needs (merge->file, item, needs);
  /* of one stripe: the lower one first */
  unsigned first = count == 2
                   && (needs[0].queue != needs[1].queue
                       || needs[1].number < needs[0].number);
  for (unsigned i = 0; i < count; i++)
    pass_need (merge, &needs[i ^ first]);
}

void
omen_numbers_asleep (omen_merge *merge, const omen_item *item)
{
  omen_need need = omen_need_of (item->a, item->b);
  if (need.queue >= OMEN_STRIPES)
    wake (merge, need.queue, merge->numbers[need.queue] + 2);
}

/* The two numbers of a thread that waits with both. */
static bool
waits_with (omen_merge *merge, uint32_t t, omen_need needs[2])
{
  omen_merge_thread *thread = &merge->threads[t];
  omen_item item;
  return thread->state == OMEN_MERGE_NUMBER
         && omen_cursor_peek (&thread->cursor, &item)
         && needs_of (merge, &item, needs) == 2;
}

/* Two threads can each have the lower number in one of two stripes, which is
   chance: the objects differ. Then the lock's number decides. */
static bool
in_circle (omen_merge *merge, uint32_t t)
{
  omen_need mine[2], other[2];
  if (!waits_with (merge, t, mine) || is_again (merge, &mine[0])
      || !has_turn (merge, &mine[0]))
    return false;
  for (uint32_t u = 0; u < merge->count; u++)
    if (u != t && waits_with (merge, u, other)
        && other[1].queue == mine[1].queue
        && other[1].number == merge->numbers[mine[1].queue]
        && other[0].queue == mine[0].queue)
      return true;
  return false;
}

/* Is it only lookers at a lock that it waits for? */
static bool
is_looked_at (omen_merge *merge, uint32_t t, omen_item *item)
{
  omen_merge_thread *thread = &merge->threads[t];
  omen_need needs[2];
  unsigned count;
  if (thread->state != OMEN_MERGE_NUMBER
      || !omen_cursor_peek (&thread->cursor, item))
    return false;
  count = needs_of (merge, item, needs);
  for (unsigned i = 0; i < count; i++)
    if (is_again (merge, &needs[i])
        || (!has_turn (merge, &needs[i])
            && (needs[i].queue < 2 * OMEN_STRIPES || needs[i].looks
                || needs[i].number > merge->numbers[needs[i].queue] + 2)))
      return false;
  return count;
}

bool
omen_numbers_overtake (omen_merge *merge)
{
  omen_item item;
  for (uint32_t t = 0; t < merge->count; t++)
    if (is_looked_at (merge, t, &item)) {
      omen_numbers_leave (merge, t);
      omen_merge_pass (merge, t, &item);
      omen_merge_ready (merge, t);
      return true;
    }
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
