/* Calls that wait: for time, for descriptors, for words of memory. Free running
   they wait as ever; under a schedule the scheduler must know. */
#define OMEN_INTERPOSES
#include "runtime/cancel.h"
#include "runtime/libc.h"
#include "runtime/sync.h"

#include <limits.h>
#include <linux/futex.h>
#include <poll.h>
#include <sched.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <threads.h>
#include <unistd.h>

static bool
in_turn (void)
{
  return omen_rt_scheduled && omen_listening ();
}

/* -- Time -------------------------------------------------------------------- */

static uint64_t
nanoseconds (const struct timespec *time)
{
  return (uint64_t)time->tv_sec * 1000000000 + (uint64_t)time->tv_nsec;
}

static bool
is_time (const struct timespec *time)
{
  return time && time->tv_sec >= 0 && time->tv_nsec >= 0
         && time->tv_nsec < 1000000000;
}

OMEN_NEXT (int, nanosleep, (const struct timespec *, struct timespec *));
OMEN_NEXT (int, clock_nanosleep,
           (clockid_t, int, const struct timespec *, struct timespec *));
OMEN_NEXT (int, thrd_sleep, (const struct timespec *, struct timespec *));
OMEN_NEXT (int, usleep, (useconds_t));
OMEN_NEXT (unsigned, sleep, (unsigned));
OMEN_NEXT (int, sched_yield, (void));
OMEN_NEXT (void, thrd_yield, (void));

OMEN_LIBC_CANCELLABLE (int, nanosleep,
                       (const struct timespec *time, struct timespec *left),
                       (time, left))
OMEN_LIBC_CANCELLABLE (int, clock_nanosleep,
                       (clockid_t clock, int flags,
                        const struct timespec *time, struct timespec *left),
                       (clock, flags, time, left))
OMEN_LIBC_CANCELLABLE (int, thrd_sleep,
                       (const struct timespec *time, struct timespec *left),
                       (time, left))
OMEN_LIBC_CANCELLABLE (int, usleep, (useconds_t time), (time))
OMEN_LIBC_CANCELLABLE (unsigned, sleep, (unsigned seconds), (seconds))

static void
sleep_in_turn (uint64_t ns)
{
  omen_cancel_test ();
  omen_sched_sleep (ns);
  omen_cancel_test ();
}

OMEN_EXPORT int
nanosleep (const struct timespec *time, struct timespec *left)
{
  if (!in_turn () || !is_time (time))
    return cancellable_nanosleep (time, left);
  sleep_in_turn (nanoseconds (time));
  return 0;
}

OMEN_EXPORT int
clock_nanosleep (clockid_t clock, int flags, const struct timespec *time,
                 struct timespec *left)
{
  if (!in_turn () || !is_time (time))
    return cancellable_clock_nanosleep (clock, flags, time, left);
  omen_until until = { time, clock };
  sleep_in_turn (flags & TIMER_ABSTIME ? omen_until_left (until)
                                       : nanoseconds (time));
  return 0;
}

OMEN_EXPORT int
thrd_sleep (const struct timespec *time, struct timespec *left)
{
  if (!in_turn () || !is_time (time))
    return cancellable_thrd_sleep (time, left);
  sleep_in_turn (nanoseconds (time));
  return 0;
}

OMEN_EXPORT int
usleep (useconds_t time)
{
  if (!in_turn ())
    return cancellable_usleep (time);
  sleep_in_turn ((uint64_t)time * 1000);
  return 0;
}

OMEN_EXPORT unsigned
sleep (unsigned seconds)
{
  if (!in_turn ())
    return cancellable_sleep (seconds);
  sleep_in_turn ((uint64_t)seconds * 1000000000);
  return 0;
}

OMEN_EXPORT int
sched_yield (void)
{
  if (!in_turn ())
    return OMEN_REAL (sched_yield) ();
  omen_sched_yield ();
  return 0;
}

OMEN_EXPORT void
thrd_yield (void)
{
  if (in_turn ())
    omen_sched_yield ();
  else
    OMEN_REAL (thrd_yield) ();
}

/* -- Descriptors -------------------------------------------------------------- */

/* Under a schedule: ask without waiting while the others have something to do,
   and wait in the kernel after that. `ask` is the call with a timeout of 0. */
#define WAIT_IN_TURN(ask, may_wait)                                            \
  if (omen_rt_scheduled)                                                       \
    while ((may_wait) && (ask) == 0 && omen_sched_yield ())                    \
      ;

OMEN_LIBC_BLOCKS (int, poll, (struct pollfd * fds, nfds_t count, int time),
                  (fds, count, time),
                  omen_read (fds, count * sizeof *fds, pc);
                  WAIT_IN_TURN (OMEN_REAL (poll) (fds, count, 0), time),
                  if (result >= 0) omen_wrote (fds, count * sizeof *fds, pc))
