#include "runtime/log/safepoint.h"
#include "runtime/core/proc.h"
#include "runtime/log/ring.h"

#include <linux/futex.h>
#include <time.h>
#include <x86intrin.h>

/* In cycles: a few milliseconds, about half a second, and so on. */
#define WAIT_CYCLES (UINT64_C (1) << 24)
#define VOID (UINT64_C (1) << 31)
#define PAUSE_FIRST (UINT64_C (1) << 24)
#define PAUSE_MOST (UINT64_C (1) << 30)

enum {
  LOOK_NS = 100000, /* from one check to the next */
  STAND_NS = 100000000,
  STAND_TURNS = 100 /* much longer than VOID: the leader is gone */
};

uint32_t omen_safepoint_wanted;
OMEN_TLS bool omen_safepoint_due;

static bool due;                         /* a safepoint is; atomic */
static uint64_t not_before;              /* cycles; atomic */
static uint64_t pause_now = PAUSE_FIRST; /* the leader's */
static uint32_t leading;                 /* does a thread lead one? */
static uint32_t turn;     /* odd while threads stand; the futex they wait on */
static uint32_t arrivals; /* the leader's */

static void
wait_on (uint32_t *futex, uint32_t value, long nanoseconds)
{
  const struct timespec most = { 0, nanoseconds };
  omen_call (SYS_futex, (long)futex, FUTEX_WAIT_PRIVATE, value, (long)&most, 0,
             0);
}

static void
wake_futex (uint32_t *futex, int most)
{
  omen_call (SYS_futex, (long)futex, FUTEX_WAKE_PRIVATE, most, 0, 0, 0);
}

/* ---- which threads stand still ---- */

static bool
stands (const omen_self *self, uint32_t mine)
{
  return __atomic_load_n (&self->halted, __ATOMIC_ACQUIRE) == mine;
}

/* A signal handler may have interrupted woven code with a record not yet
   complete. */
static bool
is_interrupted (const omen_self *self)
{
  return __atomic_load_n (&self->interrupted, __ATOMIC_ACQUIRE);
}

/* A busy thread may have taken a number, or done what it is about to log. */
static bool
is_outside (const omen_self *self)
{
  return !__atomic_load_n (self->busy, __ATOMIC_ACQUIRE)
         && !is_interrupted (self);
}

/* Blocked in the kernel, in a call of the program or of a library: all that it
   did before is logged. */
static bool
sleeps (const omen_self *self)
{
  return is_outside (self) && omen_proc_state (self->tid) == 'S'
         && is_outside (self);
}

static uint64_t *
cursor_of (const omen_self *self)
{
  return __atomic_load_n (self->log->cursor, __ATOMIC_ACQUIRE);
}

/* How many threads do not stand; `runner` is one of them. */
static unsigned
count_moving (uint32_t mine, omen_self **runner)
{
  unsigned count = 0;
  *runner = NULL;
  for (omen_self *self = omen_threads; self; self = self->next)
    if (self->log && !stands (self, mine) && !sleeps (self)) {
      *runner = self;
      if (++count > 1)
        break;
    }
  return count;
}

/* Writes its log so far to the ring. */
static bool
flush_halted (omen_self *self)
{
  omen_thread_log *log = self->log;
  if (!omen_latch_try (&log->latch, 1))
    return false;
  omen_thread_log_flush (log);
  self->halted_at = log->index;
  omen_latch_give (&log->latch);
  return true;
}

static bool
flush_all (void)
{
  bool good = true;
  for (omen_self *self = omen_threads; self && good; self = self->next)
    if (self->log)
      good = flush_halted (self);
  return good;
}

/* Have all threads but one done nothing since they were flushed? */
static bool
have_stood_still (uint32_t mine, const omen_self *runner)
{
  for (const omen_self *self = omen_threads; self; self = self->next) {
    const omen_thread_log *log = self->log;
    if (log && self != runner && !stands (self, mine)
        && !(sleeps (self) && log->index == self->halted_at
             && cursor_of (self) == log->written))
      return false;
  }
  return true;
}

/* ---- one that runs on ---- */

/* While all others stand, one thread may run: whatever it does comes after all
   that they did and before all that they will do, so any place in its log
   serves as the safepoint. But what it did before the others stopped must be
   logged. When it has logged something since, it may still hold an older access
   (the time is logged when the buffer is full, in the middle of a record); when
   it has logged something once more it does not. */
typedef struct alone {
  omen_self *self;
  uint64_t *cursor;
  unsigned moves; /* seen */
} alone;

/* True: no older access is left. */
static bool
has_moved_on (alone *a)
{
  uint64_t *now = cursor_of (a->self);
  if (is_interrupted (a->self)) {
    a->moves = 0;
    return false;
  }
  a->moves += now != a->cursor;
  a->cursor = now;
  return a->moves >= 2;
}

/* Is it still the same thread that runs? If not, watches the new one. */
static bool
runs_alone (alone *a, uint32_t mine, omen_self *runner)
{
  if (a->self == runner && have_stood_still (mine, runner))
    return true;
  *a = (alone){ 0 };
  if (flush_all ())
    *a = (alone){ runner, cursor_of (runner), 0 };
  return false;
}

/* What it was seen to have logged has been written, unless a record was growing
   at that time (fused.h). */
static bool
flush_alone (const alone *a)
{
  return flush_halted (a->self) && a->self->log->written >= a->cursor
         && !is_interrupted (a->self);
}

