#include "recording/scan/locks.h"
#include "wire/abi.h"

#define MOST_ORDERS (1u << 20) /* then a cycle is assumed */

void
omen_locks_init (omen_locks *locks)
{
  *locks = (omen_locks){ 0 };
  omen_map_init (&locks->index);
  omen_map_init (&locks->order_of);
}

void
omen_locks_fini (omen_locks *locks)
{
  OMEN_VEC_FINI (locks->list);
  omen_map_fini (&locks->index);
  OMEN_VEC_FINI (locks->orders);
  omen_map_fini (&locks->order_of);
}

void
omen_locks_again (omen_locks *locks, bool all_bad)
{
  locks->all_bad = all_bad;
  for (size_t i = 0; i < locks->list.count; i++)
    locks->list.data[i].guards = false;
  OMEN_VEC_CLEAR (locks->orders);
  omen_map_fini (&locks->order_of);
  omen_map_init (&locks->order_of);
}

void
omen_holder_fini (omen_holder *holder)
{
  OMEN_VEC_FINI (holder->held);
  OMEN_VEC_FINI (holder->frames);
}

/* ---- taken and given ---- */

static uint32_t
lock_at (omen_locks *locks, uint64_t address)
{
  uint32_t *entry = omen_map_at (&locks->index, address);
  if (*entry == OMEN_NONE) {
    *entry = (uint32_t)locks->list.count;
    OMEN_VEC_PUSH (locks->list, ((omen_lock_seen){ .address = address }));
  }
  return *entry;
}

static size_t
find_held (const omen_holder *holder, uint64_t address)
{
  size_t i = 0;
  while (i < holder->held.count && holder->held.data[i].address != address)
    i++;
  return i;
}

static void
add_order (omen_locks *locks, uint32_t first, uint32_t second)
{
  uint32_t *entry;
  if (locks->orders.count >= MOST_ORDERS)
    return;
  entry = omen_map_at (&locks->order_of, OMEN_PAIR (first, second));
  if (*entry != OMEN_NONE)
    return;
  *entry = 1;
  OMEN_VEC_PUSH (locks->orders, ((omen_lock_order){ first, second }));
}

/* A request orders locks even if it is never granted. */
static unsigned
scan_request (omen_locks *locks, const omen_holder *holder, uint64_t address)
{
  uint32_t lock = lock_at (locks, address);
  for (size_t i = 0; i < holder->held.count; i++)
    add_order (locks, holder->held.data[i].lock, lock);
  return find_held (holder, address) < holder->held.count ? OMEN_MAY_DEADLOCK
                                                          : 0;
}

static unsigned
scan_acquire (omen_locks *locks, omen_word_histories *histories,
              omen_holder *holder, uint64_t address, bool exclusive)
{
  size_t at = find_held (holder, address);
  omen_lock_held new = { address, 0, 1, exclusive };
  omen_lock_seen *lock;
  if (at < holder->held.count) {
    holder->held.data[at].depth++;
    return exclusive != holder->held.data[at].exclusive ? OMEN_MAY_DEADLOCK : 0;
  }
  new.lock = lock_at (locks, address);
  for (size_t i = 0; i < holder->held.count; i++)
    add_order (locks, holder->held.data[i].lock, new.lock);
  OMEN_VEC_PUSH (holder->held, new);
  lock = &locks->list.data[new.lock];
  if (!lock->bad && !locks->all_bad) {
    lock->guards = true;
    holder->set
        = omen_histories_take (histories, holder->set, new.lock + 1, exclusive);
  }
  return holder->given > holder->exempt ? OMEN_MAY_VIOLATE : 0;
}

static unsigned
scan_release (omen_locks *locks, omen_word_histories *histories,
              omen_holder *holder, uint64_t address)
{
  size_t at = find_held (holder, address);
  omen_lock_held *held;
  if (at == holder->held.count) {
    uint32_t lock = lock_at (locks, address);
    locks->list.data[lock].bad = true;
    return OMEN_MAY_MISUSE;
  }
  held = &holder->held.data[at];
  if (--held->depth)
    return 0;
  holder->set = omen_histories_give (histories, holder->set, held->lock + 1,
                                     held->exclusive);
  *held = OMEN_VEC_LAST (holder->held);
  holder->held.count--;
  holder->given = holder->frames.count;
  return 0;
}

