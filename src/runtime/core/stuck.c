#include "runtime/core/stuck.h"
#include "runtime/core/core.h"
#include "runtime/core/proc.h"
#include "runtime/core/serve.h"
#include "runtime/core/sigaction.h"
#include "runtime/core/timer.h"

#include <time.h>

enum {
  CHECKS = 5, /* unchanged checks in a row before the program counts as stuck */
  CHECK_MS = 100 /* from one to the next */
};

static uint32_t has_checker; /* does the thread of --end-stuck exist? */

/* ---- is it stuck? ---- */

typedef struct view {
  unsigned threads;
  bool all;       /* of them wait */
  bool for_signs; /* a thread waits for more than a lock or a thread's end */
  uint64_t waits; /* how many waits the threads have begun so far */
} view;

static view
look_at_threads (bool asleep)
{
  view v = { .all = true };
  omen_busy_begin ();
  omen_latch_take (&omen_threads_latch);
  for (omen_self *self = omen_threads; self && v.all; self = self->next) {
    uint32_t why = __atomic_load_n (&self->waits_for, __ATOMIC_ACQUIRE);
    if (!self->log)
      continue; /* starting or ending: counted by threads_there */
    v.threads++;
    v.waits += __atomic_load_n (&self->waits, __ATOMIC_ACQUIRE);
    v.for_signs = v.for_signs || why >= OMEN_STUCK_CONDITION;
    v.all = why && (!asleep || omen_proc_state (self->tid) == 'S');
  }
  omen_latch_give (&omen_threads_latch);
  omen_busy_end ();
  return v;
}

/* The number of threads of the process, except the runtime's own and a first
   thread that left by pthread_exit, which stays as a zombie. */
static unsigned
threads_there (void)
{
  uint32_t first = (uint32_t)omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0);
  return omen_proc_threads () - omen_own_threads
         - (omen_proc_state (first) == 'Z');
}

/* All threads wait, and no signal handler can end a wait. */
static bool
none_can_wake (const view *v)
{
  return v->all && v->threads && !(v->for_signs && omen_sigaction_handles ());
}

/* A thread enters its wait before it wakes others (it releases a mutex), so one
   check at which all threads are asleep proves nothing. */
static bool
is_stuck (void)
{
  const struct timespec pause = { 0, CHECK_MS * 1000000L };
  view first = look_at_threads (false);
  for (unsigned i = 0; i < CHECKS; i++) {
    if (!none_can_wake (&first))
      return false;
    view now = look_at_threads (true);
    if (!now.all || now.waits != first.waits || now.threads != threads_there ())
      return false;
    omen_call (SYS_nanosleep, (long)&pause, 0, 0, 0, 0, 0);
  }
  return true;
}

/* ---- what then ---- */

/* Logs what each thread waits for, as the last items of the recording;
   `pending`: only threads that wait. */
static void
write_waits (bool pending)
{
  enum { MOST = 256 }; /* entries in a chunk */
  omen_file_stuck entries[MOST];
  uint64_t first = 0;
  uint32_t count = 0;
  omen_latch_take (&omen_threads_latch);
  for (omen_self *self = omen_threads; self; self = self->next) {
    uint32_t why = __atomic_load_n (&self->waits_for, __ATOMIC_ACQUIRE);
    if (!self->log || (pending && !why))
      continue;
    entries[count++]
        = (omen_file_stuck){ .thread = self->id,
                             .why = why | (pending ? OMEN_STUCK_PENDING : 0),
                             .object = self->waits_object,
                             .pc = self->waits_pc };
    if (count == MOST) {
      omen_file_chunk (OMEN_CHUNK_STUCK, OMEN_NONE, first, count, entries,
                       count * sizeof *entries);
      first += count;
      count = 0;
    }
  }
  if (count)
    omen_file_chunk (OMEN_CHUNK_STUCK, OMEN_NONE, first, count, entries,
                     count * sizeof *entries);
  omen_latch_give (&omen_threads_latch);
}

