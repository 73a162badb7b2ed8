/* Inside the runtime: who offers what. Everything here runs in somebody else's
   program: it allocates by mmap only, never calls what it interposes except
   through omen_real, keeps errno, and gives up quietly (omen_give_up) rather
   than disturb the guest.

     options.c  OMEN_OPTIONS -> omen_options
     life.c     start and end; fork.c, exec.c, timer.c, unload.c; process.c:
                which process of a run this is; stuck.c: is it a deadlock?
     signal.c   handlers and fatal signals; sigaction.c: whose they are
     thread.c   omen_self: a thread's state; thread_calls.c, cancel.c
     log.c      items -> notes; item.h: the fast path; fused.c: locks, shorter;
                thread_log.c: notes -> chunks
     file.c     chunks -> file; path.c: which one; ring.c, mark.c; safepoint.c:
                all threads stand still
     tables.c   what notes refer to; sites.c, modules.c, data.c
     sched.c    one thread at a time: random, pct, rr; replay's gate
     real.c     the functions of libc behind ours
     channel.c  orders through the kernel; order_object.c, channel_socket.c
     sync_*.c, heap.c, libc_*.c, atomic.c, range.c, annotate.c, tsan.c
                what the program calls, each a few lines around omen_log */
#ifndef OMEN_RUNTIME_CORE_RT_H
#define OMEN_RUNTIME_CORE_RT_H

#include "base/defs.h"
#include "wire/abi.h"
#include "runtime/core/latch.h"
#include "runtime/core/plain.h"
#include "wire/recording.h"

#define OMEN_TLS OMEN_ABI_TLS
/* Where the program called us: first argument of most omen_log calls. */
#define OMEN_PC ((uint64_t)__builtin_return_address (0))

typedef enum omen_mode {
  OMEN_MODE_START, /* too early: nothing is known yet */
  OMEN_MODE_OFF,   /* notes are thrown away, calls pass through */
  OMEN_MODE_RECORD,
  OMEN_MODE_REPLAY
} omen_mode;

extern omen_mode omen_rt_mode; /* set once by life.c, before main */
extern bool omen_rt_scheduled; /* one thread at a time: sched.h is in charge */

/* -- thread.c ---------------------------------------------------------------
   The state of a thread, mapped when it first does something that counts;
   NULL before that, when there is no memory, and after its last breath. */
typedef struct omen_self omen_self;
extern OMEN_TLS omen_self *omen_rt_self;
omen_self *omen_self_get (void); /* makes it if need be; NULL: stay silent */
uint32_t omen_self_id (const omen_self *self);

/* Interposed functions begin with this: is there anything to record? False in
   mode OFF, within our own calls, in threads without state. Cheap: one TLS
   load and a test. Regions that the program asks us to ignore do not count
   here: IGNORE_BEGIN and IGNORE_END are items, the loader drops the accesses
   between them and keeps locks and threads in order. */
/* Why a thread is disabled. */
enum {
  OMEN_DISABLED_NEW = 1,  /* nobody has looked yet */
  OMEN_DISABLED_GONE = 2, /* mode OFF, no memory, or the thread has ended */
  /* It is not: a write has to be noted first (tsan.h). */
  OMEN_DISABLED_WRITING = 4,
  /* It is not: items go the slow path (item.h). */
  OMEN_DISABLED_ODD = 8,
  OMEN_DISABLED_QUIET = 16 /* for each omen_quiet_begin */
};
extern OMEN_TLS uint32_t omen_rt_disabled;
bool omen_enabled_slow (void);

static inline bool
omen_enabled (void)
{
  uint32_t disabled = omen_rt_disabled & ~(uint32_t)OMEN_DISABLED_ODD;
  return !disabled
         || ((disabled == OMEN_DISABLED_NEW
              || disabled == OMEN_DISABLED_WRITING)
             && omen_enabled_slow ());
}

/* Around what we do on our own account while calling the interposed world
   (our mallocs, real functions that call back): nothing is recorded. */
static inline void
omen_quiet_begin (void)
{
  omen_rt_disabled += OMEN_DISABLED_QUIET;
}

static inline void
omen_quiet_end (void)
{
  omen_rt_disabled -= OMEN_DISABLED_QUIET;
}

/* Around what a signal handler must not interrupt, because it could ask for the
   same (latches, half-written items): a signal that comes in between is handled
   at the end. May be nested; for short things that never block for long. */
extern OMEN_TLS uint32_t omen_rt_busy;
extern OMEN_TLS bool omen_rt_postponed;
void omen_busy_over (void);

static inline void
omen_busy_begin (void)
{
  omen_rt_busy++;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

static inline void
omen_busy_end (void)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  if (!--omen_rt_busy && OMEN_UNLIKELY (omen_rt_postponed))
    omen_busy_over ();
}

