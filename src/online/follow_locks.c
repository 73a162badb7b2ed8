/* Locks are identified by address, until the memory is reused. A map by page
   decides quickly that an allocation contains no lock. */
#include "online/follow_state.h"

#define PAGE_BITS 12

static uint64_t
key_of_lock (uint64_t address)
{
  return address == OMEN_MAP_NO_KEY ? 0 : address;
}

void
omen_follow_locks_init (omen_follow_locks *locks)
{
  *locks = (omen_follow_locks){ 0 };
  omen_map_init (&locks->by_address);
  omen_map_init (&locks->by_page);
}

void
omen_follow_locks_fini (omen_follow_locks *locks)
{
  OMEN_VEC_FINI (locks->list);
  OMEN_VEC_FINI (locks->unused);
  omen_map_fini (&locks->by_address);
  omen_map_fini (&locks->by_page);
}

static omen_lid
new_lock (omen_follow_locks *locks, uint64_t address)
{
  uint32_t *page = omen_map_at (&locks->by_page, address >> PAGE_BITS);
  omen_follow_mutex lock = { address, OMEN_NONE, 0, *page, true };
  omen_lid id = (omen_lid)locks->list.count;
  if (locks->unused.count) {
    id = OMEN_VEC_POP (locks->unused);
    OMEN_ASSERT (!locks->list.data[id].used);
    locks->list.data[id] = lock;
  } else
    OMEN_VEC_PUSH (locks->list, lock);
  return *page = id;
}

omen_lid
omen_follow_lock_at (omen_follow *follow, uint64_t address)
{
  omen_follow_locks *locks = &follow->locks;
  uint32_t *id = omen_map_at (&locks->by_address, key_of_lock (address));
  if (*id == OMEN_NONE)
    *id = new_lock (locks, address);
  return *id;
}

static void
drop_lock (omen_follow *follow, omen_lid id)
{
  omen_follow_locks *locks = &follow->locks;
  omen_follow_mutex *lock = &locks->list.data[id];
  OMEN_ASSERT (lock->used);
  if (lock->writer != OMEN_NONE) {
    OMEN_ASSERT (follow->threads.data[lock->writer].held > 0);
    follow->threads.data[lock->writer].held--;
  }
  *omen_map_at (&locks->by_address, key_of_lock (lock->address)) = OMEN_NONE;
  lock->used = false;
  follow->sink.forget (follow->sink.context, id);
  OMEN_VEC_PUSH (locks->unused, id);
}

static void
renew_on_page (omen_follow *follow, uint64_t page, uint64_t address,
               uint64_t size)
{
  omen_follow_locks *locks = &follow->locks;
  uint32_t first = omen_map_get (&locks->by_page, page), *link;
  if (OMEN_LIKELY (first == OMEN_NONE))
    return;
  link = omen_map_at (&locks->by_page, page);
  while (*link != OMEN_NONE) {
    omen_follow_mutex *lock = &locks->list.data[*link];
    omen_lid id = *link;
    if (lock->address - address >= size) {
      link = &lock->next;
      continue;
    }
    *link = lock->next;
    drop_lock (follow, id);
  }
}

void
omen_follow_renew (omen_follow *follow, uint64_t address, uint64_t size)
{
  omen_follow_locks *locks = &follow->locks;
  uint64_t first = address >> PAGE_BITS;
  uint64_t last = (address + (size ? size - 1 : 0)) >> PAGE_BITS;
  if (!size || last < first)
    return;
  if (last - first < locks->list.count) {
    for (uint64_t page = first; page <= last; page++)
      renew_on_page (follow, page, address, size);
    return;
  }
  for (size_t i = 0; i < locks->list.count; i++) {
    const omen_follow_mutex *lock = &locks->list.data[i];
    if (lock->used && lock->address - address < size)
      renew_on_page (follow, lock->address >> PAGE_BITS, address, size);
  }
}
