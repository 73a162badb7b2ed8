/* Semaphores, named and unnamed. A post takes its number in one step with
   the real call, a wait after it. A wait that fails has observed the count, so
   its attempt and number are one step, too. */
#include "runtime/hooks/cancel.h"
#include "runtime/hooks/channel.h"
#include "runtime/hooks/hook.h"
#include "runtime/hooks/range.h"
#include "runtime/core/stuck.h"
#include "runtime/hooks/sync.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

OMEN_NEXT (int, sem_init, (sem_t *, int, unsigned));
OMEN_NEXT (int, sem_destroy, (sem_t *));
OMEN_NEXT (sem_t *, sem_open, (const char *, int, ...));
OMEN_NEXT (int, sem_post, (sem_t *));
OMEN_NEXT (int, sem_getvalue, (sem_t *, int *));
OMEN_NEXT (int, sem_wait, (sem_t *));
OMEN_NEXT (int, sem_trywait, (sem_t *));
OMEN_NEXT (int, sem_timedwait, (sem_t *, const struct timespec *));
OMEN_NEXT (int, sem_clockwait, (sem_t *, clockid_t, const struct timespec *));

static int
sem_block (sem_t *sem, omen_until until)
{
  struct timespec room;
  until = omen_until_real (until, &room);
  if (!until.at)
    return OMEN_REAL (sem_wait) (sem);
  if (until.clock == CLOCK_REALTIME)
    return OMEN_REAL (sem_timedwait) (sem, until.at);
  return OMEN_REAL (sem_clockwait) (sem, until.clock, until.at);
}

/* What glibc keeps in a semaphore after its value: 0, or shared, as those with
   a name are. */
static bool
sem_is_ours (const sem_t *sem)
{
  return !((const int *)sem)[2];
}

/* Another process may have posted it, after communicating with another thread
   of this one. */
static void
got (const sem_t *sem, uint64_t pc)
{
  if (!sem_is_ours (sem))
    omen_outside_after (pc);
}

/* One more try, which is logged whatever its result; `error` if it fails. */
static int
last_try (sem_t *sem, int error, uint64_t pc)
{
  omen_shard_lock (sem);
  int result = OMEN_REAL (sem_trywait) (sem);
  omen_log_now (result ? OMEN_ITEM_SEM_FAIL : OMEN_ITEM_SEM_DOWN, sem,
                OMEN_LOCK_TRY, pc);
  omen_shard_unlock (sem);
  omen_replay_after ();
  if (result)
    errno = error;
  else
    got (sem, pc);
  return result;
}

/* Wait in the scheduler; 0, or -1 and errno. */
static int
wait_in_turn (sem_t *sem, omen_until until)
{
  omen_serve_deadline (until.at);
  while (OMEN_REAL (sem_trywait) (sem)) {
    if (errno != EAGAIN)
      return -1;
    errno = EINVAL;
    if (!omen_until_valid (until))
      return -1;
    errno = ETIMEDOUT;
    omen_cancel_test ();
    if (!until.at && sem_is_ours (sem))
      omen_sched_wait (sem);
    else if (!until.at) /* a post by another process is not seen by the
                           scheduler */
      omen_sched_wait_timed (sem);
    else if (!omen_sched_wait_for (sem, omen_until_left (until)))
      return -1;
    omen_cancel_test ();
  }
  return 0;
}

static int
wait_free (sem_t *sem, omen_until until)
{
  if (!OMEN_REAL (sem_trywait) (sem))
    return 0;
  return errno == EAGAIN ? sem_block (sem, until) : -1;
}

static int
wait_for (sem_t *sem, omen_until until, uint64_t pc)
{
  int result;
  if (!until.at && sem_is_ours (sem))
    omen_stuck_begin (OMEN_STUCK_SEMAPHORE, sem, pc);
  pthread_cleanup_push (omen_cancelled, NULL);
  result
      = omen_rt_scheduled ? wait_in_turn (sem, until) : wait_free (sem, until);
  pthread_cleanup_pop (0);
  omen_stuck_end ();
  return result;
}

static int
take_semaphore (sem_t *sem, omen_until until, uint64_t pc)
{
  if (!omen_enabled ())
    return sem_block (sem, until);
  int result, saved = errno;
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_SEM_DOWN, sem);
  omen_cancel_test ();
  result = wait_for (sem, until, pc);
  if (result)
    return errno == ETIMEDOUT ? last_try (sem, ETIMEDOUT, pc) : result;
  errno = saved;
  omen_log_now (OMEN_ITEM_SEM_DOWN, sem,
                until.at || !sem_is_ours (sem) ? OMEN_LOCK_TRY : 0, pc);
  got (sem, pc);
  return 0;
}

