/* How a family of locks (mutexes, spin locks, rwlocks in either mode) is
   acquired and released, whatever the functions are called. A family is a
   constant; the compiler makes direct calls of it.

   If threads run freely a lock is tried first; only if it stays taken for some
   time the thread logs REQUEST and blocks. Under a schedule it waits in the
   scheduler. A number is taken after the lock was acquired, and before it is
   released. */
#ifndef OMEN_RUNTIME_HOOKS_SYNC_LOCK_H
#define OMEN_RUNTIME_HOOKS_SYNC_LOCK_H

#include "runtime/hooks/channel.h"
#include "runtime/hooks/hook.h"
#include "runtime/hooks/adaptive_spin.h"
#include "runtime/log/fused.h"
#include "runtime/core/stuck.h"
#include "runtime/hooks/sync.h"

typedef struct omen_lock_family {
  int (*attempt) (void *lock); /* EBUSY: not now */
  int (*block) (void *lock, omen_until until);
  /* The blocking call would fail at once (EDEADLK). */
  bool (*refuses) (const void *lock);
  /* The item to log for a failed try. */
  enum omen_item_kind (*failed) (const void *lock);
  enum omen_item_kind taken;
  /* Only threads of this process can release it, and its waiters are asleep. */
  bool (*is_ours) (const void *lock);
  /* Is a lock that is not `is_ours` certainly shared with other processes? */
  bool knows_shared;
} omen_lock_family;

/* The caller got the lock. Another process may have held it in between. */
OMEN_INLINE void
omen_lock_taken (const omen_lock_family *f, void *lock, uint64_t flags,
                 uint64_t pc)
{
  if (OMEN_LIKELY (omen_fast_path () && f->taken == OMEN_ITEM_ACQUIRE))
    omen_fused_begin (lock, flags, pc);
  else
    omen_log_now (f->taken, lock, flags, pc);
  if (OMEN_UNLIKELY (f->knows_shared && !f->is_ours (lock)))
    omen_outside_after (pc);
}

/* The caller got the lock, or will not get it. */
OMEN_INLINE void
omen_lock_note (const omen_lock_family *f, void *lock, int result,
                uint64_t flags, uint64_t pc)
{
  if (result == 0 || result == EOWNERDEAD)
    omen_lock_taken (f, lock, flags, pc);
  else if (result == ETIMEDOUT)
    omen_log_now (OMEN_ITEM_LOCK_FAIL, lock, flags, pc);
  else
    omen_log_now (OMEN_ITEM_LOCK_FAIL, lock, flags | OMEN_LOCK_ERROR, pc);
}

/* Waits in the scheduler until the lock may be free. The scheduler does not see
   releases by other processes or by the runtime of OpenMP, so waits for these
   are timed. */
OMEN_INLINE void
omen_lock_await (const omen_lock_family *f, void *lock, uint64_t pc)
{
  if (!f->is_ours (lock) || omen_in_openmp (pc)) {
    omen_sched_wait_timed (lock);
    return;
  }
  omen_stuck_begin (OMEN_STUCK_LOCK, lock, pc);
  omen_sched_wait (lock);
  omen_stuck_end ();
}

/* Acquires the lock, waiting in the scheduler; the result of the call. */
OMEN_INLINE int
omen_lock_in_turn (const omen_lock_family *f, void *lock, omen_until until,
                   uint64_t flags, uint64_t pc)
{
  bool asked = until.at;
  int result = f->attempt (lock);
  omen_serve_deadline (until.at);
  if (result == EBUSY && !omen_until_valid (until))
    return EINVAL;
  while (result == EBUSY) {
    if (f->refuses (lock))
      return f->block (lock, until);
    if (!asked)
      omen_log (OMEN_ITEM_REQUEST, lock, 0, flags, pc);
    asked = true;
    if (!until.at)
      omen_lock_await (f, lock, pc);
    else if (!omen_sched_wait_for (lock, omen_until_left (until)))
      return ETIMEDOUT;
    result = f->attempt (lock);
  }
  return result;
}