OMEN_LIBC_BLOCKS (int, ppoll,
                  (struct pollfd * fds, nfds_t count,
                   const struct timespec *time, const sigset_t *mask),
                  (fds, count, time, mask),
                  omen_read (fds, count * sizeof *fds, pc),
                  if (result >= 0) omen_wrote (fds, count * sizeof *fds, pc))
OMEN_LIBC_BLOCKS (
    int, epoll_wait, (int fd, struct epoll_event *events, int most, int time),
    (fd, events, most, time),
    WAIT_IN_TURN (OMEN_REAL (epoll_wait) (fd, events, most, 0), time),
    if (result > 0) omen_wrote (events, (size_t)result * sizeof *events, pc))
OMEN_LIBC_BLOCKS (
    int, epoll_pwait,
    (int fd, struct epoll_event *events, int most, int time,
     const sigset_t *mask),
    (fd, events, most, time, mask), ,
    if (result > 0) omen_wrote (events, (size_t)result * sizeof *events, pc))

static void
wrote_sets (fd_set *a, fd_set *b, fd_set *c, int count, uint64_t pc)
{
  fd_set *sets[] = { a, b, c };
  for (int i = 0; i < 3; i++)
    if (sets[i])
      omen_wrote (sets[i], (size_t)(count + 63) / 64 * 8, pc);
}

OMEN_LIBC_BLOCKS (int, select,
                  (int count, fd_set *in, fd_set *out, fd_set *odd,
                   struct timeval *time),
                  (count, in, out, odd, time), ,
                  if (result >= 0) wrote_sets (in, out, odd, count, pc))
OMEN_LIBC_BLOCKS (int, pselect,
                  (int count, fd_set *in, fd_set *out, fd_set *odd,
                   const struct timespec *time, const sigset_t *mask),
                  (count, in, out, odd, time, mask), ,
                  if (result >= 0) wrote_sets (in, out, odd, count, pc))

OMEN_LIBC_BLOCKS (pid_t, wait, (int *status), (status), ,
                  if (status && result > 0)
                      omen_wrote (status, sizeof *status, pc))
OMEN_LIBC_BLOCKS (pid_t, waitpid, (pid_t pid, int *status, int flags),
                  (pid, status, flags), ,
                  if (status && result > 0)
                      omen_wrote (status, sizeof *status, pc))
OMEN_LIBC_BLOCKS (int, pause, (void), (), , )

/* -- Futexes ------------------------------------------------------------------

   std::atomic::wait, semaphores, latches and barriers of C++20 call futex from
   the program itself. The order of threads is in their atomics; under a
   schedule the waiting has to be the scheduler's. */
OMEN_NEXT (long, syscall, (long, ...));

typedef struct futex {
  uint32_t *word;
  int operation;
  uint32_t value;
  const struct timespec *time;
} futex;

/* Waits are relative to now, but for those with a bitset. */
static long
futex_wait (const futex *f)
{
  bool absolute = (f->operation & FUTEX_CMD_MASK) == FUTEX_WAIT_BITSET;
  omen_until until = { f->time, f->operation & FUTEX_CLOCK_REALTIME
                                    ? CLOCK_REALTIME
                                    : CLOCK_MONOTONIC };
  if (__atomic_load_n (f->word, __ATOMIC_ACQUIRE) != f->value) {
    errno = EAGAIN;
    return -1;
  }
  if (!f->time) {
    omen_sched_wait (f->word);
    return 0;
  }
  if (omen_sched_wait_for (f->word, absolute ? omen_until_left (until)
                                             : nanoseconds (f->time)))
    return 0;
  errno = ETIMEDOUT;
  return -1;
}

/* The real call, too: somebody may wait who is not of the schedule. */
static void
futex_wake (const futex *f)
{
  if (f->value >= INT_MAX)
    omen_sched_wake (f->word, true);
  for (uint32_t i = 0; f->value < INT_MAX && i < f->value; i++)
    omen_sched_wake (f->word, false);
}

/* True: the wait is over, with *result. */
static bool
futex_in_turn (const futex *f, long *result)
{
  int command = f->operation & FUTEX_CMD_MASK;
  if (!in_turn ())
    return false;
  if (command == FUTEX_WAKE || command == FUTEX_WAKE_BITSET)
    futex_wake (f);
  if (command != FUTEX_WAIT && command != FUTEX_WAIT_BITSET)
    return false;
  *result = futex_wait (f);
  return true;
}

OMEN_EXPORT long
syscall (long number, ...)
{
  long a[6], result;
  va_list args;
  va_start (args, number);
  for (int i = 0; i < 6; i++)
    a[i] = va_arg (args, long);
  va_end (args);
  futex f = { (uint32_t *)a[0], (int)a[1], (uint32_t)a[2],
              (const struct timespec *)a[3] };
  if (number == SYS_futex && futex_in_turn (&f, &result))
    return result;
  return OMEN_REAL (syscall) (number, a[0], a[1], a[2], a[3], a[4], a[5]);
}
