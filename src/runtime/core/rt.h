/* Inside the runtime: which file provides what. Everything here runs as a guest
   in a program: it allocates by mmap only, never calls what it interposes
   except through omen_real, keeps errno, and gives up quietly (omen_give_up)
   rather than disturb the guest.

     options.c  OMEN_OPTIONS -> omen_options
     life.c     start and end; fork.c, exec.c, timer.c, unload.c; process.c:
                which process of a run this is; stuck.c: is it a deadlock?
     signal.c   handlers and fatal signals; sigaction.c: whose they are
     thread.c   omen_self: a thread's state; thread_calls.c, cancel.c
     log.c      items -> notes; item.h: the fast path; fused.c: locks, shorter;
                thread_log.c: notes -> chunks
     file.c     chunks -> file; path.c: which one; ring.c, mark.c; safepoint.c:
                stops the world
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

#include <time.h>

#define OMEN_TLS OMEN_ABI_TLS
/* The return address of an interposed call; first argument of most omen_log
   calls. */
#define OMEN_PC ((uint64_t)__builtin_return_address (0))

typedef enum omen_mode {
  OMEN_MODE_START, /* too early: options are not read yet */
  OMEN_MODE_OFF,   /* records are discarded, calls pass through */
  OMEN_MODE_RECORD,
  OMEN_MODE_REPLAY
} omen_mode;

extern omen_mode omen_rt_mode; /* set once by life.c, before main */
extern bool
    omen_rt_scheduled; /* one thread runs at a time, chosen by sched.h */

/* -- thread.c ---------------------------------------------------------------
   The state of a thread, mapped when it first has something to record;
   NULL before that, when there is no memory, and after it has ended. */
typedef struct omen_self omen_self;
extern OMEN_TLS omen_self *omen_rt_self;
omen_self *
omen_self_get (void); /* creates it if necessary; NULL: record nothing */
uint32_t omen_self_id (const omen_self *self);

/* Interposed functions begin with this test: is there anything to record? False
   in mode OFF, inside the runtime's own calls and in threads without state.
   Costs one TLS load and a test. Regions that the program asks to ignore are
   recorded: IGNORE_BEGIN and IGNORE_END are items, the loader drops the
   accesses between them and keeps locks and the order of threads. */
