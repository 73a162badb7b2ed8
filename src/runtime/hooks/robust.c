#include "runtime/hooks/robust.h"
#include "runtime/core/call.h"
#include "runtime/hooks/hook.h"
#include "runtime/hooks/sync.h"

#include <linux/futex.h>
#include <sys/uio.h>

/* The kernel has a list of them. The lowest bit of a pointer marks a mutex with
   priority inheritance: only the kernel can release it. */
typedef struct robust_list node;
enum { PRIORITY = 1 };

/* The program may have unmapped a mutex that it holds. The kernel copes with
   that, so this must. */
static bool
read_memory (const void *at, void *to, size_t size)
{
  struct iovec here = { to, size }, there = { (void *)at, size };
  return omen_call (SYS_process_vm_readv,
                    omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0), (long)&here, 1,
                    (long)&there, 1, 0)
         == (long)size;
}

static node *
node_at (const node *entry)
{
  return (node *)((uintptr_t)entry & ~(uintptr_t)PRIORITY);
}

static uint32_t
me (void)
{
  return (uint32_t)omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0);
}

/* A mutex locked several times is released as often. Its memory may have been
   reused. */
static void
note_mutex (const pthread_mutex_t *at, const pthread_mutex_t *mutex)
{
  enum { MOST = 1000 };
  uint64_t flags = omen_mutex_flags (mutex);
  unsigned depth = flags & OMEN_LOCK_RECURSIVE ? mutex->__data.__count : 1;
  if (((uint32_t)mutex->__data.__lock & FUTEX_TID_MASK) != me ())
    return;
  for (unsigned i = 0; i < depth && i < MOST; i++)
    omen_log_now (OMEN_ITEM_RELEASE, at, flags, 0);
}

/* Its word is the first of a mutex. */
static void
give_up (pthread_mutex_t *mutex)
{
  uint32_t *word = (uint32_t *)&mutex->__data.__lock;
  uint32_t seen = __atomic_load_n (word, __ATOMIC_ACQUIRE);
  do
    if ((seen & FUTEX_TID_MASK) != me ())
      return;
  while (!__atomic_compare_exchange_n (
      word, &seen, (seen & FUTEX_WAITERS) | FUTEX_OWNER_DIED, false,
      __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE));
  omen_sched_wake (mutex, false);
  omen_call (SYS_futex, (long)word, FUTEX_WAKE, 1, 0, 0, 0);
}

/* True: nothing is left for the kernel. */
static bool
give_up_all (const struct robust_list_head *head)
{
  bool whole = true;
  node *entry = head->list.next;
  for (unsigned i = 0; entry != &head->list && i < ROBUST_LIST_LIMIT; i++) {
    node next;
    pthread_mutex_t *at, mutex;
    at = (pthread_mutex_t *)((uintptr_t)node_at (entry)
                             + (uintptr_t)head->futex_offset);
    if (!read_memory (node_at (entry), &next, sizeof next)
        || !read_memory (at, &mutex, sizeof mutex))
      return false;
    note_mutex (at, &mutex);
    if (node_at (entry) != entry)
      whole = false;
    else if (omen_rt_scheduled)
      give_up (at);
    entry = next.next;
  }
  return whole;
}

void
omen_robust_end (void)
{
  struct robust_list_head *head = NULL;
  size_t size = 0;
  if (omen_call (SYS_get_robust_list, 0, (long)&head, (long)&size, 0, 0, 0) < 0
      || !head || size != sizeof *head || head->list.next == &head->list)
    return;
  if (give_up_all (head) && omen_rt_scheduled)
    head->list.next = &head->list;
}
