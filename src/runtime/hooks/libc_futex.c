#include "runtime/hooks/libc_futex.h"
#include "runtime/hooks/atomic.h"
#include "runtime/core/stuck.h"
#include "runtime/hooks/libc.h"
#include "runtime/hooks/map.h"
#include "runtime/hooks/sync.h"

#include <linux/futex.h>
#include <sys/syscall.h>

static int
command_of (const omen_futex *f)
{
  return f->operation & FUTEX_CMD_MASK;
}

static long
fails (int error)
{
  errno = error;
  return -1;
}

/* -- Waiting ------------------------------------------------------------- */

static uint64_t
nanoseconds (const struct timespec *time)
{
  return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

/* Timeouts are relative, except for waits with a bitset. 0: expired. */
static uint64_t
time_left (const omen_futex *f)
{
  const struct timespec *time = (const struct timespec *)f->time;
  omen_until until
      = { time, f->operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME
                                                    : CLOCK_MONOTONIC };
  return command_of (f) == FUTEX_WAIT_BITSET ? omen_until_left (until)
                                             : nanoseconds (time);
}

static long
wait_in_turn (const omen_futex *f, uint32_t bits)
{
  const struct timespec *time = (const struct timespec *)f->time;
  if (!bits || (time && !omen_until_valid ((omen_until){ time, 0 })))
    return fails (EINVAL);
  if (__atomic_load_n (f->word, __ATOMIC_ACQUIRE) != f->value)
    return fails (EAGAIN);
  uint64_t left = time ? time_left (f) : 0;
  if (time && !left)
    left = 1;
  return omen_sched_wait_bits (f->word, bits, left) ? 0 : fails (ETIMEDOUT);
}

/* -- Waking ------------------------------------------------------------------

   By the real call, too: a waiting thread may be outside the schedule. */

static long
wake_waiters (const omen_futex *f, uint32_t *word, uint32_t most, uint32_t bits)
{
  long woken = omen_sched_wake_bits (word, most, bits);
  if (woken < most) {
    long others
        = f->call (SYS_futex, word,
                   FUTEX_WAKE_BITSET | (f->operation & FUTEX_PRIVATE_FLAG),
                   (uint32_t)(most - woken), NULL, NULL, bits);
    woken += others > 0 ? others : 0;
  }
  return woken;
}

static long
wake_in_turn (const omen_futex *f, uint32_t bits)
{
  /* the kernel wakes one waiter even if asked for none */
  return bits ? wake_waiters (f, f->word, f->value ? f->value : 1, bits)
              : fails (EINVAL);
}

static long
requeue_in_turn (const omen_futex *f)
{
  bool compares = command_of (f) == FUTEX_CMP_REQUEUE;
  int most = (int)f->time;
  if ((int)f->value < 0 || most < 0)
    return fails (EINVAL);
  if (compares && __atomic_load_n (f->word, __ATOMIC_ACQUIRE) != f->value3)
    return fails (EAGAIN);
  long woken = f->value ? wake_waiters (f, f->word, f->value, UINT32_MAX) : 0;
  long moved = omen_sched_move (f->word, f->other, (unsigned)most);
  return compares ? woken + moved : woken;
}

/* An operand that FUTEX_OP packs: operation, comparison, two numbers of 12
   bits. */
static int32_t
operand (uint32_t packed, unsigned shift)
{
  return (int32_t)(packed << (20 - shift)) >> 20;
}

static uint32_t
futex_operation (uint32_t old, uint32_t packed)
{
  uint32_t with = (uint32_t)operand (packed, 12);
  if (packed >> 28 & FUTEX_OP_OPARG_SHIFT)
    with = UINT32_C (1) << (with & 31);
  switch (packed >> 28 & 7) {
  case FUTEX_OP_SET:
    return with;
  case FUTEX_OP_ADD:
    return old + with;
  case FUTEX_OP_OR:
    return old | with;
  case FUTEX_OP_ANDN:
    return old & ~with;
  default:
    return old ^ with;
  }
}

static bool
futex_compares (int32_t old, uint32_t packed)
{
  int32_t with = operand (packed, 0);
  switch (packed >> 24 & 15) {
  case FUTEX_OP_CMP_EQ:
    return old == with;
  case FUTEX_OP_CMP_NE:
    return old != with;
  case FUTEX_OP_CMP_LT:
    return old < with;
  case FUTEX_OP_CMP_LE:
    return old <= with;
  case FUTEX_OP_CMP_GT:
    return old > with;
  default:
    return old >= with;
  }
}

static long
wake_op_in_turn (const omen_futex *f)
{
  uint32_t packed = f->value3, old;
  if ((packed >> 28 & 7) > FUTEX_OP_XOR
      || (packed >> 24 & 15) > FUTEX_OP_CMP_GE)
    return fails (ENOSYS);
  old = __atomic_load_n (f->other, __ATOMIC_ACQUIRE);
  while (!__atomic_compare_exchange_n (f->other, &old,
                                       futex_operation (old, packed), false,
                                       __ATOMIC_SEQ_CST, __ATOMIC_ACQUIRE))
    ;
  long woken = wake_waiters (f, f->word, f->value ? f->value : 1, UINT32_MAX);
  uint32_t most = (uint32_t)f->time;
  if (futex_compares ((int32_t)old, packed))
    woken += wake_waiters (f, f->other, most ? most : 1, UINT32_MAX);
  return woken;
}

/* -- The call ------------------------------------------------------------ */

/* True: the call is done, with *result and errno. */
static bool
in_turn (const omen_futex *f, long *result)
{
  int saved = errno;
  switch (command_of (f)) {
  case FUTEX_WAIT:
    *result = wait_in_turn (f, UINT32_MAX);
    break;
  case FUTEX_WAIT_BITSET:
    *result = wait_in_turn (f, f->value3);
    break;
  case FUTEX_WAKE:
    *result = wake_in_turn (f, UINT32_MAX);
    break;
  case FUTEX_WAKE_BITSET:
    *result = wake_in_turn (f, f->value3);
    break;
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE:
    *result = requeue_in_turn (f);
    break;
  case FUTEX_WAKE_OP:
    *result = wake_op_in_turn (f);
    break;
  default:
    return false;
  }
  if (*result >= 0)
    errno = saved;
  return true;
}

static long
call (const omen_futex *f)
{
  long result;
  if (omen_rt_scheduled && in_turn (f, &result))
    return result;
  omen_sched_leave ();
  result = f->call (SYS_futex, f->word, f->operation, f->value, f->time,
                    f->other, f->value3);
  omen_sched_return ();
  return result;
}

/* -- Notes --------------------------------------------------------------------

   A wake is logged after the call: it is ordered after its waiters, and only if
   there were any does it order threads. The woken threads must not be numbered
   before it.

   A waiter that was moved to another word is woken there. Once any was moved,
   all futexes share one more object. */

static char any[2];
static bool any_moved;

/* The object that orders the waiters before the waker. */
static const char *
waiters_of (const void *word)
{
  return (const char *)word + 1;
}

static bool
may_have_moved (void)
{
  return __atomic_load_n (&any_moved, __ATOMIC_ACQUIRE);
}

static void
note_sleep (const void *word, uint64_t pc)
{
  omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, waiters_of (word), 0, pc);
}

