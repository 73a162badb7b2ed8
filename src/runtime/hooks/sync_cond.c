/* Conditions. A wait releases the mutex and waits in one step, so it has two
   numbers, one of the condition and one of the mutex; so has a wake. If both
   fall into the same shard they are taken at once and are consecutive.

   A waiter takes its number before it waits, a notify takes its own together
   with the real call: a thread numbered before a notify is either waiting by
   then or misses it, as in any run. */
#include "runtime/hooks/cancel.h"
#include "runtime/hooks/channel.h"
#include "runtime/log/item.h"
#include "runtime/core/stuck.h"
#include "runtime/hooks/sync.h"

typedef pthread_cond_t cond;

OMEN_NEXT (int, pthread_cond_init, (cond *, const pthread_condattr_t *));
OMEN_NEXT (int, pthread_cond_destroy, (cond *));
OMEN_NEXT (int, pthread_cond_wait, (cond *, pthread_mutex_t *));
OMEN_NEXT (int, pthread_cond_timedwait,
           (cond *, pthread_mutex_t *, const struct timespec *));
OMEN_NEXT (int, pthread_cond_clockwait,
           (cond *, pthread_mutex_t *, clockid_t, const struct timespec *));
OMEN_NEXT (int, pthread_cond_signal, (cond *));
OMEN_NEXT (int, pthread_cond_broadcast, (cond *));

uint64_t
omen_until_left (omen_until until)
{
  struct timespec now;
  omen_serve_deadline (until.at);
  if (clock_gettime (until.clock, &now))
    return 0;
  omen_sched_clock (until.clock, &now);
  if (until.at->tv_sec < now.tv_sec)
    return 0;
  int64_t left = (int64_t)(until.at->tv_sec - now.tv_sec) * 1000000000
                 + until.at->tv_nsec - now.tv_nsec;
  return left > 0 ? (uint64_t)left : 0;
}

/* -- Made and destroyed -------------------------------------------------- */

void
omen_cond_made (cond *condition, uint64_t pc)
{
  if (omen_enabled ())
    omen_log_now (OMEN_ITEM_LOCK_INIT, condition, 0, pc);
}

OMEN_EXPORT int
pthread_cond_init (cond *restrict condition,
                   const pthread_condattr_t *restrict how)
{
  int result = OMEN_REAL (pthread_cond_init) (condition, how);
  if (!result)
    omen_cond_made (condition, OMEN_PC);
  return result;
}

static int
cond_destroy (void *condition)
{
  return OMEN_REAL (pthread_cond_destroy) (condition);
}

int
omen_cond_destroy (cond *condition, uint64_t pc)
{
  return omen_object_destroy (condition, cond_destroy, pc);
}

OMEN_EXPORT int
pthread_cond_destroy (cond *condition)
{
  return omen_cond_destroy (condition, OMEN_PC);
}

/* -- Waiting ------------------------------------------------------------- */

enum { CLOCK_OF_CONDITION = -1 }; /* as it was initialised */

typedef struct waiting {
  cond *condition;
  pthread_mutex_t *mutex;
  uint64_t flags, pc;
  bool unasked; /* woke without a notify */
} waiting;

/* The WAIT or the WAKE of `w`. */
static void
note_wait (const waiting *w, enum omen_item_kind kind)
{
  bool together = omen_shard ((uintptr_t)w->condition)
                  == omen_shard ((uintptr_t)w->mutex);
  omen_shard_lock (w->condition);
  uint64_t here = omen_numbers_of (w->condition, together ? 2 : 1);
  omen_shard_unlock (w->condition);
  uint64_t lock = together ? here + 1 : omen_number (w->mutex);
  uint64_t more[] = { (uintptr_t)w->mutex, lock };
  omen_log_with (kind, w->condition, here, w->flags, w->pc, more, sizeof more);
}

static int
cond_block (cond *condition, pthread_mutex_t *mutex, omen_until until)
{
  struct timespec room;
  until = omen_until_real (until, &room);
  if (!until.at)
    return OMEN_REAL (pthread_cond_wait) (condition, mutex);
  if (until.clock == CLOCK_OF_CONDITION)
    return OMEN_REAL (pthread_cond_timedwait) (condition, mutex, until.at);
  return OMEN_REAL (pthread_cond_clockwait) (condition, mutex, until.clock,
                                             until.at);
}

