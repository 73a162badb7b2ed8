#include "runtime/core/grace.h"
#include "runtime/core/core.h"
#include "runtime/core/proc.h"
#include "runtime/core/serve.h"

#include <stdlib.h>
#include <time.h>

enum { LOOK_NS = 1000000 };

/* ---- free running ---- */

typedef struct view {
  bool running;   /* another thread is not blocked */
  uint64_t waits; /* how many waits the other threads have begun so far */
} view;

static bool
is_blocked (const omen_self *self)
{
  if (!self->tid) /* created, but has not begun */
    return false;
  return __atomic_load_n (&self->waits_for, __ATOMIC_ACQUIRE)
             ? omen_proc_state (self->tid) == 'S'
             : omen_proc_sleeps_on (self->tid);
}

static view
look_at_others (void)
{
  view v = { 0 };
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  for (omen_self *self = omen_threads; self && !v.running; self = self->next)
    if (self != omen_rt_self && !self->ended) {
      v.waits += __atomic_load_n (&self->waits, __ATOMIC_ACQUIRE);
      v.running = !is_blocked (self);
    }
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  return v;
}

static uint64_t
now_ns (void)
{
  struct timespec now;
  clock_gettime (CLOCK_MONOTONIC, &now);
  return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

/* The kernel still shows a thread that was just woken as asleep, so all must be
   seen blocked twice in a row. */
static void
let_others_run (uint64_t ms)
{
  const struct timespec pause = { 0, LOOK_NS };
  const uint64_t end = now_ns () + ms * 1000000;
  view before = { .running = true };
  for (;;) {
    view now = look_at_others ();
    bool still = !now.running && !before.running && now.waits == before.waits;
    if (still || now_ns () >= end)
      return;
    before = now;
    omen_call (SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
  }
}

static bool
is_alone (void)
{
  bool alone = true;
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  for (omen_self *self = omen_threads; self && alone; self = self->next)
    alone = self == omen_rt_self || self->ended;
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  return alone;
}

/* ---- both ---- */

/* Another thread is ending the program already. */
static void
wait_for_the_end (void)
{
  omen_sched_leave ();
  for (;;)
    omen_call (SYS_pause, 0, 0, 0, 0, 0, 0);
}

void
omen_grace (void)
{
  static const omen_self *first;
  const omen_self *none = NULL;
  uint64_t ms = omen_rt_options.exit_grace_ms;
  if (!ms || !omen_rt_self || omen_rt_replay || !omen_life_here ())
    return;
  if (is_alone ()) {
    omen_serve_depends (OMEN_SERVED_WHOLE);
    return;
  }
  if (!__atomic_compare_exchange_n (&first, &none, omen_rt_self, false,
                                    __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    if (none != omen_rt_self) /* otherwise called by a handler of a signal that
                                 came meanwhile */
      wait_for_the_end ();
    return;
  }
  if (omen_rt_scheduled && omen_sched_grace (ms))
    omen_serve_depends (OMEN_SERVED_WHOLE);
  else if (!omen_rt_scheduled)
    let_others_run (ms);
}

/* ---- the ways to end ---- */

static int (*its_main) (int, char **, char **);

static int
run_main (int argc, char **argv, char **environment)
{
  int code = its_main (argc, argv, environment);
  omen_grace ();
  return code;
}

#pragma GCC visibility push(default)

int __libc_start_main (int (*main) (int, char **, char **), int argc,
                       char **argv, void (*init) (void), void (*fini) (void),
                       void (*rtld_fini) (void), void *stack);

int
__libc_start_main (int (*main) (int, char **, char **), int argc, char **argv,
                   void (*init) (void), void (*fini) (void),
                   void (*rtld_fini) (void), void *stack)
{
  static __typeof__ (&__libc_start_main) real;
  its_main = main;
  return omen_real (&real, "__libc_start_main") (
      omen_rt_mode == OMEN_MODE_RECORD ? run_main : main, argc, argv, init,
      fini, rtld_fini, stack);
}

void
exit (int status)
{
  static void (*real) (int);
  omen_grace ();
  omen_real (&real, "exit") (status);
  __builtin_unreachable ();
}

#pragma GCC visibility pop
