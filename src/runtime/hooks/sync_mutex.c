/* Mutexes: POSIX (normal, recursive, errorcheck, robust; try, timed) and C11,
   which in glibc are the same under another name. */
#include "runtime/log/safepoint.h"
#include "runtime/log/fused.h"
#include "runtime/hooks/sync_lock.h"

#include <threads.h>
#include <unistd.h>

_Static_assert (sizeof (mtx_t) <= sizeof (pthread_mutex_t),
                "a mtx_t is a pthread_mutex_t");

OMEN_NEXT (int, pthread_mutex_lock, (pthread_mutex_t *));
OMEN_NEXT (int, pthread_mutex_trylock, (pthread_mutex_t *));
OMEN_NEXT (int, pthread_mutex_unlock, (pthread_mutex_t *));
OMEN_NEXT (int, pthread_mutex_timedlock,
           (pthread_mutex_t *, const struct timespec *));
OMEN_NEXT (int, pthread_mutex_clocklock,
           (pthread_mutex_t *, clockid_t, const struct timespec *));
OMEN_NEXT (int, pthread_mutex_init,
           (pthread_mutex_t *, const pthread_mutexattr_t *));
OMEN_NEXT (int, pthread_mutex_destroy, (pthread_mutex_t *));
OMEN_NEXT (int, mtx_init, (mtx_t *, int));
OMEN_NEXT (int, cnd_init, (cnd_t *));

enum { KIND = 127, TYPE = 3, SHARED = 128 }; /* what glibc keeps in __kind */

static int
kind_of (const pthread_mutex_t *mutex)
{
  return __atomic_load_n (&mutex->__data.__kind, __ATOMIC_RELAXED) & KIND;
}

uint64_t
omen_mutex_flags (const pthread_mutex_t *mutex)
{
  return (kind_of (mutex) & TYPE) == PTHREAD_MUTEX_RECURSIVE
             ? OMEN_LOCK_RECURSIVE
             : 0;
}

/* Unlocking the other types may fail: they check their owner. */
static bool
unlock_never_fails (const pthread_mutex_t *mutex)
{
  int kind = kind_of (mutex);
  return kind == PTHREAD_MUTEX_NORMAL || kind == PTHREAD_MUTEX_ADAPTIVE_NP;
}

static int
mutex_attempt (void *mutex)
{
  return OMEN_REAL (pthread_mutex_trylock) (mutex);
}

static int
mutex_block (void *mutex, omen_until until)
{
  struct timespec room;
  until = omen_until_real (until, &room);
  if (!until.at)
    return OMEN_REAL (pthread_mutex_lock) (mutex);
  if (until.clock == CLOCK_REALTIME)
    return OMEN_REAL (pthread_mutex_timedlock) (mutex, until.at);
  return OMEN_REAL (pthread_mutex_clocklock) (mutex, until.clock, until.at);
}

static bool
mutex_refuses (const void *lock)
{
  const pthread_mutex_t *mutex = lock;
  return (kind_of (mutex) & TYPE) == PTHREAD_MUTEX_ERRORCHECK
         && mutex->__data.__owner == gettid ();
}

static enum omen_item_kind
mutex_failed (const void *mutex)
{
  return OMEN_ITEM_TRY_FAIL;
}

/* A shared robust mutex is released when its owner's process ends. */
static bool
mutex_is_ours (const void *lock)
{
  const pthread_mutex_t *mutex = lock;
  int kind = __atomic_load_n (&mutex->__data.__kind, __ATOMIC_RELAXED);
  return !(kind & SHARED);
}

static const omen_lock_family family
    = { mutex_attempt,     mutex_block,   mutex_refuses, mutex_failed,
        OMEN_ITEM_ACQUIRE, mutex_is_ours, true };

static int
release_mutex (void *mutex)
{
  return OMEN_REAL (pthread_mutex_unlock) (mutex);
}

static int
mutex_destroy (void *mutex)
{
  return OMEN_REAL (pthread_mutex_destroy) (mutex);
}