/* Passes the lock that the waker holds, so that its number comes after the
   waker's. */
static void
note_woken (const void *word, uint64_t pc)
{
  omen_shard_lock (any);
  omen_shard_unlock (any);
  omen_log_now (OMEN_ITEM_HAPPENS_AFTER, word, 0, pc);
}

static void
note_wake (const void *word, uint64_t pc)
{
  omen_log_now (OMEN_ITEM_HAPPENS_AFTER, waiters_of (word), 0, pc);
  omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, word, 0, pc);
}

/* The value that the kernel saw is not known; the present one is not older. */
static void
note_word (const uint32_t *word, uint64_t pc)
{
  static omen_site load_site = { .kind = OMEN_SITE_ATOMIC_LOAD,
                                 .size = sizeof *word,
                                 .order = OMEN_SITE_RELAXED };
  omen_atomic_access seen = { .addr = word, .site = &load_site, .pc = pc };
  uint64_t ticket;
  if (!omen_watching ())
    return;
  do {
    ticket = __omen_atomic_peek (word);
    seen.old = __atomic_load_n (word, __ATOMIC_ACQUIRE);
  } while (!omen_atomic_read (&seen, ticket));
}

/* Can only another thread of the process end the wait? A thread that was moved
   to another word does not sleep on the one that it has recorded. */
static bool
futex_is_ours (const omen_futex *f)
{
  return !f->time && !may_have_moved ()
         && (f->operation & FUTEX_PRIVATE_FLAG || !omen_map_is_shared ());
}

static long
call_wait (const omen_futex *f, uint64_t pc)
{
  note_sleep (f->word, pc);
  if (may_have_moved ())
    note_sleep (any, pc);
  if (futex_is_ours (f))
    omen_stuck_begin (OMEN_STUCK_FUTEX, f->word, pc);
  long result = call (f);
  int saved = errno;
  omen_stuck_end ();
  if (!result) {
    if (may_have_moved ())
      note_woken (any, pc);
    note_woken (f->word, pc);
  } else if (saved == EAGAIN)
    note_word (f->word, pc);
  errno = saved;
  return result;
}

/* One lock for all futexes: a call may have two words, and waiters may move. */
static long
call_wake (const omen_futex *f, uint64_t pc)
{
  int command = command_of (f);
  bool moves = command == FUTEX_REQUEUE || command == FUTEX_CMP_REQUEUE;
  if (moves)
    __atomic_store_n (&any_moved, true, __ATOMIC_RELEASE);
  if (!omen_rt_scheduled)
    omen_shard_lock (any);
  long result = call (f);
  int saved = errno;
  if (result > 0) {
    if (may_have_moved ())
      note_wake (any, pc);
    note_wake (f->word, pc);
    if (command == FUTEX_WAKE_OP)
      note_wake (f->other, pc);
  }
  if (!omen_rt_scheduled)
    omen_shard_unlock (any);
  if (command == FUTEX_WAKE_OP)
    omen_changed (f->other, sizeof *f->other, pc);
  errno = saved;
  omen_replay_after ();
  return result;
}

/* The kernel writes the word. */
static long
call_lock (const omen_futex *f, uint64_t pc)
{
  omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, f->word, 0, pc);
  long result = call (f);
  int saved = errno;
  omen_log_now (OMEN_ITEM_HAPPENS_AFTER, f->word, 0, pc);
  omen_changed (f->word, sizeof *f->word, pc);
  errno = saved;
  return result;
}

long
omen_futex_call (const omen_futex *f, uint64_t pc)
{
  switch (command_of (f)) {
  case FUTEX_WAIT:
  case FUTEX_WAIT_BITSET:
    return call_wait (f, pc);
  case FUTEX_WAKE:
  case FUTEX_WAKE_BITSET:
  case FUTEX_REQUEUE:
  case FUTEX_CMP_REQUEUE:
  case FUTEX_WAKE_OP:
    return call_wake (f, pc);
  case FUTEX_LOCK_PI:
  case FUTEX_LOCK_PI2:
  case FUTEX_TRYLOCK_PI:
  case FUTEX_UNLOCK_PI:
    return call_lock (f, pc);
  default:
    return call (f);
  }
}
