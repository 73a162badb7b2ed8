#include "runtime/halt.h"
#include "runtime/proc.h"
#include "runtime/ring.h"

#include <linux/futex.h>
#include <time.h>
#include <x86intrin.h>

/* In cycles: a few milliseconds, about half a second, and so on. */
#define PATIENCE (UINT64_C (1) << 24)
#define VOID (UINT64_C (1) << 31)
#define PAUSE_FIRST (UINT64_C (1) << 24)
#define PAUSE_MOST (UINT64_C (1) << 30)

enum {
  LOOK_NS = 100000, /* from one look to the next */
  STAND_NS = 100000000,
  STAND_TURNS = 100 /* much longer than VOID: the leader is no more */
};

uint32_t omen_halt_wanted;
OMEN_TLS bool omen_halt_due;

static bool due;                         /* a moment is; atomic */
static uint64_t not_before;              /* cycles; atomic */
static uint64_t pause_now = PAUSE_FIRST; /* the leader's */
static uint32_t leading;                 /* somebody does */
static uint32_t turn;     /* odd while threads stand; a futex of theirs */
static uint32_t arrivals; /* the leader's */

static void
wait_on (uint32_t *futex, uint32_t value, long nanoseconds)
{
  const struct timespec most = { 0, nanoseconds };
  omen_call (SYS_futex, (long)futex, FUTEX_WAIT_PRIVATE, value, (long)&most, 0,
             0);
}

static void
wake (uint32_t *futex, int most)
{
  omen_call (SYS_futex, (long)futex, FUTEX_WAKE_PRIVATE, most, 0, 0, 0);
}

/* ---- who stands still ---- */

static bool
stands (const omen_self *self, uint32_t mine)
{
  return __atomic_load_n (&self->halted, __ATOMIC_ACQUIRE) == mine;
}

/* In the kernel, called by the program or a library: all that it did before is
   noted. Who is busy may have taken a number, or done what it is about to note;
   a handler may have interrupted woven code. */
static bool
sleeps (const omen_self *self)
{
  return !__atomic_load_n (self->busy, __ATOMIC_ACQUIRE)
         && !__atomic_load_n (&self->handlers, __ATOMIC_ACQUIRE)
         && omen_proc_state (self->tid) == 'S'
         && !__atomic_load_n (self->busy, __ATOMIC_ACQUIRE)
         && !__atomic_load_n (&self->handlers, __ATOMIC_ACQUIRE);
}

static bool
all_stand_still (uint32_t mine)
{
  for (const omen_self *self = omen_threads; self; self = self->next)
    if (self->tape && !stands (self, mine) && !sleeps (self))
      return false;
  return true;
}

/* ---- the mark ---- */

/* What it has noted so far, into the ring. */
static bool
flush (omen_self *self)
{
  omen_tape *tape = self->tape;
  if (!omen_latch_try (&tape->latch, 1))
    return false;
  omen_tape_flush (tape);
  self->halted_at = tape->index;
  omen_latch_give (&tape->latch);
  return true;
}

/* Has a sleeper done nothing since it was flushed? */
static bool
has_slept (const omen_self *self)
{
  const omen_tape *tape = self->tape;
  return sleeps (self) && tape->index == self->halted_at
         && __atomic_load_n (tape->cursor, __ATOMIC_ACQUIRE) == tape->written;
}

/* The moment is between the two loops. The threads' latch is held. */
static bool
write_moment (uint32_t mine, uint64_t began)
{
  bool good = true;
  omen_mark *mark = omen_mark_new (OMEN_MARK_MOMENT);
  if (!mark)
    return false;
  for (omen_self *self = omen_threads; self && good; self = self->next) {
    if (self->tape)
      good = flush (self);
    omen_mark_add (mark, self->id,
                   self->tape    ? self->halted_at
                   : self->ended ? UINT64_MAX
                                 : 0);
  }
  for (const omen_self *self = omen_threads; self && good; self = self->next)
    if (self->tape && !stands (self, mine))
      good = has_slept (self);
  good = good && __rdtsc () - began < VOID;
  omen_mark_end (mark, good);
  return good;
}

