/* The fast path of items, inlined: locks, the heap and atomics come here first,
   so that an item costs two dozen instructions and no call.

     if (OMEN_LIKELY (omen_fast_path ())) {
       omen_item_ahead ();                      before the lock is taken
       …
       omen_item_now (OMEN_ITEM_ACQUIRE, lock, 0, pc);
     } else
       … omen_log (…), which covers every case

   The fast path is for a thread that is enabled, has a log of its own (no
   schedule, no replay, no common log) and runs no signal handler. One load
   decides. */
#ifndef OMEN_RUNTIME_LOG_ITEM_H
#define OMEN_RUNTIME_LOG_ITEM_H

#include "runtime/core/core.h"
#include "runtime/hooks/hook.h"

static inline bool
omen_fast_path (void)
{
  return !omen_rt_disabled;
}

/* A thread that holds a lock should not stop to encode its log while others
   wait: if little room is left, it is made before. */
enum { OMEN_ITEM_AHEAD = 1024 }; /* bytes */

static inline void
omen_item_ahead (void)
{
  if (OMEN_UNLIKELY (!omen_cursor_far (*omen_rt_cursor, OMEN_ITEM_AHEAD)))
    omen_item_room ();
}

/* Where the item goes. The thread is busy from here to omen_item_end: a signal
   handler would write to the same place. */
OMEN_INLINE uint64_t *
omen_item_begin (void)
{
  omen_busy_begin ();
  uint64_t *at = *omen_rt_cursor;
  return OMEN_LIKELY (omen_cursor_ready (at))
             ? at
             : (uint64_t *)omen_thread_log_make_room (omen_rt_self->log);
}

/* Release order: a thread that flushes all logs reads the cursor, then the
   words. */
OMEN_INLINE void
omen_item_end (uint64_t *end)
{
  __atomic_store_n (omen_rt_cursor, end, __ATOMIC_RELEASE);
  omen_busy_end ();
}

/* As omen_log. Not for items of calls that may block (write_before_wait). */
OMEN_INLINE void
omen_item (enum omen_item_kind kind, const volatile void *object,
           uint64_t number, uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin ();
  omen_item_end (omen_item_put (at, kind, object, number, arg, pc));
}

/* As omen_log_now. The number is taken when no signal handler can run any more,
   which would log a higher one first. */
OMEN_INLINE void
omen_item_now (enum omen_item_kind kind, const volatile void *object,
               uint64_t arg, uint64_t pc)
{
  uint64_t *at = omen_item_begin ();
  omen_item_end (
      omen_item_put (at, kind, object, omen_number (object), arg, pc));
}

#endif
