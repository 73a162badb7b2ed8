/* Waiting for objects, for time and for files; and what happens when all
   threads wait. */
#include "runtime/sched/replay.h"
#include "runtime/sched/sched_task.h"
#include "runtime/core/call.h"
#include "runtime/hooks/cancel.h"
#include "runtime/core/proc.h"
#include "runtime/core/stuck.h"

#include <poll.h>
#include <pthread.h>
#include <time.h>

typedef enum outcome {
  WOKEN,
  RAN_OUT,
  NEITHER /* interrupted; or it lost the token before it got here, and may have
             missed a wake */
} outcome;

#define ALL_BITS UINT32_MAX
enum { CANCEL_MS = 100 }; /* a cancellation may take this long in the kernel */

/* A point counts as a microsecond. Programs compute some durations from a
   clock; they are rounded to a quarter of an octave, to be the same in the next
   run. */
static uint64_t
in_points (uint64_t ns)
{
  uint64_t points = ns / 1000 + 1, octave = 1;
  while (octave < points)
    octave *= 2;
  uint64_t step = octave / 8 ? octave / 8 : 1;
  return (points + step / 2) / step * step + 1;
}

void
omen_sched_end_wait (omen_task *task, omen_task_wait *wait)
{
  if (!wait->object)
    return;
  wait->object = NULL;
  omen_scheduler.waiting--;
  omen_scheduler.timed -= wait->deadline > 0;
  if (omen_scheduler.firing == task)
    omen_scheduler.firing = NULL;
  if (task->state == OMEN_TASK_WAITING && task->depth
      && wait == &task->waits[task->depth - 1])
    task->state = OMEN_TASK_READY;
}

void
omen_sched_run_out (omen_task *task, omen_task_wait *wait)
{
  if (wait->deadline)
    omen_sched_move_clocks (wait->real);
  wait->out = RAN_OUT;
  omen_sched_end_wait (task, wait);
}

void
omen_sched_expire (void)
{
  if (!omen_scheduler.timed || omen_rt_replay)
    return;
  for (omen_task *t = omen_scheduler.first; t; t = t->next)
    for (unsigned i = 0; i < t->depth; i++) {
      omen_task_wait *wait = &t->waits[i];
      if (wait->object && wait->deadline
          && wait->deadline <= omen_scheduler.clock)
        omen_sched_run_out (t, wait);
    }
}

/* ---- nothing is ready ---- */
static omen_task_wait *
innermost (omen_task *task)
{
  return task->state == OMEN_TASK_WAITING && task->depth
             ? &task->waits[task->depth - 1]
             : NULL;
}

static bool
sooner (const omen_task_wait *a, const omen_task_wait *b)
{
  return a->deadline != b->deadline ? a->deadline < b->deadline
                                    : a->arrival < b->arrival;
}

static omen_task *
first_to_run_out (void)
{
  omen_task *best = NULL;
  for (omen_task *t = omen_scheduler.first; t; t = t->next) {
    omen_task_wait *wait = innermost (t);
    if (wait && wait->deadline && (!best || sooner (wait, innermost (best))))
      best = t;
  }
  return best;
}

static bool
any_away (void)
{
  omen_task *task = omen_scheduler.first;
  while (task && task->state != OMEN_TASK_AWAY)
    task = task->next;
  return task;
}

static bool
all_blocked (void)
{
  return omen_scheduler.live && !omen_scheduler.firing && !any_away ();
}

void
omen_sched_idle (void)
{
  omen_task *task = omen_rt_replay ? NULL : first_to_run_out ();
  omen_sched_come (&omen_scheduler.idle);
  omen_sched_go (&omen_scheduler.idle);
  if (task)
    omen_scheduler.firing_at
        = omen_sched_now () + innermost (task)->real - omen_sched_time ();
  __atomic_store_n (&omen_scheduler.firing, task, __ATOMIC_RELEASE);
  if (task)
    omen_sched_kick (task);
  else if (all_blocked ())
    omen_log_flush_all ();
}

/* A thread that has slept so often may do so for ever, as it takes no time. */
enum { MOST_HASTENED = 2000 };

omen_task *
omen_sched_hasten (void)
{
  omen_task *task = any_away () || omen_rt_replay ? NULL : first_to_run_out ();
  static unsigned hastened;
  if (task) {
    if (++hastened > MOST_HASTENED)
      omen_stuck_endless ();
    omen_task_wait *wait = innermost (task);
    if (omen_scheduler.clock < wait->deadline)
      omen_scheduler.clock = wait->deadline;
    omen_sched_run_out (task, wait);
  } else if (all_blocked () && !omen_rt_replay)
    omen_stuck_over ();
  return task;
}

/* Called by the watcher after a while, since a signal may be on its way. The
   program hangs as it would without omen. */
void
omen_sched_stuck (void)
{
  static bool reported;
  static const char text[]
      = "omen: every thread of the program is blocked: a deadlock\n";
  if (omen_rt_replay || !all_blocked ())
    return;
  omen_stuck_look ();
  if (!reported) {
    omen_call (SYS_write, 2, (long)text, sizeof text - 1, 0, 0, 0);
    reported = true;
  }
}