static bool waits_written;

void
omen_stuck_record (void)
{
  view v = look_at_threads (false);
  if (none_can_wake (&v) && omen_life_here ()) {
    omen_busy_begin ();
    write_waits (false);
    waits_written = true;
    omen_busy_end ();
  }
}

void
omen_stuck_pending (void)
{
  if (!waits_written && omen_life_here ()) {
    waits_written = true;
    write_waits (true);
  }
}

void
omen_stuck_over (void)
{
  omen_serve_depends (OMEN_SERVED_WHOLE);
  omen_log_flush_all ();
  omen_stuck_record ();
  omen_life_end ();
  omen_call (SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

void
omen_stuck_endless (void)
{
  omen_serve_depends (OMEN_SERVED_ENDLESS);
  omen_life_end ();
  omen_call (SYS_exit_group, 0, 0, 0, 0, 0, 0);
}

/* Ends the program by SIGTERM, so that its parent sees that it did not exit by
   itself. */
static void
end_program (void)
{
  const struct sigaction plain = { .sa_handler = SIG_DFL };
  uint64_t its = UINT64_C (1) << (SIGTERM - 1);
  omen_log_flush_all ();
  omen_stuck_record ();
  omen_life_end ();
  omen_say ("every thread of the program is blocked forever: ", "it is ended");
  omen_sigaction_real (SIGTERM, &plain, NULL);
  omen_call (SYS_rt_sigprocmask, SIG_UNBLOCK, (long)&its, 0, 8, 0, 0);
  omen_call (SYS_tgkill, omen_call (SYS_getpid, 0, 0, 0, 0, 0, 0),
             omen_call (SYS_gettid, 0, 0, 0, 0, 0, 0), SIGTERM, 0, 0, 0);
}

void
omen_stuck_helped (void)
{
  static uint32_t reported;
  uint32_t entry = 0;
  if (__atomic_exchange_n (&reported, 1, __ATOMIC_RELAXED))
    return;
  omen_busy_begin ();
  omen_file_chunk (OMEN_CHUNK_HELPED, OMEN_NONE, 0, 1, &entry, sizeof entry);
  omen_busy_end ();
}

static void *
check_until_the_end (void *unused)
{
  while (omen_timer_sleep (CHECK_MS))
    if (is_stuck ())
      end_program ();
  return NULL;
}

void
omen_stuck_look (void)
{
  view v = look_at_threads (false);
  if (omen_rt_options.end_stuck && none_can_wake (&v))
    end_program ();
}

/* ---- waits ---- */

static void
set_waits (omen_self *self, const omen_waits *to)
{
  if (to->why) {
    self->waits_object = to->object;
    self->waits_pc = to->pc;
  }
  __atomic_store_n (&self->waits, self->waits + 1, __ATOMIC_RELEASE);
  __atomic_store_n (&self->waits_for, to->why, __ATOMIC_RELEASE);
}

omen_waits
omen_stuck_begin (enum omen_stuck_why why, const volatile void *object,
                  uint64_t pc)
{
  omen_self *self = omen_rt_self;
  const omen_waits now = { why, (uintptr_t)object, pc };
  if (!self)
    return (omen_waits){ 0 };
  const omen_waits before
      = { self->waits_for, self->waits_object, self->waits_pc };
  set_waits (self, &now);
  if (why && omen_rt_options.end_stuck && !omen_rt_scheduled
      && !__atomic_load_n (&has_checker, __ATOMIC_RELAXED)
      && !__atomic_exchange_n (&has_checker, 1, __ATOMIC_RELAXED))
    omen_own_thread (check_until_the_end, "--end-stuck");
  return before;
}

void
omen_stuck_again (const omen_waits *before)
{
  if (omen_rt_self)
    set_waits (omen_rt_self, before);
}

void
omen_stuck_end (void)
{
  omen_stuck_begin (OMEN_STUCK_NOT, NULL, 0);
}

void
omen_stuck_after_fork (void)
{
  has_checker = 0;
}
