/* Signals and timers: what precedes the sending of a signal or the setting of a
   timer happens before its handler, or before the call that waits for it. The
   object is the signal, whoever it is sent to; other processes, and reads from
   a signalfd, are outside. */
#include "runtime/core/stuck.h"
#include "runtime/hooks/channel.h"
#include "runtime/hooks/libc.h"

#include <signal.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

/* 0 sends nothing, only asks. */
static void
sends (int number, uint64_t pc)
{
  if (number <= 0)
    return;
  omen_order_before (OMEN_ORDER_SIGNAL, (uint64_t)number, pc);
  omen_outside_before (pc);
}

OMEN_LIBC_BLOCKS (int, pthread_kill, (pthread_t thread, int number),
                  (thread, number), sends (number, pc), )
OMEN_LIBC_BLOCKS (int, pthread_sigqueue,
                  (pthread_t thread, int number, const union sigval value),
                  (thread, number, value), sends (number, pc), )
OMEN_LIBC_BLOCKS (int, tgkill, (pid_t process, pid_t thread, int number),
                  (process, thread, number), sends (number, pc), )
OMEN_LIBC_BLOCKS (int, kill, (pid_t process, int number), (process, number),
                  sends (number, pc), )
OMEN_LIBC_BLOCKS (int, killpg, (pid_t group, int number), (group, number),
                  sends (number, pc), )
OMEN_LIBC_BLOCKS (int, sigqueue,
                  (pid_t process, int number, const union sigval value),
                  (process, number, value), sends (number, pc), )

/* -- Timers -------------------------------------------------------------- */

static int
signal_of (__itimer_which_t which)
{
  return which == ITIMER_REAL      ? SIGALRM
         : which == ITIMER_VIRTUAL ? SIGVTALRM
                                   : SIGPROF;
}

OMEN_LIBC_BLOCKS (int, setitimer,
                  (__itimer_which_t which, const struct itimerval *value,
                   struct itimerval *old),
                  (which, value, old), sends (signal_of (which), pc),
                  if (!result && old) omen_wrote (old, sizeof *old, pc))
OMEN_LIBC_BLOCKS (unsigned, alarm, (unsigned seconds), (seconds),
                  sends (SIGALRM, pc), )
OMEN_LIBC_BLOCKS (useconds_t, ualarm, (useconds_t value, useconds_t interval),
                  (value, interval), sends (SIGALRM, pc), )
/* These may send any signal, or run a function in a new thread. */
OMEN_LIBC_BLOCKS (int, timer_create,
                  (clockid_t clock, struct sigevent *event, timer_t *timer),
                  (clock, event, timer),
                  (omen_stuck_helped (), omen_outside_before (pc)),
                  if (!result) omen_wrote (timer, sizeof *timer, pc))
OMEN_LIBC_BLOCKS (int, timer_settime,
                  (timer_t timer, int flags, const struct itimerspec *value,
                   struct itimerspec *old),
                  (timer, flags, value, old), omen_outside_before (pc),
                  if (!result && old) omen_wrote (old, sizeof *old, pc))
OMEN_LIBC_BLOCKS (int, timerfd_settime,
                  (int fd, int flags, const struct itimerspec *value,
                   struct itimerspec *old),
                  (fd, flags, value, old), omen_outside_before (pc),
                  if (!result && old) omen_wrote (old, sizeof *old, pc))

/* -- Waiting for a signal ------------------------------------------------ */

OMEN_NEXT (int, sigtimedwait,
           (const sigset_t *, siginfo_t *, const struct timespec *));
OMEN_NEXT (int, sigwaitinfo, (const sigset_t *, siginfo_t *));
OMEN_NEXT (int, sigwait, (const sigset_t *, int *));
OMEN_LIBC_CANCELLABLE (int, sigtimedwait,
                       (const sigset_t *set, siginfo_t *info,
                        const struct timespec *time),
                       (set, info, time))

/* `to` may be NULL. */
static int
take_signal (const sigset_t *set, siginfo_t *to, const struct timespec *time,
             uint64_t pc)
{
  siginfo_t info;
  omen_sched_leave ();
  int number = cancellable_sigtimedwait (set, &info, time);
  omen_sched_return ();
  if (number < 0)
    return number;
  omen_channel_signalled (&info, pc);
  if (to) {
    *to = info;
    omen_wrote (to, sizeof *to, pc);
  }
  return number;
}

OMEN_EXPORT int
sigtimedwait (const sigset_t *set, siginfo_t *info, const struct timespec *time)
{
  return omen_enabled () ? take_signal (set, info, time, OMEN_PC)
                         : OMEN_REAL (sigtimedwait) (set, info, time);
}

OMEN_EXPORT int
sigwaitinfo (const sigset_t *set, siginfo_t *info)
{
  return omen_enabled () ? take_signal (set, info, NULL, OMEN_PC)
                         : OMEN_REAL (sigwaitinfo) (set, info);
}

/* Its result is the error; a signal handler does not end it. */
OMEN_EXPORT int
sigwait (const sigset_t *set, int *to)
{
  if (!omen_enabled ())
    return OMEN_REAL (sigwait) (set, to);
  int saved = errno, number, error;
  do
    number = take_signal (set, NULL, NULL, OMEN_PC);
  while (number < 0 && errno == EINTR);
  error = number < 0 ? errno : 0;
  errno = saved;
  if (error)
    return error;
  *to = number;
  omen_wrote (to, sizeof *to, OMEN_PC);
  return 0;
}
