#include "runtime/timer.h"
#include "runtime/core.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

enum { STACK = 65536 };
static uint32_t stopped; /* futex */

static void *
wait_for_it (void *unused)
{
  uint64_t ms = omen_rt_options.limit_ms;
  struct timespec until;
  omen_rt_deaf = OMEN_DEAF_GONE;
  clock_gettime (CLOCK_MONOTONIC, &until);
  until.tv_sec += (time_t)(ms / 1000);
  until.tv_nsec += (long)(ms % 1000) * 1000000;
  if (until.tv_nsec >= 1000000000) {
    until.tv_sec++;
    until.tv_nsec -= 1000000000;
  }
  while (!__atomic_load_n (&stopped, __ATOMIC_ACQUIRE)) {
    long result = omen_call (
        SYS_futex, (long)&stopped, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0,
        (long)&until, 0, FUTEX_BITSET_MATCH_ANY);
    if (result == -ETIMEDOUT) {
      omen_life_end ();
      break;
    }
  }
  return NULL;
}

/* Signals are for the program's threads. */
void
omen_timer_start (void)
{
  static int (*real) (pthread_t *, const pthread_attr_t *, void *(*) (void *),
                      void *);
  uint64_t all = ~UINT64_C (0), before;
  pthread_attr_t attributes;
  pthread_t thread;
  stopped = 0;
  if (!omen_rt_options.limit_ms)
    return;
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attributes, STACK);
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0,
             0);
  omen_quiet_begin ();
  if (omen_real (&real, "pthread_create") (&thread, &attributes, wait_for_it,
                                           NULL))
    omen_say ("--for has no effect: ", "no thread can be made");
  omen_quiet_end ();
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
  pthread_attr_destroy (&attributes);
}

void
omen_timer_stop (void)
{
  __atomic_store_n (&stopped, 1, __ATOMIC_RELEASE);
  omen_call (SYS_futex, (long)&stopped, FUTEX_WAKE_PRIVATE, 1, 0, 0, 0);
}
