/* The program's clocks. Under a schedule each point, and each look at a clock,
   takes a microsecond, and calls into the kernel take their real time. A wait
   that expires earlier than in real time moves the clocks to its deadline. So
   clocks are the same in the next run, however long a thread is held. Since
   code without points may compute for long, clocks also do not fall far behind
   the processor time of the program. When the schedule ends they continue from
   where they are. In an exploration they are the machine's clocks, except for
   waits. */
#include "runtime/sched/sched_task.h"

#include <time.h>

enum { CLOCKS = 12, POINT_NS = 1000 };
#define MOST_BEHIND INT64_C (100000000)
#define SECOND INT64_C (1000000000)

static uint64_t stopped; /* when: the machine's time; 0: the clocks run */
static int64_t cpu;      /* processor time of the program then */
static int64_t ahead;
static int64_t bases[CLOCKS]; /* of clocks, against CLOCK_MONOTONIC */

static int64_t
in_ns (const struct timespec *time)
{
  return (int64_t)time->tv_sec * SECOND + time->tv_nsec;
}

static void
set_ns (struct timespec *time, int64_t ns)
{
  time->tv_sec = (time_t)(ns / SECOND);
  time->tv_nsec = (long)(ns % SECOND);
}

static int64_t
machine_ns (clockid_t clock)
{
  struct timespec now;
  clock_gettime (clock, &now);
  return in_ns (&now);
}

uint64_t
omen_sched_now (void)
{
  return (uint64_t)machine_ns (CLOCK_MONOTONIC);
}

static int64_t
passed (void)
{
  return __atomic_load_n (&ahead, __ATOMIC_RELAXED)
         + (int64_t)(stopped ? omen_scheduler.clock * POINT_NS : 0);
}

uint64_t
omen_sched_time (void)
{
  uint64_t now = omen_sched_now ();
  bool stops = omen_rt_scheduled && !omen_rt_explore;
  if (stops && !stopped) {
    cpu = machine_ns (CLOCK_PROCESS_CPUTIME_ID);
    stopped = now;
  }
  if (!stops && stopped) {
    ahead = passed () - (int64_t)(now - stopped);
    stopped = 0;
  }
  return (stopped ? stopped : now) + (uint64_t)passed ();
}

void
omen_sched_move_clocks (uint64_t to)
{
  uint64_t now = omen_sched_time ();
  if (to > now)
    __atomic_fetch_add (&ahead, (int64_t)(to - now), __ATOMIC_RELAXED);
}

/* Not those of processor time. */
static bool
is_wall_clock (clockid_t clock)
{
  return clock >= 0 && clock < CLOCKS && clock != CLOCK_PROCESS_CPUTIME_ID
         && clock != CLOCK_THREAD_CPUTIME_ID;
}

/* Set by the first reading and kept, so that no clock goes backwards. */
static int64_t
base_of (clockid_t clock, const struct timespec *time)
{
  int64_t none = 0, base = in_ns (time) - (int64_t)omen_sched_now ();
  if (clock == CLOCK_MONOTONIC)
    return 0;
  __atomic_compare_exchange_n (&bases[clock], &none, base, false,
                               __ATOMIC_RELAXED, __ATOMIC_RELAXED);
  return bases[clock];
}

static void
catch_up (void)
{
  int64_t used = machine_ns (CLOCK_PROCESS_CPUTIME_ID) - cpu;
  int64_t behind = used - passed ();
  __atomic_fetch_add (&ahead, behind > MOST_BEHIND ? behind : POINT_NS,
                      __ATOMIC_RELAXED);
}

void
omen_sched_clock (clockid_t clock, struct timespec *time)
{
  if (!omen_rt_scheduled && !ahead && !stopped)
    return;
  int64_t now = (int64_t)omen_sched_time ();
  if (!is_wall_clock (clock) || (!stopped && !ahead))
    return;
  if (!stopped)
    set_ns (time, in_ns (time) + ahead);
  else {
    set_ns (time, now + base_of (clock, time));
    catch_up ();
  }
}

/* -- Time in the kernel -- */

void
omen_sched_go (omen_absence *absence)
{
  *absence = (omen_absence){ omen_sched_now (), omen_sched_time () };
}

void
omen_sched_come (omen_absence *absence)
{
  if (absence->now)
    omen_sched_move_clocks (absence->time + omen_sched_now () - absence->now);
  absence->now = 0;
}

void
omen_sched_deadline (struct timespec *at)
{
  if (!ahead && !stopped)
    return;
  int64_t ns = in_ns (at) - (int64_t)(omen_sched_time () - omen_sched_now ());
  set_ns (at, ns > 0 ? ns : 0);
}