static unsigned
see_end (const omen_holder *holder, const omen_item *item)
{
  return find_held (holder, item->a) < holder->held.count ? OMEN_MAY_MISUSE : 0;
}

bool
omen_locks_concern (unsigned kind)
{
  return kind >= OMEN_ITEM_ACQUIRE && kind <= OMEN_ITEM_WAKE;
}

unsigned
omen_locks_see (omen_locks *locks, omen_word_histories *histories,
                omen_holder *holder, const omen_item *item)
{
  if (omen_item_arg (item) & OMEN_LOCK_ERROR)
    return OMEN_MAY_MISUSE;
  switch (item->kind) {
  case OMEN_ITEM_REQUEST:
    return scan_request (locks, holder, item->a);
  case OMEN_ITEM_ACQUIRE:
    return scan_acquire (locks, histories, holder, item->a, true);
  case OMEN_ITEM_READ_ACQUIRE:
    return scan_acquire (locks, histories, holder, item->a, false);
  case OMEN_ITEM_WAKE:
    return scan_acquire (locks, histories, holder, item->parts[1].a, true);
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
    return scan_release (locks, histories, holder, item->a);
  case OMEN_ITEM_WAIT:
    return scan_release (locks, histories, holder, item->parts[1].a);
  case OMEN_ITEM_LOCK_INIT:
  case OMEN_ITEM_LOCK_DESTROY:
    return see_end (holder, item);
  default:
    return 0;
  }
}

/* ---- functions ---- */

void
omen_holder_frame (omen_holder *holder, unsigned kind, uint64_t noted,
                   bool inlined, bool exempt)
{
  omen_frames *frames = &holder->frames;
  uint64_t depth = omen_frames_depth (frames, noted);
  omen_depth gone;
  uint64_t left = kind == OMEN_SITE_LANDED ? depth : depth ? depth - 1 : 0;
  while (omen_frames_left (frames, left, &gone))
    ;
  if (holder->given > frames->count)
    holder->given = frames->count;
  if (kind != OMEN_SITE_ENTER)
    return;
  holder->entered = true;
  if (!frames->count)
    holder->exempt = exempt;
  omen_frames_enter (frames, (omen_depth){ .depth = depth }, inlined);
}

unsigned
omen_holder_atomic (omen_holder *holder)
{
  bool again = holder->given > holder->exempt;
  holder->given = holder->frames.count;
  return again ? OMEN_MAY_VIOLATE : 0;
}

/* ---- orders ---- */

/* Kahn's algorithm: repeatedly removes locks that are second in no remaining
   order; orders that are left over form a cycle. */
bool
omen_locks_cycle (const omen_locks *locks)
{
  size_t count = locks->list.count, left = locks->orders.count, next = 0;
  uint32_t *before = omen_zalloc (count + 1, sizeof *before);
  uint32_t *first = omen_zalloc (count + 1, sizeof *first);
  uint32_t *chain = omen_zalloc (left + 1, sizeof *chain);
  omen_ids free_ones = { 0 };
  for (uint32_t i = 0; i < left; i++) {
    omen_lock_order order = locks->orders.data[i];
    before[order.second]++;
    chain[i] = first[order.first];
    first[order.first] = i + 1;
  }
  for (uint32_t i = 0; i < count; i++)
    if (!before[i])
      OMEN_VEC_PUSH (free_ones, i);
  for (; next < free_ones.count; next++)
    for (uint32_t i = first[free_ones.data[next]]; i; i = chain[i - 1], left--)
      if (!--before[locks->orders.data[i - 1].second])
        OMEN_VEC_PUSH (free_ones, locks->orders.data[i - 1].second);
  OMEN_VEC_FINI (free_ones);
  omen_free (before);
  omen_free (first);
  omen_free (chain);
  return left || locks->orders.count >= MOST_ORDERS;
}