static uint64_t
flags_of (const waiting *w, int result)
{
  uint64_t flags = omen_mutex_flags (w->mutex);
  if (result == ETIMEDOUT)
    return flags | OMEN_LOCK_TIMEOUT;
  if (result && result != EOWNERDEAD)
    return flags | OMEN_LOCK_TIMEOUT | OMEN_LOCK_ERROR;
  return flags;
}

/* A cancelled wait holds the mutex when it unwinds, and needed no notify but
   the cancellation. */
static void
cancelled (void *arg)
{
  waiting *w = arg;
  omen_cancelled (NULL);
  w->flags = flags_of (w, ETIMEDOUT);
  note_wait (w, OMEN_ITEM_WAKE);
}

/* glibc: the lowest bit of __wrefs says that other processes may notify. */
static bool
cond_is_shared (const cond *condition)
{
  return condition->__data.__wrefs & 1;
}

static bool
wait_is_ours (const waiting *w, omen_until until)
{
  return !until.at && !cond_is_shared (w->condition);
}

static int
wait_free (waiting *w, omen_until until)
{
  int result;
  if (wait_is_ours (w, until))
    omen_stuck_begin (OMEN_STUCK_CONDITION, w->condition, w->pc);
  pthread_cleanup_push (cancelled, w);
  result = cond_block (w->condition, w->mutex, until);
  pthread_cleanup_pop (0);
  omen_stuck_end ();
  return result;
}

/* glibc: the second bit of __wrefs is the clock that it was made with. */
static uint64_t
time_left (const waiting *w, omen_until until)
{
  if (until.clock == CLOCK_OF_CONDITION)
    until.clock
        = w->condition->__data.__wrefs & 2 ? CLOCK_MONOTONIC : CLOCK_REALTIME;
  return omen_until_left (until);
}

/* The scheduler does not see notifies by other processes or by the runtime of
   OpenMP. */
static int
wait_in_kernel (waiting *w, omen_until until)
{
  omen_sched_leave ();
  int result = wait_free (w, until);
  omen_sched_return ();
  return result;
}

/* No other thread runs between the release of the mutex and the wait. A thread
   that was cancelled earlier finds out after it has released the mutex, as in
   glibc. */
static int
wait_in_turn (waiting *w, omen_until until)
{
  if (cond_is_shared (w->condition) || omen_in_openmp (w->pc))
    return wait_in_kernel (w, until);
  int result = omen_until_valid (until) ? omen_mutex_drop (w->mutex) : EINVAL;
  if (result)
    return result;
  if (wait_is_ours (w, until))
    omen_stuck_begin (OMEN_STUCK_CONDITION, w->condition, w->pc);
  if (omen_sched_cancelled ())
    w->unasked = true;
  else if (!until.at)
    w->unasked
        = !(omen_sched_spurious () ? omen_sched_wait_for (w->condition, 1)
                                   : omen_sched_wait (w->condition));
  else if (!omen_sched_wait_for (w->condition, time_left (w, until)))
    result = ETIMEDOUT;
  omen_stuck_end ();
  if (omen_sched_cancelled ())
    omen_cancelled (NULL); /* will unwind, with the mutex */
  int taken = omen_mutex_retake (w->mutex, w->pc);
  return taken ? taken : result;
}

/* A thread of OpenMP that waits for work. */
static int
wait_away (waiting *w, omen_until until)
{
  if (!until.at)
    omen_stuck_begin (OMEN_STUCK_CONDITION, w->condition, w->pc);
  int result = cond_block (w->condition, w->mutex, until);
  omen_stuck_end ();
  return result;
}