/* Why a thread is disabled. */
enum {
  OMEN_DISABLED_NEW = 1,  /* not determined yet */
  OMEN_DISABLED_GONE = 2, /* mode OFF, no memory, or the thread has ended */
  /* not enabled: a pending write must be logged first (tsan.h) */
  OMEN_DISABLED_WRITING = 4,
  /* not enabled: items take the slow path (item.h) */
  OMEN_DISABLED_ODD = 8,
  OMEN_DISABLED_AWAY = 16, /* in a runtime of OpenMP (library.c) */
  OMEN_DISABLED_QUIET = 32 /* for each omen_quiet_begin */
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

/* Brackets for what the runtime does for itself through interposed functions
   (malloc, real functions that call back): nothing is recorded in between. */
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

/* Brackets for what a signal handler must not interrupt because it could need
   the same thing (latches, half-written items). A signal that arrives in
   between is handled at the end. They nest; only for short stretches that do
   not block. */
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
   Append an item to this thread's log; the caller has checked omen_enabled
   (). Never blocks for long, never fails visibly. An item
   is added whole or not at all: the items of a signal handler that interrupts
   come before it. */
void omen_log (enum omen_item_kind kind, const volatile void *object,
               uint64_t number, uint64_t arg, uint64_t pc);
/* The same with `size` more bytes, which follow in PARTs of 16: the lock and
   number of a wait, old and new value of an atomic, … At most OMEN_LOG_MORE
   bytes. */
#define OMEN_LOG_MORE 4096
void omen_log_with (enum omen_item_kind kind, const volatile void *object,
                    uint64_t number, uint64_t arg, uint64_t pc,
                    const void *more, size_t size);
/* RANGE_READ or RANGE_WRITE of any size, in pieces of OMEN_LOG_MORE; `bytes` is
   what was read or written at `address`. Either pc or site is given. */
void omen_log_range (enum omen_item_kind kind, const volatile void *address,
                     const void *bytes, size_t size, uint64_t pc,
                     omen_site *site);
/* Both sides of a copy of at most OMEN_LOG_MORE bytes; the bytes are stored
   once. Not for the common log, where another thread's items could come between
   the two. */
void omen_log_copy (const volatile void *to, const volatile void *from,
                    const void *bytes, size_t size, uint64_t pc,
                    omen_site *site);
void omen_log_woven (uint64_t a, uint64_t b, omen_site *site);
/* Writes what all threads have logged so far; async-signal-safe. */
void omen_log_flush_all (void);
/* Stops recording permanently: disk full, size limit, no memory. */
void omen_give_up (const char *why);

/* -- modules.c --------------------------------------------------------------
   Is the code in the unwinder (libgcc_s)? Its accesses are not recorded:
   they depend on the depth of the stack, which includes our frames. */
typedef struct omen_code_range {
  uintptr_t start, size;
} omen_code_range;
extern omen_code_range omen_unwinder; /* size 0: it is not there */

static inline bool
omen_unwinds (uint64_t pc)
{
  return pc - omen_unwinder.start < omen_unwinder.size;
}

/* The runtime of OpenMP (library.c), if the program has one. */
extern omen_code_range omen_openmp;

static inline bool
omen_in_openmp (uint64_t pc)
{
  return pc - omen_openmp.start < omen_openmp.size;
}

/* -- sequence numbers ---------------------------------------------------- */
/* Each shard has a cache line for itself, so that threads which use different
   objects do not contend. */
enum { OMEN_CACHE_LINE = 64 };
typedef struct omen_shard_state {
  _Alignas (OMEN_CACHE_LINE) uint64_t number;
  omen_latch lock; /* omen_shard_lock */
} omen_shard_state;
extern omen_shard_state omen_shards[OMEN_SHARDS];

/* Takes `count` consecutive numbers. Acquire and release: what the holder of
   one number did happens before what the holder of the next one does. */
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

/* Between taking a number and logging its item no signal handler runs: it would
   log a higher number first. Under a schedule the thread may be stopped at the
   item; then a handler may run. */
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

/* A small lock for a shard, for calls that must be one step with their number
   (notify, post, failed tries). Not around anything that blocks; the thread is
   busy meanwhile, and holds one at most. */
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

/* The address range of libc's code, once the runtime has started. */
extern uintptr_t omen_libc_from, omen_libc_size;
static inline bool
omen_in_libc (uint64_t pc)
{
  return pc - omen_libc_from < omen_libc_size;
}
/* The next definition after the object that contains an address. */
void *omen_real_after (const char *name, const void *address);
/* Does a loaded object other than that one and ours import the name from a
   library? */
bool omen_real_is_used (const char *name, const void *address);
/* Fills the slots in section "omen_reals" whose functions exist. */
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
   Only if omen_rt_scheduled (else these do nothing): exactly one thread holds
   the token. Records of woven code reach omen_sched_point with their
   omen_site_kind as kind. A blocking operation is tried without blocking, and
   waited for here:

     while (real_trylock (m) == EBUSY)
       omen_sched_wait (m);                  … and unlock: omen_sched_wake (m)

