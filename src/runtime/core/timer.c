#include "runtime/core/timer.h"
#include "runtime/core/core.h"

#include <errno.h>
#include <linux/futex.h>
#include <time.h>

enum { STACK = 65536 };
static const uint64_t tick = 5000000, second = 1000000000; /* nanoseconds */
static uint32_t stopped;                                   /* futex */
uint32_t omen_own_threads;

/* ---- what they do ---- */

static uint64_t
now (void)
{
  struct timespec time;
  clock_gettime (CLOCK_MONOTONIC, &time);
  return (uint64_t)time.tv_sec * second + (uint64_t)time.tv_nsec;
}

static bool
time_is_over (void)
{
  return __atomic_load_n (&stopped, __ATOMIC_ACQUIRE);
}

static void
wait_until (uint64_t deadline)
{
  struct timespec until
      = { (time_t)(deadline / second), (long)(deadline % second) };
  omen_call (SYS_futex, (long)&stopped, FUTEX_WAIT_BITSET | FUTEX_PRIVATE_FLAG,
             0, (long)&until, 0, FUTEX_BITSET_MATCH_ANY);
}

bool
omen_timer_sleep (uint64_t milliseconds)
{
  const uint64_t end = now () + milliseconds * 1000000;
  while (!time_is_over () && now () < end)
    wait_until (end);
  return !time_is_over ();
}

/* With --stream all logs are written at each tick, so that a thread that
   computes, sleeps or waits holds back nothing that a reader needs. */
static void *
look_at_the_clock (void *unused)
{
  const bool streams = omen_rt_options.stream;
  const uint64_t limit = omen_rt_options.limit_ms * 1000000;
  const uint64_t end = limit ? now () + limit : UINT64_MAX;
  while (!time_is_over () && !omen_file_closed) {
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

/* ---- making them ---- */

static void *
begin_timer_thread (void *run)
{
  omen_rt_disabled = OMEN_DISABLED_GONE;
  ((void *(*)(void *))run) (NULL);
  __atomic_fetch_sub (&omen_own_threads, 1, __ATOMIC_RELAXED);
  return NULL;
}

/* Signals are for the program's threads. */
void
omen_own_thread (void *(*run) (void *), const char *options)
{
  static int (*real) (pthread_t *, const pthread_attr_t *, void *(*)(void *),
                      void *);
  uint64_t all = ~UINT64_C (0), before;
  pthread_attr_t attributes;
  pthread_t thread;
  int saved = errno;
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, (long)&before, 8, 0,
             0);
  omen_quiet_begin ();
  pthread_attr_init (&attributes);
  pthread_attr_setdetachstate (&attributes, PTHREAD_CREATE_DETACHED);
  pthread_attr_setstacksize (&attributes, STACK);
  __atomic_fetch_add (&omen_own_threads, 1, __ATOMIC_RELAXED);
  if (omen_real (&real, "pthread_create") (&thread, &attributes,
                                           begin_timer_thread, (void *)run)) {
    __atomic_fetch_sub (&omen_own_threads, 1, __ATOMIC_RELAXED);
    omen_say (options, ": no effect, as no thread can be made");
  }
  pthread_attr_destroy (&attributes);
  omen_quiet_end ();
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&before, 0, 8, 0, 0);
  errno = saved;
}

void
omen_timer_start (void)
{
  stopped = omen_own_threads = 0;
  if (omen_rt_options.limit_ms || omen_rt_options.stream)
    omen_own_thread (look_at_the_clock, "--for and --stream");
}

void
omen_timer_stop (void)
{
  __atomic_store_n (&stopped, 1, __ATOMIC_RELEASE);
  omen_call (SYS_futex, (long)&stopped, FUTEX_WAKE_PRIVATE, INT32_MAX, 0, 0, 0);
}