/* ---- the mark ---- */

/* Writes the mark, after what is flushed. The latch of the threads is held. */
static bool
write_safepoint (uint32_t mine, uint64_t began, const alone *a)
{
  omen_tick_mark *mark;
  bool good = a ? flush_alone (a) : flush_all ();
  if (!good || !(mark = omen_mark_new (OMEN_MARK_SAFEPOINT)))
    return false;
  for (omen_self *self = omen_threads; self; self = self->next)
    omen_mark_add (mark, self->id,
                   self->log     ? self->halted_at
                   : self->ended ? UINT64_MAX
                                 : 0);
  good = have_stood_still (mine, a ? a->self : NULL)
         && __rdtsc () - began < VOID;
  omen_mark_end (mark, good);
  return good;
}

static bool
try_safepoint (uint32_t mine, uint64_t began, alone *a)
{
  omen_self *runner;
  bool made = false;
  if (!omen_latch_try (&omen_threads_latch, 1))
    return false;
  switch (count_moving (mine, &runner)) {
  case 0:
    made = write_safepoint (mine, began, NULL);
    break;
  case 1:
    made = runs_alone (a, mine, runner) && has_moved_on (a)
           && write_safepoint (mine, began, a);
    break;
  default:
    *a = (alone){ 0 };
  }
  omen_latch_give (&omen_threads_latch);
  return made;
}

/* ---- leading and standing ---- */

/* After a failure the next try is further away. */
static void
plan_next (bool made)
{
  if (made) {
    pause_now = PAUSE_FIRST;
    __atomic_store_n (&due, false, __ATOMIC_RELAXED);
  } else {
    __atomic_store_n (&not_before, __rdtsc () + pause_now, __ATOMIC_RELAXED);
    pause_now *= pause_now < PAUSE_MOST ? 2 : 1;
  }
  __atomic_store_n (&omen_safepoint_wanted, 0, __ATOMIC_RELAXED);
}

static void
lead (omen_self *self)
{
  uint64_t began = __rdtsc ();
  uint32_t mine = __atomic_add_fetch (&turn, 1, __ATOMIC_SEQ_CST);
  alone a = { 0 };
  bool made = false;
  __atomic_store_n (&self->halted, mine, __ATOMIC_RELEASE);
  for (;;) {
    uint32_t seen = __atomic_load_n (&arrivals, __ATOMIC_ACQUIRE);
    made = try_safepoint (mine, began, &a);
    if (made || __rdtsc () - began > WAIT_CYCLES)
      break;
    wait_on (&arrivals, seen, LOOK_NS);
  }
  plan_next (made);
  __atomic_store_n (&self->halted, 0, __ATOMIC_RELEASE);
  __atomic_add_fetch (&turn, 1, __ATOMIC_SEQ_CST);
  wake_futex (&turn, INT32_MAX);
}

static void
stand (omen_self *self)
{
  uint32_t mine = __atomic_load_n (&turn, __ATOMIC_ACQUIRE);
  if (!(mine & 1))
    return;
  __atomic_store_n (&self->halted, mine, __ATOMIC_RELEASE);
  __atomic_add_fetch (&arrivals, 1, __ATOMIC_SEQ_CST);
  wake_futex (&arrivals, 1);
  for (unsigned i = 0;
       i < STAND_TURNS && __atomic_load_n (&turn, __ATOMIC_ACQUIRE) == mine;
       i++)
    wait_on (&turn, mine, STAND_NS);
  __atomic_store_n (&self->halted, 0, __ATOMIC_RELEASE);
}

void
omen_safepoint (void)
{
  omen_self *self = omen_rt_self;
  if (!self || omen_rt_busy || self->interrupted)
    return;
  if (omen_safepoint_due) {
    omen_safepoint_due = false;
    omen_self_find_way (self);
  }
  if (!__atomic_load_n (&omen_safepoint_wanted, __ATOMIC_ACQUIRE))
    return;
  omen_busy_begin ();
  omen_thread_log_close (self->log);
  if (__atomic_exchange_n (&leading, 1, __ATOMIC_ACQUIRE))
    stand (self);
  else {
    if (__atomic_load_n (&omen_safepoint_wanted, __ATOMIC_ACQUIRE))
      lead (self);
    __atomic_store_n (&leading, 0, __ATOMIC_RELEASE);
  }
  omen_busy_end ();
}

/* Only where each access is logged exactly, by itself. */
static bool
is_possible (void)
{
  return omen_rt_woven && !omen_rt_options.sync_only && !omen_rt_options.sampled
         && !omen_common_log;
}

void
omen_safepoint_ask (bool is_due)
{
  if (!is_possible ())
    return;
  if (is_due)
    __atomic_store_n (&due, true, __ATOMIC_RELAXED);
  if (__atomic_load_n (&due, __ATOMIC_RELAXED)
      && __rdtsc () >= __atomic_load_n (&not_before, __ATOMIC_RELAXED))
    __atomic_store_n (&omen_safepoint_wanted, 1, __ATOMIC_RELAXED);
}

void
omen_safepoint_after_fork (void)
{
  leading = turn = arrivals = omen_safepoint_wanted = 0;
  due = omen_safepoint_due = false;
  not_before = 0;
  pause_now = PAUSE_FIRST;
  if (omen_rt_self)
    omen_rt_self->halted = 0;
}
