/* Calls that wait for time or for descriptors. If threads run freely they wait
   in the kernel; under a schedule the scheduler must know. */
#define OMEN_INTERPOSES
#include "runtime/hooks/cancel.h"
#include "runtime/hooks/channel.h"
#include "runtime/hooks/libc.h"
#include "runtime/hooks/sync.h"

#include <poll.h>
#include <sched.h>
#include <sys/epoll.h>
#include <sys/select.h>
#include <threads.h>
#include <unistd.h>

static bool
in_turn (void)
{
  return omen_rt_scheduled && omen_enabled ();
}

/* -- Time ---------------------------------------------------------------- */

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
                       (clockid_t clock, int flags, const struct timespec *time,
                        struct timespec *left),
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
  struct timespec room;
  omen_until until = { time, clock };
  if (!in_turn () || !is_time (time)) {
    if (time && flags & TIMER_ABSTIME)
      time = omen_until_real (until, &room).at;
    return cancellable_clock_nanosleep (clock, flags, time, left);
  }
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

/* -- Descriptors --------------------------------------------------------- */

/* Under a schedule: poll while other threads can run, then wait in the kernel.
   `ask` is the call with a timeout of 0. */
#define WAIT_IN_TURN(ask, may_wait)                                            \
  if (omen_rt_scheduled)                                                       \
    while ((may_wait) && (ask) == 0 && omen_sched_yield ())                    \
      ;

/* What can be read, or has ended, was written or closed before. */
static void
polled (struct pollfd *fds, nfds_t count, int result, uint64_t pc)
{
  for (nfds_t i = 0; result > 0 && i < count; i++)
    if (fds[i].revents & ~(POLLOUT | POLLWRNORM | POLLWRBAND | POLLNVAL))
      omen_channel_after (fds[i].fd, pc);
  if (result >= 0)
    omen_wrote (fds, count * sizeof *fds, pc);
}

OMEN_LIBC_BLOCKS (int, poll, (struct pollfd * fds, nfds_t count, int time),
                  (fds, count, time), omen_read (fds, count * sizeof *fds, pc);
                  WAIT_IN_TURN (OMEN_REAL (poll) (fds, count, 0), time),
                  polled (fds, count, result, pc))
OMEN_LIBC_BLOCKS (int, ppoll,
                  (struct pollfd * fds, nfds_t count,
                   const struct timespec *time, const sigset_t *mask),
                  (fds, count, time, mask),
                  omen_read (fds, count * sizeof *fds, pc),
                  polled (fds, count, result, pc))
OMEN_LIBC_BLOCKS (int, __poll_chk,
                  (struct pollfd * fds, nfds_t count, int time, size_t room),
                  (fds, count, time, room),
                  omen_read (fds, count * sizeof *fds, pc);
                  WAIT_IN_TURN (OMEN_REAL (poll) (fds, count, 0), time),
                  polled (fds, count, result, pc))

/* The events do not say which descriptor they belong to
   (omen_channel_watch). */
static void
epolled (const struct epoll_event *events, int result, uint64_t pc)
{
  if (result <= 0)
    return;
  omen_outside_after (pc);
  omen_wrote (events, (size_t)result * sizeof *events, pc);
}

/* Would it return an event? A real call could consume an event that is reported
   only once (EPOLLET, EPOLLONESHOT). */
static int
look_at_epoll (int fd)
{
  struct pollfd one = { .fd = fd, .events = POLLIN };
  return OMEN_REAL (poll) (&one, 1, 0);
}

OMEN_LIBC_BLOCKS (int, epoll_wait,
                  (int fd, struct epoll_event *events, int most, int time),
                  (fd, events, most, time),
                  WAIT_IN_TURN (look_at_epoll (fd), time),
                  epolled (events, result, pc))
OMEN_LIBC_BLOCKS (int, epoll_pwait,
                  (int fd, struct epoll_event *events, int most, int time,
                   const sigset_t *mask),
                  (fd, events, most, time, mask), ,
                  epolled (events, result, pc))

OMEN_LIBC_BLOCKS (int, epoll_pwait2,
                  (int fd, struct epoll_event *events, int most,
                   const struct timespec *time, const sigset_t *mask),
                  (fd, events, most, time, mask), ,
                  epolled (events, result, pc))

/* There may be more descriptors than an fd_set holds. */
static bool
has_descriptor (const fd_set *set, int fd)
{
  return set && ((const uint64_t *)set)[fd / 64] >> fd % 64 & 1;
}

static void
selected (fd_set *in, fd_set *out, fd_set *odd, int count, int result,
          uint64_t pc)
{
  fd_set *sets[] = { in, out, odd };
  if (result < 0)
    return;
  for (int fd = 0; fd < count; fd++)
    if (has_descriptor (in, fd) || has_descriptor (odd, fd))
      omen_channel_after (fd, pc);
  for (int i = 0; i < 3; i++)
    if (sets[i])
      omen_wrote (sets[i], (size_t)(count + 63) / 64 * 8, pc);
}

OMEN_LIBC_BLOCKS (int, select,
                  (int count, fd_set *in, fd_set *out, fd_set *odd,
                   struct timeval *time),
                  (count, in, out, odd, time), ,
                  selected (in, out, odd, count, result, pc))
OMEN_LIBC_BLOCKS (int, pselect,
                  (int count, fd_set *in, fd_set *out, fd_set *odd,
                   const struct timespec *time, const sigset_t *mask),
                  (count, in, out, odd, time, mask), ,
                  selected (in, out, odd, count, result, pc))

OMEN_LIBC_BLOCKS (int, pause, (void), (), , )