static bool
is_blocked (omen_task *task)
{
  const omen_task_wait *wait = innermost (task);
  return wait ? !wait->deadline
              : task->state == OMEN_TASK_AWAY && task->tid
                    && (__atomic_load_n (&task->polls, __ATOMIC_RELAXED)
                        || omen_proc_sleeps_on (task->tid));
}

/* Can no thread but the caller go on, even when time passes? */
static bool
others_blocked (const omen_task *me)
{
  omen_task *task = omen_scheduler.first;
  while (task && (task == me || is_blocked (task)))
    task = task->next;
  return !task;
}

/* A point counts as a microsecond (in_points). */
bool
omen_sched_grace (uint64_t milliseconds)
{
  omen_task *me = omen_sched_enter ();
  const uint64_t end = omen_scheduler.clock + milliseconds * 1000;
  omen_scheduler.grace = milliseconds * 1000000;
  while (me && !others_blocked (me) && omen_scheduler.clock < end) {
    if (!omen_sched_yield ())
      omen_sched_sleep (1000000);
    me = omen_sched_enter ();
  }
  return me && others_blocked (me);
}

/* Is it this thread's wait that expires now? It has the token then. */
bool
omen_sched_fire (omen_task *me)
{
  omen_mask old;
  bool fired = false;
  if (__atomic_load_n (&omen_scheduler.firing, __ATOMIC_ACQUIRE) != me)
    return false;
  omen_sched_lock (&old);
  omen_task_wait *wait = innermost (me);
  if (omen_scheduler.running)
    omen_scheduler.firing = NULL; /* idle finds it again */
  else if (omen_scheduler.firing == me && wait && wait->object
           && omen_sched_now () >= omen_scheduler.firing_at) {
    if (omen_scheduler.clock < wait->deadline)
      omen_scheduler.clock = wait->deadline;
    omen_sched_run_out (me, wait);
    omen_sched_grant (me, me);
    fired = true;
  }
  omen_sched_unlock (&old);
  return fired;
}

/* ---- waiting ---- */
static void
begin_wait (omen_task_wait *wait, const volatile void *object, uint32_t bits,
            uint64_t ns)
{
  *wait = (omen_task_wait){ .object = object,
                            .bits = bits,
                            .arrival = ++omen_scheduler.arrivals };
  omen_scheduler.waiting++;
  omen_scheduler.work++;
  if (ns) {
    wait->deadline = omen_scheduler.clock + in_points (ns);
    wait->real = omen_sched_time () + ns;
    omen_scheduler.timed++;
  }
}

static outcome
wait_on (const volatile void *object, uint32_t bits, uint64_t ns)
{
  omen_mask old;
  bool late;
  omen_task *me = omen_sched_enter_locked (&old, &late);
  if (!me || late || me->depth == OMEN_WAITS) {
    if (me)
      omen_sched_unlock (&old);
    return NEITHER;
  }
  omen_task_wait *wait = &me->waits[me->depth++];
  begin_wait (wait, object, bits, ns);
  omen_sched_spent (me);
  while (wait->object && omen_rt_scheduled) {
    me->state = OMEN_TASK_WAITING;
    if (omen_scheduler.running == me)
      omen_sched_pass (me);
    omen_sched_park (me, &old);
    omen_sched_lock (&old);
  }
  omen_sched_end_wait (me, wait);
  me->state = OMEN_TASK_READY;
  me->depth--;
  outcome out = wait->out;
  omen_sched_unlock (&old);
  return out;
}

/* There is no scheduler (any more): the caller tries again, not too often. */
static outcome
pause_a_little (void)
{
  struct timespec little = { .tv_nsec = 100000 };
  omen_call (SYS_nanosleep, (long)&little, 0, 0, 0, 0, 0);
  return NEITHER;
}

bool
omen_sched_wait (const volatile void *object)
{
  return (omen_sched_mine && omen_rt_scheduled ? wait_on (object, ALL_BITS, 0)
                                               : pause_a_little ())
         == WOKEN;
}

bool
omen_sched_wait_for (const volatile void *object, uint64_t nanoseconds)
{
  return (omen_sched_mine && omen_rt_scheduled
              ? wait_on (object, ALL_BITS, nanoseconds ? nanoseconds : 1)
              : pause_a_little ())
         != RAN_OUT;
}

bool
omen_sched_wait_bits (const volatile void *object, uint32_t bits,
                      uint64_t nanoseconds)
{
  return (omen_sched_mine && omen_rt_scheduled
              ? wait_on (object, bits, nanoseconds)
              : pause_a_little ())
         != RAN_OUT;
}

bool
omen_sched_wait_timed (const volatile void *object)
{
  return omen_sched_wait_for (object, 100000000);
}

void
omen_sched_sleep (uint64_t nanoseconds)
{
  omen_sched_wait_for (&omen_sched_mine, nanoseconds);
}