int
omen_cond_wait (cond *condition, pthread_mutex_t *mutex, omen_until until,
                uint64_t pc)
{
  if (!omen_enabled ()) {
    waiting w = { condition, mutex, 0, pc, false };
    return omen_rt_disabled & OMEN_DISABLED_AWAY
               ? wait_away (&w, until)
               : cond_block (condition, mutex, until);
  }
  waiting w = { condition, mutex, omen_mutex_flags (mutex), pc, false };
  if (!wait_is_ours (&w, until)) /* it may end in other ways than by a notify */
    w.flags |= OMEN_LOCK_TIMEOUT;
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_WAIT, condition);
  note_wait (&w, OMEN_ITEM_WAIT);
  int result
      = omen_rt_scheduled ? wait_in_turn (&w, until) : wait_free (&w, until);
  w.flags = flags_of (&w, w.unasked ? ETIMEDOUT : result);
  note_wait (&w, OMEN_ITEM_WAKE);
  if (cond_is_shared (condition))
    omen_outside_after (pc);
  if (omen_rt_scheduled)
    omen_cancel_test ();
  return result;
}

static int
signal_or_broadcast (cond *condition, bool all)
{
  return all ? OMEN_REAL (pthread_cond_broadcast) (condition)
             : OMEN_REAL (pthread_cond_signal) (condition);
}

int
omen_cond_notify (cond *condition, bool all, uint64_t pc)
{
  enum omen_item_kind kind = all ? OMEN_ITEM_NOTIFY_ALL : OMEN_ITEM_NOTIFY;
  if (!omen_enabled ())
    return signal_or_broadcast (condition, all);
  if (omen_rt_scheduled)
    omen_sched_point (kind, condition);
  if (cond_is_shared (condition))
    omen_outside_before (pc);
  omen_shard_lock (condition);
  omen_log_now (kind, condition, 0, pc);
  int result = signal_or_broadcast (condition, all);
  omen_shard_unlock (condition);
  if (omen_rt_scheduled)
    omen_sched_wake (condition, all);
  omen_replay_after ();
  return result;
}

OMEN_EXPORT int
pthread_cond_wait (cond *restrict condition, pthread_mutex_t *restrict mutex)
{
  return omen_cond_wait (condition, mutex, (omen_until){ NULL, 0 }, OMEN_PC);
}

OMEN_EXPORT int
pthread_cond_timedwait (cond *restrict condition,
                        pthread_mutex_t *restrict mutex,
                        const struct timespec *restrict at)
{
  omen_until until = { at, CLOCK_OF_CONDITION };
  return omen_cond_wait (condition, mutex, until, OMEN_PC);
}

OMEN_EXPORT int
pthread_cond_clockwait (cond *restrict condition,
                        pthread_mutex_t *restrict mutex, clockid_t clock,
                        const struct timespec *restrict at)
{
  return omen_cond_wait (condition, mutex, (omen_until){ at, clock }, OMEN_PC);
}

/* glibc: __wrefs without its lowest three bits counts the waiters. If it is 0
   the real call does nothing. */
static bool
has_no_waiters (const cond *condition)
{
  return !(__atomic_load_n (&condition->__data.__wrefs, __ATOMIC_RELAXED) >> 3);
}

/* The fast path of a notify. The latch makes number and call one step for
   calls that take numbers with it (note). If there was no waiter just before,
   no call is needed: a later waiter has missed it, whatever its number. */
OMEN_INLINE int
notify_fast (cond *condition, bool all, uint64_t pc)
{
  enum omen_item_kind kind = all ? OMEN_ITEM_NOTIFY_ALL : OMEN_ITEM_NOTIFY;
  if (OMEN_UNLIKELY (!omen_fast_path () || cond_is_shared (condition)))
    return omen_cond_notify (condition, all, pc);
  omen_item_ahead ();
  if (OMEN_LIKELY (has_no_waiters (condition))) {
    omen_item_now (kind, condition, 0, pc);
    return 0;
  }
  omen_shard_lock (condition);
  omen_item_now (kind, condition, 0, pc);
  int result = signal_or_broadcast (condition, all);
  omen_shard_unlock (condition);
  return result;
}

OMEN_EXPORT int
pthread_cond_signal (cond *condition)
{
  return notify_fast (condition, false, OMEN_PC);
}

OMEN_EXPORT int
pthread_cond_broadcast (cond *condition)
{
  return notify_fast (condition, true, OMEN_PC);
}