static bool
try_moment (uint32_t mine, uint64_t began)
{
  bool made = false;
  if (!omen_latch_try (&omen_threads_latch, 1))
    return false;
  if (all_stand_still (mine))
    made = write_moment (mine, began);
  omen_latch_give (&omen_threads_latch);
  return made;
}

/* ---- leading and standing ---- */

/* If it was in vain the next time is further away. */
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
  __atomic_store_n (&omen_halt_wanted, 0, __ATOMIC_RELAXED);
}

static void
lead (omen_self *self)
{
  uint64_t began = __rdtsc ();
  uint32_t mine = __atomic_add_fetch (&turn, 1, __ATOMIC_SEQ_CST);
  bool made = false;
  __atomic_store_n (&self->halted, mine, __ATOMIC_RELEASE);
  for (;;) {
    uint32_t seen = __atomic_load_n (&arrivals, __ATOMIC_ACQUIRE);
    made = try_moment (mine, began);
    if (made || __rdtsc () - began > PATIENCE)
      break;
    wait_on (&arrivals, seen, LOOK_NS);
  }
  plan_next (made);
  __atomic_store_n (&self->halted, 0, __ATOMIC_RELEASE);
  __atomic_add_fetch (&turn, 1, __ATOMIC_SEQ_CST);
  wake (&turn, INT32_MAX);
}

static void
stand (omen_self *self)
{
  uint32_t mine = __atomic_load_n (&turn, __ATOMIC_ACQUIRE);
  if (!(mine & 1))
    return;
  __atomic_store_n (&self->halted, mine, __ATOMIC_RELEASE);
  __atomic_add_fetch (&arrivals, 1, __ATOMIC_SEQ_CST);
  wake (&arrivals, 1);
  for (unsigned i = 0;
       i < STAND_TURNS && __atomic_load_n (&turn, __ATOMIC_ACQUIRE) == mine;
       i++)
    wait_on (&turn, mine, STAND_NS);
  __atomic_store_n (&self->halted, 0, __ATOMIC_RELEASE);
}

void
omen_halt (void)
{
  omen_self *self = omen_rt_self;
  if (!self || omen_rt_busy || self->handlers)
    return;
  if (omen_halt_due) {
    omen_halt_due = false;
    omen_self_find_way (self);
  }
  if (!__atomic_load_n (&omen_halt_wanted, __ATOMIC_ACQUIRE))
    return;
  omen_busy_begin ();
  if (__atomic_exchange_n (&leading, 1, __ATOMIC_ACQUIRE))
    stand (self);
  else {
    if (__atomic_load_n (&omen_halt_wanted, __ATOMIC_ACQUIRE))
      lead (self);
    __atomic_store_n (&leading, 0, __ATOMIC_RELEASE);
  }
  omen_busy_end ();
}

/* Where threads note accesses exactly, each by itself. */
static bool
is_possible (void)
{
  return omen_rt_woven && !omen_rt_options.sync_only && !omen_rt_options.sampled
         && !omen_tape_for_all;
}

void
omen_halt_ask (bool is_due)
{
  if (!is_possible ())
    return;
  if (is_due)
    __atomic_store_n (&due, true, __ATOMIC_RELAXED);
  if (__atomic_load_n (&due, __ATOMIC_RELAXED)
      && __rdtsc () >= __atomic_load_n (&not_before, __ATOMIC_RELAXED))
    __atomic_store_n (&omen_halt_wanted, 1, __ATOMIC_RELAXED);
}

void
omen_halt_after_fork (void)
{
  leading = turn = arrivals = omen_halt_wanted = 0;
  due = omen_halt_due = false;
  not_before = 0;
  pause_now = PAUSE_FIRST;
  if (omen_rt_self)
    omen_rt_self->halted = 0;
}