void
omen_sched_join (uint32_t id)
{
  omen_task *task = omen_sched_task (id);
  while (omen_sched_enter () && task && task->state != OMEN_TASK_GONE) {
    if (!omen_sched_wait (task))
      omen_cancel_test ();
  }
}

/* ---- waking ---- */
static void
wake_task (omen_task *task, const volatile void *object)
{
  omen_task_wait *wait;
  while ((wait = omen_sched_wait_of (task, object, ALL_BITS)))
    omen_sched_end_wait (task, wait);
}

void
omen_sched_wake (const volatile void *object, bool all)
{
  omen_mask old;
  bool late;
  if (!omen_scheduler.waiting || !omen_sched_enter_locked (&old, &late))
    return;
  omen_task *one = all ? NULL : omen_sched_choose_waiter (object, ALL_BITS);
  for (omen_task *t = all ? omen_scheduler.first : NULL; t; t = t->next)
    wake_task (t, object);
  if (one)
    wake_task (one, object);
  omen_scheduler.work++;
  omen_sched_unlock (&old);
}

unsigned
omen_sched_wake_bits (const volatile void *object, unsigned most, uint32_t bits)
{
  omen_mask old;
  bool late;
  unsigned count = 0;
  if (!omen_scheduler.waiting || !omen_sched_enter_locked (&old, &late))
    return 0;
  omen_task *task;
  while (count < most && (task = omen_sched_choose_waiter (object, bits))) {
    omen_sched_end_wait (task, omen_sched_wait_of (task, object, bits));
    count++;
  }
  omen_scheduler.work++;
  omen_sched_unlock (&old);
  return count;
}

/* They keep their order of arrival and their bits. */
unsigned
omen_sched_move (const volatile void *from, const volatile void *to,
                 unsigned most)
{
  omen_mask old;
  bool late;
  unsigned count = 0;
  if (!omen_scheduler.waiting || from == to
      || !omen_sched_enter_locked (&old, &late))
    return 0;
  omen_task *task;
  while (count < most && (task = omen_sched_choose_waiter (from, ALL_BITS))) {
    omen_sched_wait_of (task, from, ALL_BITS)->object = to;
    count++;
  }
  omen_sched_unlock (&old);
  return count;
}

void
omen_sched_interrupt (uint32_t id)
{
  omen_task *task = omen_sched_task (id);
  omen_mask old;
  bool late;
  if (!task || !omen_sched_enter_locked (&old, &late))
    return;
  task->cancelled = true;
  if (task->depth) {
    task->waits[task->depth - 1].out = NEITHER;
    omen_sched_end_wait (task, &task->waits[task->depth - 1]);
  }
  omen_sched_unlock (&old);
}

bool
omen_sched_cancelled (void)
{
  int state = PTHREAD_CANCEL_DISABLE;
  if (!omen_sched_mine || !omen_sched_mine->cancelled)
    return false;
  pthread_setcancelstate (PTHREAD_CANCEL_DISABLE, &state);
  pthread_setcancelstate (state, NULL);
  return state == PTHREAD_CANCEL_ENABLE;
}

bool
omen_sched_spurious (void)
{
  omen_mask old;
  omen_sched_lock (&old);
  bool spurious = omen_sched_mine && omen_replay_expires (omen_sched_mine);
  omen_sched_unlock (&old);
  return spurious;
}

/* ---- politeness ---- */
bool
omen_sched_yield (void)
{
  omen_mask old;
  bool late;
  omen_task *me = omen_sched_enter_locked (&old, &late);
  if (!me)
    return true;
  omen_sched_spent (me);
  uint64_t before = omen_scheduler.work;
  me->yielded = true;
  omen_sched_pass (me);
  omen_sched_park (me, &old);
  return omen_scheduler.work != before;
}

static bool
would_block (int fd, short events, int milliseconds)
{
  struct pollfd one = { .fd = fd, .events = events };
  return !omen_call (SYS_poll, (long)&one, 1, milliseconds, 0, 0, 0);
}

/* The call will block in the kernel: pass the token on at once. */
static void
go_away (void)
{
  omen_mask old;
  bool late;
  omen_task *me = omen_sched_enter_locked (&old, &late);
  if (!me)
    return;
  me->state = OMEN_TASK_AWAY;
  omen_sched_pass (NULL);
  omen_sched_unlock (&old);
}

void
omen_sched_wait_fd (int fd, short events)
{
  if (!omen_sched_enter ())
    return;
  while (would_block (fd, events, 0))
    if (!omen_sched_yield ()) {
      omen_sched_go (&omen_sched_mine->absence);
      go_away ();
      __atomic_store_n (&omen_sched_mine->polls, true, __ATOMIC_RELAXED);
      while (would_block (fd, events, CANCEL_MS))
        omen_cancel_test ();
      __atomic_store_n (&omen_sched_mine->polls, false, __ATOMIC_RELAXED);
      omen_sched_come (&omen_sched_mine->absence);
      omen_sched_enter ();
      return;
    }
}
