#include "runtime/timer.h"
#include "runtime/core.h"

#include <linux/futex.h>
#include <time.h>

enum { STACK = 65536 };
static const uint64_t tick = 5000000, second = 1000000000; /* nanoseconds */
static uint32_t stopped; /* futex */

static uint64_t
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

static void
wait_until (uint64_t moment)
{
  struct timespec until = { (time_t)(moment / second),
                            (long)(moment % second) };
  omen_call (SYS_futex, (long)&stopped,
             FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG, 0, (long)&until, 0,
             FUTEX_BITSET_MATCH_ANY);
}

/* With --stream all notes are written at each tick: a thread that computes,
   sleeps or waits holds back nothing that others need. */
static void *
look_at_the_clock (void *unused)
{
  const bool streams = omen_rt_options.stream;
  const uint64_t limit = omen_rt_options.limit_ms * 1000000;
  const uint64_t end = limit ? now () + limit : UINT64_MAX;
  omen_rt_deaf = OMEN_DEAF_GONE;
  while (!__atomic_load_n (&stopped, __ATOMIC_ACQUIRE) && !omen_file_closed) {
    uint64_t at = now ();
    if (at >= end) {
      omen_life_end ();
      break;
    }
    if (streams)
      omen_log_flush_all ();
    wait_until (streams && end - at > tick ? at + tick : end);
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
  if (!omen_rt_options.limit_ms && !omen_rt_options.stream)
    return;
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attributes, STACK);
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0,
             0);
  omen_quiet_begin ();
  if (omen_real (&real, "pthread_create") (&thread, &attributes,
                                           look_at_the_clock, NULL))
    omen_say ("--for and --stream have no effect: ", "no thread can be made");
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
