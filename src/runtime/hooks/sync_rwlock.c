/* Readers-writer locks. Who unlocks does not say in which mode it held the
   lock; glibc knows: a writer has left its id in the lock. */
#include "runtime/hooks/sync_lock.h"

#include <unistd.h>

typedef pthread_rwlock_t rwlock;

OMEN_NEXT (int, pthread_rwlock_rdlock, (rwlock *));
OMEN_NEXT (int, pthread_rwlock_wrlock, (rwlock *));
OMEN_NEXT (int, pthread_rwlock_tryrdlock, (rwlock *));
OMEN_NEXT (int, pthread_rwlock_trywrlock, (rwlock *));
OMEN_NEXT (int, pthread_rwlock_timedrdlock,
           (rwlock *, const struct timespec *));
OMEN_NEXT (int, pthread_rwlock_timedwrlock,
           (rwlock *, const struct timespec *));
OMEN_NEXT (int, pthread_rwlock_clockrdlock,
           (rwlock *, clockid_t, const struct timespec *));
OMEN_NEXT (int, pthread_rwlock_clockwrlock,
           (rwlock *, clockid_t, const struct timespec *));
OMEN_NEXT (int, pthread_rwlock_unlock, (rwlock *));
OMEN_NEXT (int, pthread_rwlock_init, (rwlock *, const pthread_rwlockattr_t *));
OMEN_NEXT (int, pthread_rwlock_destroy, (rwlock *));

static int
writer_of (const rwlock *lock)
{
  return __atomic_load_n (&lock->__data.__cur_writer, __ATOMIC_RELAXED);
}

static int
attempt_read (void *lock)
{
  return OMEN_REAL (pthread_rwlock_tryrdlock) (lock);
}

static int
attempt_write (void *lock)
{
  return OMEN_REAL (pthread_rwlock_trywrlock) (lock);
}

static int
block_read (void *lock, omen_until until)
{
  struct timespec room;
  until = omen_until_real (until, &room);
  if (!until.at)
    return OMEN_REAL (pthread_rwlock_rdlock) (lock);
  if (until.clock == CLOCK_REALTIME)
    return OMEN_REAL (pthread_rwlock_timedrdlock) (lock, until.at);
  return OMEN_REAL (pthread_rwlock_clockrdlock) (lock, until.clock, until.at);
}

static int
block_write (void *lock, omen_until until)
{
  struct timespec room;
  until = omen_until_real (until, &room);
  if (!until.at)
    return OMEN_REAL (pthread_rwlock_wrlock) (lock);
  if (until.clock == CLOCK_REALTIME)
    return OMEN_REAL (pthread_rwlock_timedwrlock) (lock, until.at);
  return OMEN_REAL (pthread_rwlock_clockwrlock) (lock, until.clock, until.at);
}

static bool
rwlock_refuses (const void *lock)
{
  return writer_of (lock) == gettid ();
}

/* A reader's attempt may also fail because a writer waits; the lock need not be
   held in write mode then. */
static enum omen_item_kind
failed_read (const void *lock)
{
  return writer_of (lock) ? OMEN_ITEM_READ_TRY_FAIL : OMEN_ITEM_LOCK_FAIL;
}

static enum omen_item_kind
failed_write (const void *lock)
{
  return OMEN_ITEM_TRY_FAIL;
}

static bool
rwlock_is_ours (const void *lock)
{
  return !((const rwlock *)lock)->__data.__shared;
}

static const omen_lock_family reading = { attempt_read,
                                          block_read,
                                          rwlock_refuses,
                                          failed_read,
                                          OMEN_ITEM_READ_ACQUIRE,
                                          rwlock_is_ours,
                                          true };
static const omen_lock_family writing
    = { attempt_write, block_write,       rwlock_refuses,
        failed_write,  OMEN_ITEM_ACQUIRE, rwlock_is_ours,
        true };

static int
release_rwlock (void *lock)
{
  return OMEN_REAL (pthread_rwlock_unlock) (lock);
}

static int
rwlock_destroy (void *lock)
{
  return OMEN_REAL (pthread_rwlock_destroy) (lock);
}

static int
lock_read (rwlock *lock, omen_until until, uint64_t pc)
{
  if (!omen_enabled ())
    return block_read (lock, until);
  return omen_lock_take (&reading, lock, until, OMEN_LOCK_RW, pc);
}

static int
lock_write (rwlock *lock, omen_until until, uint64_t pc)
{
  if (!omen_enabled ())
    return block_write (lock, until);
  return omen_lock_take (&writing, lock, until, OMEN_LOCK_RW, pc);
}

#define NEVER ((omen_until){ NULL, 0 })
#define REAL_TIME(at) ((omen_until){ at, CLOCK_REALTIME })

OMEN_EXPORT int
pthread_rwlock_rdlock (rwlock *lock)
{
  return lock_read (lock, NEVER, OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_wrlock (rwlock *lock)
{
  return lock_write (lock, NEVER, OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_timedrdlock (rwlock *restrict lock,
                            const struct timespec *restrict at)
{
  return lock_read (lock, REAL_TIME (at), OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_timedwrlock (rwlock *restrict lock,
                            const struct timespec *restrict at)
{
  return lock_write (lock, REAL_TIME (at), OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_clockrdlock (rwlock *restrict lock, clockid_t clock,
                            const struct timespec *restrict at)
{
  return lock_read (lock, (omen_until){ at, clock }, OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_clockwrlock (rwlock *restrict lock, clockid_t clock,
                            const struct timespec *restrict at)
{
  return lock_write (lock, (omen_until){ at, clock }, OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_tryrdlock (rwlock *lock)
{
  if (!omen_enabled ())
    return attempt_read (lock);
  return omen_lock_try (&reading, lock, OMEN_LOCK_RW, OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_trywrlock (rwlock *lock)
{
  if (!omen_enabled ())
    return attempt_write (lock);
  return omen_lock_try (&writing, lock, OMEN_LOCK_RW, OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_unlock (rwlock *lock)
{
  if (!omen_enabled ())
    return release_rwlock (lock);
  enum omen_item_kind kind
      = writer_of (lock) ? OMEN_ITEM_RELEASE : OMEN_ITEM_READ_RELEASE;
  if (!rwlock_is_ours (lock))
    omen_outside_before (OMEN_PC);
  return omen_lock_give (kind, lock, release_rwlock, false, OMEN_LOCK_RW,
                         OMEN_PC);
}

OMEN_EXPORT int
pthread_rwlock_init (rwlock *restrict lock,
                     const pthread_rwlockattr_t *restrict how)
{
  int result = OMEN_REAL (pthread_rwlock_init) (lock, how);
  if (!result && omen_enabled ())
    omen_log_now (OMEN_ITEM_LOCK_INIT, lock, OMEN_LOCK_RW, OMEN_PC);
  return result;
}

OMEN_EXPORT int
pthread_rwlock_destroy (rwlock *lock)
{
  if (!omen_enabled ())
    return rwlock_destroy (lock);
  return omen_lock_destroy (lock, rwlock_destroy, OMEN_LOCK_RW, OMEN_PC);
}