int
omen_mutex_lock (pthread_mutex_t *mutex, omen_until until, uint64_t pc)
{
  if (!omen_enabled ())
    return mutex_block (mutex, until);
  omen_safepoint_soon ();
  return omen_lock_take (&family, mutex, until, omen_mutex_flags (mutex), pc);
}

int
omen_mutex_trylock (pthread_mutex_t *mutex, uint64_t pc)
{
  if (!omen_enabled ())
    return mutex_attempt (mutex);
  omen_safepoint_soon ();
  return omen_lock_try (&family, mutex, omen_mutex_flags (mutex), pc);
}

int
omen_mutex_unlock (pthread_mutex_t *mutex, uint64_t pc)
{
  if (!omen_enabled ())
    return release_mutex (mutex);
  if (!mutex_is_ours (mutex))
    omen_outside_before (pc);
  return omen_lock_give (OMEN_ITEM_RELEASE, mutex, release_mutex,
                         !unlock_never_fails (mutex), omen_mutex_flags (mutex),
                         pc);
}

int
omen_mutex_retake (pthread_mutex_t *mutex, uint64_t pc)
{
  int result;
  while ((result = mutex_attempt (mutex)) == EBUSY)
    omen_lock_await (&family, mutex, pc);
  return result;
}

int
omen_mutex_drop (pthread_mutex_t *mutex)
{
  int result = release_mutex (mutex);
  if (!result)
    omen_sched_wake (mutex, false);
  return result;
}

static int
destroy_mutex (pthread_mutex_t *mutex, uint64_t pc)
{
  if (!omen_enabled ())
    return mutex_destroy (mutex);
  return omen_lock_destroy (mutex, mutex_destroy, omen_mutex_flags (mutex), pc);
}

static void
note_init (pthread_mutex_t *mutex, uint64_t pc)
{
  if (omen_enabled ())
    omen_log_now (OMEN_ITEM_LOCK_INIT, mutex, omen_mutex_flags (mutex), pc);
}

/* -- Most calls -------------------------------------------------------------

   A mutex of the simplest kind, of this process alone, in a thread that records
   as most do: nothing but the real call, a number and an item. */

#define NEVER ((omen_until){ NULL, 0 })

OMEN_INLINE bool
is_simple (const pthread_mutex_t *mutex)
{
  return OMEN_LIKELY (omen_fast_path ())
         && OMEN_LIKELY (
             !__atomic_load_n (&mutex->__data.__kind, __ATOMIC_RELAXED));
}

OMEN_INLINE int
lock (pthread_mutex_t *mutex, uint64_t pc)
{
  if (!is_simple (mutex))
    return omen_mutex_lock (mutex, NEVER, pc);
  omen_item_ahead ();
  if (OMEN_UNLIKELY (real_pthread_mutex_trylock (mutex)))
    return omen_mutex_lock (mutex, NEVER, pc);
  omen_fused_begin (mutex, 0, pc);
  return 0;
}

OMEN_INLINE int
unlock (pthread_mutex_t *mutex, uint64_t pc)
{
  if (!is_simple (mutex))
    return omen_mutex_unlock (mutex, pc);
  omen_fused_end (mutex, 0, pc);
  return real_pthread_mutex_unlock (mutex);
}

/* -- POSIX ----------------------------------------------------------------- */

OMEN_EXPORT int
pthread_mutex_lock (pthread_mutex_t *mutex)
{
  return lock (mutex, OMEN_PC);
}

OMEN_EXPORT int
pthread_mutex_timedlock (pthread_mutex_t *mutex, const struct timespec *at)
{
  return omen_mutex_lock (mutex, (omen_until){ at, CLOCK_REALTIME }, OMEN_PC);
}

OMEN_EXPORT int
pthread_mutex_clocklock (pthread_mutex_t *mutex, clockid_t clock,
                         const struct timespec *at)
{
  return omen_mutex_lock (mutex, (omen_until){ at, clock }, OMEN_PC);
}