/* -- log.c ------------------------------------------------------------------
   Append to this thread's notes; the caller has seen omen_enabled (). Never
   blocks for long, never fails as far as the caller can tell. Each call adds a
   whole item or nothing: a signal handler that comes in between has its items
   before it. */
void omen_log (enum omen_item_kind kind, const volatile void *object,
               uint64_t number, uint64_t arg, uint64_t pc);
/* With `size` bytes more, which follow in PARTs of 16: the lock of a wait and
   its number, old and new value of an atomic, … At most OMEN_LOG_MORE bytes. */
#define OMEN_LOG_MORE 4096
void omen_log_with (enum omen_item_kind kind, const volatile void *object,
                    uint64_t number, uint64_t arg, uint64_t pc,
                    const void *more, size_t size);
/* RANGE_READ, RANGE_WRITE of any size, in pieces of OMEN_LOG_MORE: `bytes` is
   what was read or written at `address`. One of pc and site is given. */
void omen_log_range (enum omen_item_kind kind, const volatile void *address,
                     const void *bytes, size_t size, uint64_t pc,
                     omen_site *site);
/* Both of a copy of at most OMEN_LOG_MORE bytes, with its bytes once. Not for
   the log of all threads, where others may come between the two. */
void omen_log_copy (const volatile void *to, const volatile void *from,
                    const void *bytes, size_t size, uint64_t pc,
                    omen_site *site);
void omen_log_woven (uint64_t a, uint64_t b, omen_site *site);
/* Write out what all threads have noted so far; safe in signal handlers. */
void omen_log_flush_all (void);
/* Stop recording, for good: disk full, limit reached, no memory. */
void omen_give_up (const char *why);

/* -- modules.c --------------------------------------------------------------
   The unwinder (libgcc_s): what it does depends on how deep the stack is, our
   frames included, and is nobody's business. */
typedef struct omen_code_range {
  uintptr_t start, size;
} omen_code_range;
extern omen_code_range omen_unwinder; /* size 0: it is not there */

static inline bool
omen_unwinds (uint64_t pc)
{
  return pc - omen_unwinder.start < omen_unwinder.size;
}

/* -- numbers ------------------------------------------------------------- */
/* A shard has a cache line for itself: threads that use different objects
   shall not take it from each other. */
enum { OMEN_CACHE_LINE = 64 };
typedef struct omen_shard_state {
  _Alignas (OMEN_CACHE_LINE) uint64_t number;
  omen_latch lock; /* omen_shard_lock */
} omen_shard_state;
extern omen_shard_state omen_shards[OMEN_SHARDS];

/* The first of some that follow each other. Acquire and release: what the
   holder of one number did comes before what the next one's does. */
static inline uint64_t
omen_numbers_of (const volatile void *object, unsigned count)
{
  return __atomic_fetch_add (
      &omen_shards[omen_shard ((uintptr_t)object)].number, count,
      __ATOMIC_ACQ_REL);
}

static inline uint64_t
omen_number (const volatile void *object)
{
  return omen_numbers_of (object, 1);
}

/* Between a number and its item no handler of a signal comes, who would note a
   higher one first. Under a schedule the thread may stop at the item: then one
   may come. */
static inline bool
omen_numbered_begin (void)
{
  if (omen_rt_scheduled)
    return false;
  omen_busy_begin ();
  return true;
}

static inline void
omen_numbered_end (bool begun)
{
  if (begun)
    omen_busy_end ();
}

/* A small lock of our own for a shard, where a number and a real call have to
   be one step (notify, post, failed tries). Not for anything that blocks; the
   thread is busy meanwhile. One at a time. */
void omen_shard_lock (const volatile void *object);
void omen_shard_unlock (const volatile void *object);

/* -- sites.c ------------------------------------------------------------- */
uint32_t omen_site_id (omen_site *site);         /* numbers it, writes it out */
uint32_t omen_block_id (omen_code_block *block); /* likewise */
uint32_t omen_string_id (const char *text);      /* interned by content */

/* -- real.c -----------------------------------------------------------------
   The next definition of a function after ours, looked up once:

     static int (*real_close) (int);
     … omen_real (&real_close, "close") (fd)  */
void *omen_real_find (const char *name);

/* Where the C library's code is, once the runtime has started. */
extern uintptr_t omen_libc_from, omen_libc_size;
static inline bool
omen_in_libc (uint64_t pc)
{
  return pc - omen_libc_from < omen_libc_size;
}
/* The next one after the object that an address is in. */
void *omen_real_after (const char *name, const void *address);
/* Does a loaded object other than that one and us take it from a library? */
bool omen_real_is_used (const char *name, const void *address);
/* Slots in the section "omen_reals" are filled by this, those of functions that
   are there. */
typedef struct omen_real_slot {
  void **slot;
  const char *name;
} omen_real_slot;
void omen_real_start (void);
#define omen_real(slot, name)                                                  \
  ({                                                                           \
    if (OMEN_UNLIKELY (!*(slot)))                                              \
      *(slot) = (__typeof__ (*(slot)))omen_real_find (name);                   \
    *(slot);                                                                   \
  })

