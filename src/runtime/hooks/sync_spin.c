/* Spin locks: a word that is 1 when free, which the program may also have
   initialised by hand. They are handled like mutexes; unlocking does not check
   the owner. */
#include "runtime/hooks/sync_lock.h"

OMEN_NEXT (int, pthread_spin_lock, (pthread_spinlock_t *));
OMEN_NEXT (int, pthread_spin_trylock, (pthread_spinlock_t *));
OMEN_NEXT (int, pthread_spin_unlock, (pthread_spinlock_t *));
OMEN_NEXT (int, pthread_spin_init, (pthread_spinlock_t *, int));
OMEN_NEXT (int, pthread_spin_destroy, (pthread_spinlock_t *));

static int
spin_attempt (void *lock)
{
  return OMEN_REAL (pthread_spin_trylock) (lock);
}

static int
spin_block (void *lock, omen_until until)
{
  return OMEN_REAL (pthread_spin_lock) (lock);
}

static bool
spin_refuses (const void *lock)
{
  return false;
}

static enum omen_item_kind
spin_failed (const void *lock)
{
  return OMEN_ITEM_TRY_FAIL;
}

/* Whether other processes share the lock cannot be determined. A waiting thread
   does not sleep in the kernel: it spins, or waits in the scheduler. */
static bool
spin_is_ours (const void *lock)
{
  return omen_rt_scheduled;
}

static const omen_lock_family family
    = { spin_attempt,      spin_block,   spin_refuses, spin_failed,
        OMEN_ITEM_ACQUIRE, spin_is_ours, false };

static int
release_spin (void *lock)
{
  return OMEN_REAL (pthread_spin_unlock) (lock);
}

static int
spin_destroy (void *lock)
{
  return OMEN_REAL (pthread_spin_destroy) (lock);
}

OMEN_EXPORT int
pthread_spin_lock (pthread_spinlock_t *lock)
{
  if (!omen_enabled ())
    return OMEN_REAL (pthread_spin_lock) (lock);
  return omen_lock_take (&family, (void *)lock, (omen_until){ NULL, 0 },
                         OMEN_LOCK_SPIN, OMEN_PC);
}

OMEN_EXPORT int
pthread_spin_trylock (pthread_spinlock_t *lock)
{
  if (!omen_enabled ())
    return OMEN_REAL (pthread_spin_trylock) (lock);
  return omen_lock_try (&family, (void *)lock, OMEN_LOCK_SPIN, OMEN_PC);
}

OMEN_EXPORT int
pthread_spin_unlock (pthread_spinlock_t *lock)
{
  if (!omen_enabled ())
    return OMEN_REAL (pthread_spin_unlock) (lock);
  return omen_lock_give (OMEN_ITEM_RELEASE, (void *)lock, release_spin, false,
                         OMEN_LOCK_SPIN, OMEN_PC);
}

OMEN_EXPORT int
pthread_spin_init (pthread_spinlock_t *lock, int shared)
{
  int result = OMEN_REAL (pthread_spin_init) (lock, shared);
  if (!result && omen_enabled ())
    omen_log_now (OMEN_ITEM_LOCK_INIT, lock, OMEN_LOCK_SPIN, OMEN_PC);
  return result;
}

OMEN_EXPORT int
pthread_spin_destroy (pthread_spinlock_t *lock)
{
  if (!omen_enabled ())
    return OMEN_REAL (pthread_spin_destroy) (lock);
  return omen_lock_destroy ((void *)lock, spin_destroy, OMEN_LOCK_SPIN,
                            OMEN_PC);
}