OMEN_EXPORT int
pthread_mutex_trylock (pthread_mutex_t *mutex)
{
  return omen_mutex_trylock (mutex, OMEN_PC);
}

OMEN_EXPORT int
pthread_mutex_unlock (pthread_mutex_t *mutex)
{
  return unlock (mutex, OMEN_PC);
}

OMEN_EXPORT int
pthread_mutex_init (pthread_mutex_t *mutex, const pthread_mutexattr_t *how)
{
  int result = OMEN_REAL (pthread_mutex_init) (mutex, how);
  if (!result)
    note_init (mutex, OMEN_PC);
  return result;
}

OMEN_EXPORT int
pthread_mutex_destroy (pthread_mutex_t *mutex)
{
  return destroy_mutex (mutex, OMEN_PC);
}

/* -- C11 ------------------------------------------------------------------- */

static int
thrd_result (int result)
{
  switch (result) {
  case 0:
    return thrd_success;
  case EBUSY:
    return thrd_busy;
  case ETIMEDOUT:
    return thrd_timedout;
  case ENOMEM:
    return thrd_nomem;
  default:
    return thrd_error;
  }
}

OMEN_EXPORT int
mtx_init (mtx_t *mutex, int type)
{
  int result = OMEN_REAL (mtx_init) (mutex, type);
  if (result == thrd_success)
    note_init ((pthread_mutex_t *)mutex, OMEN_PC);
  return result;
}

OMEN_EXPORT int
mtx_lock (mtx_t *mutex)
{
  return thrd_result (lock ((pthread_mutex_t *)mutex, OMEN_PC));
}

OMEN_EXPORT int
mtx_timedlock (mtx_t *restrict mutex, const struct timespec *restrict at)
{
  omen_until until = { at, CLOCK_REALTIME };
  return thrd_result (
      omen_mutex_lock ((pthread_mutex_t *)mutex, until, OMEN_PC));
}

OMEN_EXPORT int
mtx_trylock (mtx_t *mutex)
{
  return thrd_result (omen_mutex_trylock ((pthread_mutex_t *)mutex, OMEN_PC));
}

OMEN_EXPORT int
mtx_unlock (mtx_t *mutex)
{
  return thrd_result (unlock ((pthread_mutex_t *)mutex, OMEN_PC));
}

OMEN_EXPORT void
mtx_destroy (mtx_t *mutex)
{
  destroy_mutex ((pthread_mutex_t *)mutex, OMEN_PC);
}

OMEN_EXPORT int
cnd_init (cnd_t *condition)
{
  int result = OMEN_REAL (cnd_init) (condition);
  if (result == thrd_success)
    omen_cond_made ((pthread_cond_t *)condition, OMEN_PC);
  return result;
}

OMEN_EXPORT void
cnd_destroy (cnd_t *condition)
{
  omen_cond_destroy ((pthread_cond_t *)condition, OMEN_PC);
}

OMEN_EXPORT int
cnd_wait (cnd_t *condition, mtx_t *mutex)
{
  return thrd_result (omen_cond_wait (
      (pthread_cond_t *)condition, (pthread_mutex_t *)mutex, NEVER, OMEN_PC));
}

OMEN_EXPORT int
cnd_timedwait (cnd_t *restrict condition, mtx_t *restrict mutex,
               const struct timespec *restrict at)
{
  omen_until until = { at, CLOCK_REALTIME };
  return thrd_result (omen_cond_wait (
      (pthread_cond_t *)condition, (pthread_mutex_t *)mutex, until, OMEN_PC));
}

OMEN_EXPORT int
cnd_signal (cnd_t *condition)
{
  return thrd_result (
      omen_cond_notify ((pthread_cond_t *)condition, false, OMEN_PC));
}

OMEN_EXPORT int
cnd_broadcast (cnd_t *condition)
{
  return thrd_result (
      omen_cond_notify ((pthread_cond_t *)condition, true, OMEN_PC));
}