/* -- sched.c ----------------------------------------------------------------
   Only when omen_rt_scheduled (else these do nothing): exactly one thread holds
   the token. Woven notes come to omen_sched_point with their omen_site_kind as
   kind. Blocking operations are tried without blocking, and waited for here:

     while (real_trylock (m) == EBUSY)
       omen_sched_wait (m);                  … and unlock: omen_sched_wake (m)

   so that who goes on is the scheduler's choice and the run repeats: it depends
   on the seed alone, not on addresses or clocks. */
/* Once, before the first omen_sched_thread_begin: "random:7", "pct:7,3", "rr";
   sets omen_rt_scheduled. False if there is no such schedule. */
bool omen_sched_start (const char *schedule);
/* After each item, written or not: the others may go on here. */
void omen_sched_point (enum omen_item_kind kind, const volatile void *object);
/* Returns after a wake of the object that meant this thread. False: without one
   (omen_sched_interrupt, or it may have been missed); look again. */
bool omen_sched_wait (const volatile void *object);
/* False: it ran out, which happens when nothing else can run and the time has
   passed, or when the others have done very much meanwhile. */
bool omen_sched_wait_for (const volatile void *object, uint64_t nanoseconds);
bool omen_sched_wait_timed (const volatile void *object); /* some time */
void omen_sched_sleep (uint64_t nanoseconds);
/* How many of the waiters may go on: 1 or all; chosen by the scheduler. */
void omen_sched_wake (const volatile void *object, bool all);
/* Futexes: a wait with some bits (nanoseconds 0: without a limit) is ended by
   wakes with one of them. How many were woken; how many wait for another object
   now. */
bool omen_sched_wait_bits (const volatile void *object, uint32_t bits,
                           uint64_t nanoseconds);
unsigned omen_sched_wake_bits (const volatile void *object, unsigned most,
                               uint32_t bits);
unsigned omen_sched_move (const volatile void *from, const volatile void *to,
                          unsigned most);
/* sched_yield, pause and the like: the others first. False: they did nothing
   since this thread's last yield. */
bool omen_sched_yield (void);
/* The others go on until all wait without a limit or have ended, or have passed
   so many thousands of points. */
void omen_sched_grace (uint64_t milliseconds);
/* Before a read or write that may block: returns when poll says it will not;
   if other threads can do something about that, they do. */
void omen_sched_wait_fd (int fd, short events);
/* Around other calls that may block in the kernel. The thread keeps the token
   unless it is seen to sleep there: short calls leave the run repeatable. */
void omen_sched_leave (void);
void omen_sched_return (void);
void omen_sched_thread_new (uint32_t id);   /* by the parent, before */
void omen_sched_thread_made (uint32_t id);  /* and after; a point */
void omen_sched_thread_begin (uint32_t id); /* by the child: waits its turn */
void omen_sched_thread_end (uint32_t id); /* or by the parent: none was made */
void omen_sched_join (uint32_t id);       /* until thread_end of it */
/* pthread_cancel: the wait that the thread is in returns. */
void omen_sched_interrupt (uint32_t id);
/* Has the calling thread been, and does it want to know? */
bool omen_sched_cancelled (void);
/* -- replay.c: a schedule that is a plan (replay.h) -- */
extern bool omen_rt_replay;
extern bool omen_rt_explore; /* the plan ends with explore (replay.h) */
/* An item was logged: counts it. Its thread stops here if its turn is over,
   unless the item is logged before what it stands for is done. */
void omen_replay_item (unsigned kind, uint64_t arg);

static inline bool
omen_item_comes_first (unsigned kind)
{
  switch (kind) {
  case OMEN_ITEM_RELEASE:
  case OMEN_ITEM_READ_RELEASE:
  case OMEN_ITEM_WAIT:
  case OMEN_ITEM_NOTIFY:
  case OMEN_ITEM_NOTIFY_ALL:
  case OMEN_ITEM_SEM_UP:
  case OMEN_ITEM_ARRIVE:
  case OMEN_ITEM_HAPPENS_BEFORE:
  case OMEN_ITEM_FREE:
  case OMEN_ITEM_FORK:
  case OMEN_ITEM_THREAD_END:
  case OMEN_ITEM_LOCK_DESTROY:
  case OMEN_ITEM_ATOMIC:
    return true;
  default:
    return false;
  }
}

/* At the end of calls whose item came first. */
static inline void
omen_replay_after (void)
{
  if (OMEN_UNLIKELY (omen_rt_replay))
    omen_sched_point (OMEN_ITEM_PART, NULL);
}

/* Around fork; the child has one thread. */
void omen_sched_fork_begin (void);
void omen_sched_fork_end (bool child);

#endif
