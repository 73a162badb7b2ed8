/* The watcher, one of the parked threads, samples the state of the holder of
   the token periodically. A holder that sleeps in the kernel, or computes for a
   second without a point, loses the token; its next point asks for it again.
   What counts is processor time, not elapsed time, so that a busy machine does
   not change the run. When the program is about to end it may compute for as
   long as --exit-grace says. */
#include "runtime/sched/replay.h"
#include "runtime/core/proc.h"
#include "runtime/sched/sched_task.h"

#include <time.h>

enum {
  SAMPLES_LEAVING = 1, /* asleep in this many samples in a row, 10 ms apart */
  SAMPLES_SILENT = 20, /* the same for a call that was not announced */
  SAMPLES_DISK = 100
};
#define THINKS_NS UINT64_C (1000000000)
#define THINKS_LIBRARY_NS UINT64_C (200000000)

static struct {
  omen_task *holder;
  uint64_t switches;
  int64_t left;
  unsigned samples;
  uint64_t cpu;
} seen;
static uint64_t
    idle_at; /* `switches` when nothing could run, at the last sample */

uint64_t
omen_sched_cpu (uint32_t tid)
{
  struct timespec time;
  clockid_t clock = (clockid_t)((~tid) << 3 | 6); /* of a thread, by id */
  if (clock_gettime (clock, &time))
    return 0;
  return (uint64_t)time.tv_sec * 1000000000 + (uint64_t)time.tv_nsec;
}

static bool
same_as_before (omen_task *holder)
{
  int64_t left = __atomic_load_n (&omen_scheduler.left, __ATOMIC_RELAXED);
  bool same = seen.holder == holder && seen.left == left
              && seen.switches == omen_scheduler.switches;
  seen.holder = holder;
  seen.left = left;
  seen.switches = omen_scheduler.switches;
  return same;
}

static bool
is_in_library (const omen_task *holder)
{
  return holder->library || __atomic_load_n (&holder->inside, __ATOMIC_RELAXED);
}

/* How long may it compute without a point? In code that is not seen it may wait
   in a loop, and the more often a thread did so long, the sooner that is
   assumed. */
static uint64_t
longest_thought (const omen_task *holder)
{
  enum { MOST_HALVINGS = 4 };
  unsigned lost = omen_scheduler.lost;
  return omen_scheduler.grace ? omen_scheduler.grace
         : is_in_library (holder)
             ? THINKS_LIBRARY_NS
                   >> (lost < MOST_HALVINGS ? lost : MOST_HALVINGS)
             : THINKS_NS;
}

static bool
is_lost (omen_task *holder)
{
  bool begins = __atomic_load_n (&omen_scheduler.begins, __ATOMIC_RELAXED);
  if (!same_as_before (holder) || begins) {
    seen.samples = 0;
    seen.cpu = omen_sched_cpu (holder->tid);
    return false;
  }
  char state = omen_proc_state (holder->tid);
  if (state == 'R' || state == 'T' || state == 't') {
    seen.samples = 0;
    return omen_sched_cpu (holder->tid) - seen.cpu >= longest_thought (holder);
  }
  unsigned limit = state == 'D'      ? SAMPLES_DISK
                   : holder->leaving ? SAMPLES_LEAVING
                                     : SAMPLES_SILENT;
  return ++seen.samples >= limit;
}

void
omen_sched_watch (omen_task *me)
{
  omen_mask old;
  omen_sched_lock (&old);
  omen_task *holder = omen_scheduler.running;
  if (omen_rt_replay)
    omen_replay_look ();
  if (omen_scheduler.watcher != me || !omen_rt_scheduled)
    holder = NULL;
  else if (!holder && omen_scheduler.switches == idle_at)
    omen_sched_stuck ();
  idle_at = holder ? 0 : omen_scheduler.switches;
  if (holder && holder->tid && is_lost (holder)) {
    omen_scheduler.lost += is_in_library (holder);
    holder->state = OMEN_TASK_AWAY;
    seen.holder = NULL;
    omen_sched_pass (NULL);
  }
  omen_sched_unlock (&old);
}