/* Tries for as long as adaptive_spin.h says. */
OMEN_INLINE int
omen_lock_persist (const omen_lock_family *f, void *lock)
{
  int result = f->attempt (lock);
  if (result != EBUSY)
    return result;
  omen_adaptive_spin spin = omen_adaptive_spin_begin (lock);
  while (result == EBUSY && omen_adaptive_spin_wait (&spin))
    result = f->attempt (lock);
  omen_adaptive_spin_end (&spin, lock, result != EBUSY);
  return result;
}

OMEN_INLINE int
omen_lock_free (const omen_lock_family *f, void *lock, omen_until until,
                uint64_t flags, uint64_t pc)
{
  int result = omen_lock_persist (f, lock);
  if (OMEN_LIKELY (result != EBUSY))
    return result;
  if (until.at)
    return f->block (lock, until);
  omen_log (OMEN_ITEM_REQUEST, lock, 0, flags, pc);
  if (f->is_ours (lock))
    omen_stuck_begin (OMEN_STUCK_LOCK, lock, pc);
  result = f->block (lock, until);
  omen_stuck_end ();
  return result;
}

/* Acquires it; recording is enabled in this thread. */
OMEN_INLINE int
omen_lock_take (const omen_lock_family *f, void *lock, omen_until until,
                uint64_t flags, uint64_t pc)
{
  int result;
  if (until.at)
    flags |= OMEN_LOCK_TRY;
  if (OMEN_UNLIKELY (omen_rt_scheduled)) {
    omen_sched_point (f->taken, lock);
    result = omen_lock_in_turn (f, lock, until, flags, pc);
  } else
    result = omen_lock_free (f, lock, until, flags, pc);
  omen_lock_note (f, lock, result, flags, pc);
  return result;
}

/* Tries it; recording is enabled in this thread. A failure has to be one step
   with its number, so it is tried again while no other thread takes one. */
OMEN_INLINE int
omen_lock_try (const omen_lock_family *f, void *lock, uint64_t flags,
               uint64_t pc)
{
  if (OMEN_UNLIKELY (omen_rt_scheduled))
    omen_sched_point (f->taken, lock);
  int result = f->attempt (lock);
  flags |= OMEN_LOCK_TRY;
  if (result != EBUSY) {
    omen_lock_note (f, lock, result, flags, pc);
    return result;
  }
  bool busy = omen_numbered_begin ();
  omen_shard_lock (lock);
  result = f->attempt (lock);
  enum omen_item_kind kind = f->failed (lock);
  uint64_t number = result == EBUSY ? omen_number (lock) : OMEN_NUMBER_NONE;
  omen_shard_unlock (lock);
  if (result == EBUSY)
    omen_log (kind, lock, number, flags, pc);
  else
    omen_lock_note (f, lock, result, flags, pc);
  omen_numbered_end (busy);
  omen_replay_after ();
  return result;
}

/* Releases it by `release`; recording is enabled in this thread. `checked`: the
   call may fail, which is known only afterwards, so it is logged then. */
OMEN_INLINE int
omen_lock_give (enum omen_item_kind kind, void *lock, int (*release) (void *),
                bool checked, uint64_t flags, uint64_t pc)
{
  if (OMEN_LIKELY (omen_fast_path ()) && !checked
      && kind == OMEN_ITEM_RELEASE) {
    omen_fused_end (lock, flags, pc);
    return release (lock);
  }
  if (OMEN_UNLIKELY (omen_rt_scheduled))
    omen_sched_point (kind, lock);
  uint64_t number = omen_number (lock);
  if (!checked)
    omen_log (kind, lock, number, flags, pc);
  int result = release (lock);
  if (checked)
    omen_log (kind, lock, number, flags | (result ? OMEN_LOCK_ERROR : 0), pc);
  if (OMEN_UNLIKELY (omen_rt_scheduled) && !result)
    omen_sched_wake (lock, kind != OMEN_ITEM_RELEASE || flags & OMEN_LOCK_RW);
  omen_replay_after ();
  return result;
}

/* Destroying a lock that is held may fail; it is logged either way. */
OMEN_INLINE int
omen_lock_destroy (void *lock, int (*destroy) (void *), uint64_t flags,
                   uint64_t pc)
{
  uint64_t number = omen_number (lock);
  int result = destroy (lock);
  omen_log (OMEN_ITEM_LOCK_DESTROY, lock, number,
            flags | (result ? OMEN_LOCK_ERROR : 0), pc);
  omen_replay_after ();
  return result;
}

#endif