OMEN_EXPORT int
sem_wait (sem_t *sem)
{
  return take_semaphore (sem, (omen_until){ NULL, 0 }, OMEN_PC);
}

OMEN_EXPORT int
sem_timedwait (sem_t *restrict sem, const struct timespec *restrict at)
{
  return take_semaphore (sem, (omen_until){ at, CLOCK_REALTIME }, OMEN_PC);
}

OMEN_EXPORT int
sem_clockwait (sem_t *restrict sem, clockid_t clock,
               const struct timespec *restrict at)
{
  return take_semaphore (sem, (omen_until){ at, clock }, OMEN_PC);
}

OMEN_EXPORT int
sem_trywait (sem_t *sem)
{
  if (!omen_enabled ())
    return OMEN_REAL (sem_trywait) (sem);
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_SEM_DOWN, sem);
  return last_try (sem, EAGAIN, OMEN_PC);
}

/* Noted before the call: the one it wakes may end the program. A post that
   fails (overflow) is a mistake of the program, and stays in the trace. */
OMEN_EXPORT int
sem_post (sem_t *sem)
{
  if (!omen_enabled ())
    return OMEN_REAL (sem_post) (sem);
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_SEM_UP, sem);
  if (!sem_is_ours (sem))
    omen_outside_before (OMEN_PC);
  omen_shard_lock (sem);
  omen_log_now (OMEN_ITEM_SEM_UP, sem, 0, OMEN_PC);
  int result = OMEN_REAL (sem_post) (sem);
  omen_shard_unlock (sem);
  if (omen_rt_scheduled)
    omen_sched_wake (sem, false);
  omen_replay_after ();
  return result;
}

/* Logs the observed count as if the caller had taken all units and posted them
   again, with consecutive numbers; a count of 0 as a failed try. */
static void
note_value (sem_t *sem, int value, uint64_t pc)
{
  enum { MOST = 64 };
  unsigned count = value < MOST ? (unsigned)value : MOST;
  uint64_t number = omen_numbers_of (sem, count ? 2 * count : 1);
  if (!count)
    omen_log (OMEN_ITEM_SEM_FAIL, sem, number, 0, pc);
  for (unsigned i = 0; i < 2 * count; i++)
    omen_log (i < count ? OMEN_ITEM_SEM_DOWN : OMEN_ITEM_SEM_UP, sem,
              number + i, i < count ? OMEN_LOCK_TRY : 0, pc);
}

OMEN_EXPORT int
sem_getvalue (sem_t *restrict sem, int *restrict value)
{
  if (!omen_enabled ())
    return OMEN_REAL (sem_getvalue) (sem, value);
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_SEM_DOWN, sem);
  omen_shard_lock (sem);
  int result = OMEN_REAL (sem_getvalue) (sem, value);
  if (!result)
    note_value (sem, *value, OMEN_PC);
  omen_shard_unlock (sem);
  omen_replay_after ();
  if (result)
    return result;
  got (sem, OMEN_PC);
  omen_wrote (value, sizeof *value, OMEN_PC);
  return 0;
}

OMEN_EXPORT int
sem_init (sem_t *sem, int shared, unsigned value)
{
  int result = OMEN_REAL (sem_init) (sem, shared, value);
  if (!result && omen_enabled ())
    omen_log_now (OMEN_ITEM_SEM_INIT, sem, value, OMEN_PC);
  return result;
}

static int
sem_destroy_here (void *sem)
{
  return OMEN_REAL (sem_destroy) (sem);
}

OMEN_EXPORT int
sem_destroy (sem_t *sem)
{
  return omen_object_destroy (sem, sem_destroy_here, OMEN_PC);
}

/* Only the call that creates a semaphore knows its count. Where the flags leave
   open whether it exists, creating it is tried first. */
OMEN_EXPORT sem_t *
sem_open (const char *name, int flags, ...)
{
  va_list args;
  va_start (args, flags);
  mode_t mode = flags & O_CREAT ? va_arg (args, mode_t) : 0;
  unsigned value = flags & O_CREAT ? va_arg (args, unsigned) : 0;
  va_end (args);
  if (!(flags & O_CREAT) || !omen_enabled ())
    return OMEN_REAL (sem_open) (name, flags, mode, value);
  int saved = errno;
  sem_t *sem = OMEN_REAL (sem_open) (name, flags | O_EXCL, mode, value);
  if (sem != SEM_FAILED)
    omen_log_now (OMEN_ITEM_SEM_INIT, sem, value, OMEN_PC);
  else if (errno == EEXIST && !(flags & O_EXCL)) {
    errno = saved;
    sem = OMEN_REAL (sem_open) (name, flags, mode, value);
  }
  return sem;
}
