#include "runtime/robust.h"
#include "runtime/call.h"
#include "runtime/hook.h"
#include "runtime/sync.h"

#include <linux/futex.h>

/* The kernel has a list of them. The last bit says that one passes on its
   holder's priority: the kernel alone can give it up. */
typedef struct robust_list node;
enum { PRIORITY = 1 };

static pthread_mutex_t *
mutex_of (const node *entry, const struct robust_list_head *head)
{
  uintptr_t at = (uintptr_t)entry & ~(uintptr_t)PRIORITY;
  return (pthread_mutex_t *)(at + (uintptr_t)head->futex_offset);
}

static node *
after (const node *entry)
{
  return ((const node *)((uintptr_t)entry & ~(uintptr_t)PRIORITY))->next;
}

/* One that was taken several times is given up as often. */
static void
note (const pthread_mutex_t *mutex)
{
  uint64_t flags = omen_mutex_flags (mutex);
  unsigned depth = flags & OMEN_LOCK_RECURSIVE ? mutex->__data.__count : 1;
  for (unsigned i = 0; i < depth; i++)
    omen_log_now (OMEN_ITEM_RELEASE, mutex, flags, 0);
}

/* Its word is the first of a mutex. */
static void
give_up (pthread_mutex_t *mutex)
{
  uint32_t *word = (uint32_t *)&mutex->__data.__lock;
  uint32_t me = (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
  uint32_t seen = __atomic_load_n (word, __ATOMIC_ACQUIRE);
  do
    if ((seen & FUTEX_TID_MASK) != me)
      return;
  while (!__atomic_compare_exchange_n (
      word, &seen, (seen & FUTEX_WAITERS) | FUTEX_OWNER_DIED, false,
      __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
  omen_sched_wake (mutex, false);
  omen_call (SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}

void
omen_robust_end (void)
{
  struct robust_list_head *head = NULL;
  size_t size = 0;
  bool passes_on = false;
  unsigned count = 0;
  if (omen_call (SYS_get_robust_list, 0, (long)&head, (long)&size, 0, 0, 0) < 0
      || !head || size != sizeof *head)
    return;
  for (node *entry = head->list.next, *next;
       entry != &head->list && count < ROBUST_LIST_LIMIT;
       entry = next, count++) {
    next = after (entry);
    bool priority = (uintptr_t)entry & PRIORITY;
    passes_on |= priority;
    note (mutex_of (entry, head));
    if (omen_rt_scheduled && !priority)
      give_up (mutex_of (entry, head));
  }
  if (omen_rt_scheduled && !passes_on)
    head->list.next = &head->list;
}