   so that the scheduler chooses the next thread, and the run can be repeated:
   it depends on the seed alone, not on addresses or clocks. */
/* Called once, before the first omen_sched_thread_begin, with "random:7",
   "pct:7,3" or "rr"; sets omen_rt_scheduled. False: there is no such
   schedule. */
bool omen_sched_start (const char *schedule);
/* Called after each item, written or not: other threads may run here. */
void omen_sched_point (enum omen_item_kind kind, const volatile void *object);
/* Blocks until a wake of the object selects this thread. False: it returns
   without one (omen_sched_interrupt, or a wake may have been missed); the
   caller checks again. */
bool omen_sched_wait (const volatile void *object);
/* With a timeout. False: it expired, which happens when nothing else can run
   and the time has passed, or after very many points of the others. */
bool omen_sched_wait_for (const volatile void *object, uint64_t nanoseconds);
bool omen_sched_wait_timed (const volatile void *object); /* some time */
void omen_sched_sleep (uint64_t nanoseconds);
/* Lets one waiter or all of them go on; the scheduler chooses which. */
void omen_sched_wake (const volatile void *object, bool all);
/* Futexes: a wait with some bits (nanoseconds 0: no timeout) is ended by a wake
   that has one of them. Returns how many were woken; and how many were moved to
   another object. */
bool omen_sched_wait_bits (const volatile void *object, uint32_t bits,
                           uint64_t nanoseconds);
unsigned omen_sched_wake_bits (const volatile void *object, unsigned most,
                               uint32_t bits);
unsigned omen_sched_move (const volatile void *from, const volatile void *to,
                          unsigned most);
/* sched_yield, pause and the like: other threads first. False: they did nothing
   since this thread's last yield. */
bool omen_sched_yield (void);
/* Converts the machine's time to the program's; and a deadline of the program
   to the machine's time. */
void omen_sched_clock (clockid_t clock, struct timespec *time);
void omen_sched_deadline (struct timespec *at);
/* Lets the others go on until all of them have ended or wait without a timeout,
   or have passed so many thousands of points. */
bool omen_sched_grace (uint64_t milliseconds);
/* Before a read or write that may block: returns when poll says that it will
   not; other threads run meanwhile if they can change that. */
void omen_sched_wait_fd (int fd, short events);
/* Brackets for other calls that may block in the kernel. The thread keeps the
   token until it is seen asleep there: short calls keep the run repeatable. */
void omen_sched_leave (void);
void omen_sched_return (void);
/* As omen_sched_leave, but others run at once. */
void omen_sched_away (void);
/* The caller goes into code that the scheduler does not see, or comes out. It
   keeps the token until it seems to wait there, in a loop, for another. */
void omen_sched_inside (bool inside);
void omen_sched_thread_new (uint32_t id);  /* by the parent, before */
void omen_sched_thread_made (uint32_t id); /* and after; a point */
void omen_sched_thread_begin (
    uint32_t id); /* called by the new thread: waits for its turn */
void omen_sched_thread_end (
    uint32_t id); /* or called by the parent if no thread was made */
void omen_sched_join (uint32_t id); /* until thread_end of it */
/* pthread_cancel: the thread's wait returns. */
void omen_sched_interrupt (uint32_t id);
/* Was the calling thread cancelled, and is cancellation enabled? */
bool omen_sched_cancelled (void);
/* Does the plan end the next wait at a condition without a notify? */
bool omen_sched_spurious (void);
/* -- replay.c: a schedule that is a plan (replay.h) -- */
extern bool omen_rt_replay;
extern bool omen_rt_explore; /* the plan ends with explore (replay.h) */
extern bool omen_rt_keeps;   /* the plan says that freed blocks are kept */
/* An item was logged: count it. The thread stops here if its turn is over,
   unless the item is logged before the action that it stands for. */
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
  case OMEN_ITEM_DESCRIPTOR:
    return true;
  default:
    return false;
  }
}

/* At the end of a call whose item was logged first. */
static inline void
omen_replay_after (void)
{
  if (OMEN_UNLIKELY (omen_rt_replay))
    omen_sched_point (OMEN_ITEM_PART, NULL);
}

/* -- heap.c -- */
/* Asks a sanitizer with a heap of its own to report allocations and frees. */
void omen_heap_start (void);
/* range.c */
void omen_range_start (void);

/* Around fork; the child has one thread. */
void omen_sched_fork_begin (void);
void omen_sched_fork_end (bool child);

#endif
