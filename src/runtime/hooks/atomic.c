/* The order of atomic operations (abi.h): each shard of objects has a counter,
   which is odd while a writer is between its two calls. A writer's number is
   the even value that it leaves, a reader's the value that it found before and
   after its read.

   Waits are bounded. A thread that waits too long (the holder was killed by a
   signal, or left its critical section by longjmp) goes on without the counter
   and takes an even number of its own, which leaves the counter odd. A holder
   adds 1 when it is done (or subtracts 1 if it wrote nothing), whatever the
   value is by then: see let_go. So writers are numbered 2, 4, 6, …, and in
   order unless a thread gave up waiting.

   Signals are postponed while the thread holds a counter: its operation may
   have happened, and what a handler reads of it would be logged before it. The
   same goes for a reader from its last load of the counter on. */
#include "runtime/hooks/atomic.h"
#include "runtime/log/safepoint.h"
#include "runtime/log/item.h"

#include <sched.h>
#include <time.h>

OMEN_NEXT (int, nanosleep, (const struct timespec *, struct timespec *));

enum {
  NO_ORDER = 0, /* ticket of a writer that goes on without the counter */
  NOT_RECORDED
  = 2,            /* of one that is not recorded; tickets of holders are odd */
  NOT_READ = 1,   /* of a reader that is not recorded; others are even */
  SPINS = 1 << 5, /* rounds of busy waiting, of yielding, of sleeping */
  SPIN_BITS = 6,  /* the longest of the first: 2^6 pauses */
  YIELDS = 1 << 12,
  MOST_TURNS = 1 << 14,   /* some seconds in all */
  READ_ATTEMPTS = 1 << 10 /* the last one accepts the value that it read */
};

/* A counter alone in its cache line. */
typedef struct line {
  _Alignas (OMEN_CACHE_LINE) uint64_t value;
} line;

static line counters[OMEN_SHARDS];

/* The counter that this thread holds, or is about to take, and where on the
   stack it was taken. A call from deeper frames comes from the handler of a
   fault in our own code; any other call means that the thread was cancelled
   before the call that should have released it. */
static OMEN_TLS uint64_t *held;
static OMEN_TLS uintptr_t held_at;
static OMEN_TLS unsigned rejected; /* attempts of the read in progress */

OMEN_INLINE uint64_t *
counter_of (const volatile void *addr)
{
  return &counters[omen_shard ((uintptr_t)addr)].value;
}

/* Exponential backoff: each load takes the counter's cache line from its
   holder, which has to fetch it again to release it. */
static void
spin (unsigned turns)
{
  for (unsigned i = 1u << (turns < SPIN_BITS ? turns : SPIN_BITS); i; i--)
    __builtin_ia32_pause ();
}

/* Waits a little for the holder; false: the limit is reached. */
static bool
pause_for (unsigned *turns)
{
  static const struct timespec pause = { .tv_nsec = 100000 };
  int saved = errno;
  if (++*turns < SPINS)
    spin (*turns);
  else if (*turns < YIELDS)
    sched_yield ();
  else
    OMEN_REAL (nanosleep) (&pause, NULL);
  errno = saved;
  return *turns < MOST_TURNS;
}

static bool
may_hold (uintptr_t frame)
{
  if (OMEN_LIKELY (!held))
    return true;
  if (frame < held_at)
    return false;
  __atomic_fetch_sub (held, 1, __ATOMIC_RELEASE);
  held = NULL;
  return true;
}

/* Set before the counter is taken and cleared after it is released: a handler
   that ran in between without knowing would wait for its own thread. */
OMEN_INLINE void
set_held (uint64_t *counter)
{
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
  held = counter;
  __atomic_signal_fence (__ATOMIC_SEQ_CST);
}

OMEN_INLINE void
clear_held (void)
{
  set_held (NULL);
  if (OMEN_UNLIKELY (omen_rt_postponed) && !omen_rt_busy)
    omen_busy_over ();
}

/* NO_ORDER: it is taken. Acquire: the operation comes after those of earlier
   holders. */
OMEN_INLINE uint64_t
try_hold (uint64_t *counter, uintptr_t frame)
{
  uint64_t value = __atomic_load_n (counter, __ATOMIC_RELAXED);
  if (value & 1)
    return NO_ORDER;
  held_at = frame;
  set_held (counter);
  if (OMEN_LIKELY (__atomic_compare_exchange_n (counter, &value, value + 1,
                                                false, __ATOMIC_ACQUIRE,
                                                __ATOMIC_RELAXED)))
    return value + 1;
  clear_held ();
  return NO_ORDER;
}

static uint64_t
hold (uint64_t *counter, uintptr_t frame)
{
  unsigned turns = 0;
  uint64_t ticket;
  if (!may_hold (frame))
    return NO_ORDER;
  do
    ticket = try_hold (counter, frame);
  while (ticket == NO_ORDER && pause_for (&turns));
  return ticket;
}

bool
omen_atomic_holds (void)
{
  return held != NULL;
}

omen_atomic_hold
omen_atomic_leave (void)
{
  omen_atomic_hold left = { held, held_at };
  if (held) {
    __atomic_fetch_sub (held, 1, __ATOMIC_RELEASE);
    set_held (NULL);
  }
  return left;
}

void
omen_atomic_return (omen_atomic_hold left)
{
  if (left.counter)
    hold (left.counter, left.at);
}

/* The holder of a counter at the time of a fork does not exist in the child. */
void
omen_atomics_after_fork (void)
{
  for (size_t i = 0; i < OMEN_SHARDS; i++)
    if (counters[i].value) /* others keep their pages */
      counters[i].value = 0;
  held = NULL;
}

static __attribute__ ((noinline)) uint64_t
begin_atomic (const volatile void *addr, uintptr_t frame)
{
  if (!omen_enabled ())
    return NOT_RECORDED;
  if (omen_rt_scheduled)
    omen_sched_point (OMEN_ITEM_ATOMIC, addr);
  if (!held)
    omen_safepoint_soon ();
  return hold (counter_of (addr), frame);
}

uint64_t
__omen_atomic_begin (const volatile void *addr)
{
  uintptr_t frame = (uintptr_t)__builtin_frame_address (0);
  if (OMEN_LIKELY (omen_fast_path () && !held)) {
    omen_item_ahead ();
    uint64_t ticket = try_hold (counter_of (addr), frame);
    if (OMEN_LIKELY (ticket != NO_ORDER))
      return ticket;
  }
  return begin_atomic (addr, frame);
}

/* -- Writers ------------------------------------------------------------- */

#define FAILED (UINT64_C (1) << 63) /* of ATOMIC's arg */

static void
note_access (const omen_atomic_access *d, uint64_t number)
{
  uint64_t flags = d->failed ? FAILED : 0;
  uint64_t values[] = { d->old, d->value, d->old_high, d->high };
  omen_log_with (OMEN_ITEM_ATOMIC, d->addr, number,
                 omen_site_id (d->site) | flags, d->pc, values,
                 d->site->size == 16 ? 32 : 16);
}

/* The words before the number, on the fast path: woven code, up to 8 bytes.
   `arg`: its site, which has an id, and flags. */
OMEN_INLINE void
put_short (uint64_t *at, const omen_atomic_block *blocks,
           const volatile void *addr, uint64_t id, uint64_t arg, uint64_t old)
{
  at[0] = (uintptr_t)&blocks[id % OMEN_ATOMIC_BLOCKS];
  at[1] = (uintptr_t)addr;
  at[2] = arg;
  at[3] = old;
}

/* Releases the counter from `value`, which the holder found, by `step`. No
   other thread changes it, unless one has given up meanwhile: a store
   suffices, and it need not be a full barrier, as try_hold was one. (Of two
   threads that write and then read what the other wrote, one comes second to
   try_hold; when it reads it finds the other's counter odd, or the number that
   it left.) Release order: the operation and its record come before. */
OMEN_INLINE void
let_go (uint64_t *counter, uint64_t value, uint64_t step)
{
  if (OMEN_LIKELY (__atomic_load_n (counter, __ATOMIC_RELAXED) == value))
    __atomic_store_n (counter, value + step, __ATOMIC_RELEASE);
  else
    __atomic_fetch_add (counter, step, __ATOMIC_RELEASE);
  clear_held ();
}

/* The record is written before the counter is released: a thread that sees the
   new value may end the program, and the record must be there by then. An
   operation that wrote nothing leaves the number as it was. */
static void
close_held (const omen_atomic_access *d, uint64_t *counter, bool writes)
{
  uint64_t value = __atomic_load_n (counter, __ATOMIC_RELAXED);
  uint64_t step = writes ? 1 : -UINT64_C (1);
  note_access (d, value + step);
  let_go (counter, value, step);
  omen_replay_after ();
}

void
omen_atomic_once (const omen_atomic_access *d)
{
  uint64_t *counter = counter_of (d->addr);
  note_access (d, (__atomic_fetch_add (counter, 2, __ATOMIC_ACQ_REL) + 2)
                      & ~UINT64_C (1));
}

void
omen_atomic_close (const omen_atomic_access *d, uint64_t ticket)
{
  uint64_t *counter = counter_of (d->addr);
  bool writes = d->site->kind != OMEN_SITE_ATOMIC_LOAD && !d->failed;
  if (ticket == NOT_RECORDED)
    return;
  if (ticket != NO_ORDER && held == counter)
    close_held (d, counter, writes);
  else if (writes)
    omen_atomic_once (d);
  else
    note_access (d,
                 __atomic_load_n (counter, __ATOMIC_ACQUIRE) & ~UINT64_C (1));
}

/* The fast path of omen_atomic_close. */
OMEN_INLINE bool
close_short (const volatile void *addr, uint64_t old, uint64_t value,
             omen_site *site, uint64_t ticket, bool failed)
{
  uint64_t *counter = counter_of (addr);
  uint64_t id = __atomic_load_n (&site->id, __ATOMIC_ACQUIRE);
  if (OMEN_UNLIKELY (!omen_fast_path () || held != counter || !(ticket & 1)
                     || !id))
    return false;
  uint64_t found = __atomic_load_n (counter, __ATOMIC_RELAXED);
  uint64_t step = failed ? -UINT64_C (1) : 1;
  uint64_t *at = omen_item_begin ();
  put_short (at, omen_atomic_code, addr, id, id | (failed ? FAILED : 0), old);
  at[4] = found + step;
  at[5] = value;
  omen_item_end (at + 6);
  let_go (counter, found, step);
  return true;
}

static __attribute__ ((noinline)) void
close_long (const volatile void *addr, uint64_t old, uint64_t value,
            omen_site *site, uint64_t ticket, bool failed)
{
  omen_atomic_close (&(omen_atomic_access){ .addr = addr,
                                            .site = site,
                                            .old = old,
                                            .value = value,
                                            .failed = failed },
                     ticket);
}

void
__omen_atomic_store (const volatile void *addr, uint64_t value, omen_site *site,
                     uint64_t ticket)
{
  if (OMEN_UNLIKELY (!close_short (addr, 0, value, site, ticket, false)))
    close_long (addr, 0, value, site, ticket, false);
}

void
__omen_atomic_rmw (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t ticket)
{
  if (OMEN_UNLIKELY (!close_short (addr, old, value, site, ticket, false)))
    close_long (addr, old, value, site, ticket, false);
}

void
__omen_atomic_cas (const volatile void *addr, uint64_t old, uint64_t value,
                   omen_site *site, uint64_t ticket, uint32_t success)
{
  if (OMEN_UNLIKELY (!close_short (addr, old, value, site, ticket, !success)))
    close_long (addr, old, value, site, ticket, !success);
}

void
__omen_atomic_wide (const volatile void *addr, omen_site *site, uint64_t ticket,
                    uint64_t old_low, uint64_t old_high, uint64_t low,
                    uint64_t high, uint32_t success)
{
  omen_atomic_close (&(omen_atomic_access){ .addr = addr,
                                            .site = site,
                                            .old = old_low,
                                            .old_high = old_high,
                                            .value = low,
                                            .high = high,
                                            .failed = !success },
                     ticket);
}

/* -- Readers ------------------------------------------------------------- */

static __attribute__ ((noinline)) uint64_t
peek (const volatile void *addr, uintptr_t frame)
{
  uint64_t *counter = counter_of (addr), value;
  unsigned turns = 0;
  if (!omen_enabled ())
    return NOT_READ;
  if (omen_rt_scheduled && !rejected)
    omen_sched_point (OMEN_ITEM_ATOMIC, addr);
  if (!held)
    omen_safepoint_soon ();
  may_hold (frame);
  while ((value = __atomic_load_n (counter, __ATOMIC_ACQUIRE)) & 1
         && held != counter && pause_for (&turns))
    ;
  return value & ~UINT64_C (1);
}

/* Acquire: what is read afterwards is not older than the number. */
uint64_t
__omen_atomic_peek (const volatile void *addr)
{
  if (OMEN_LIKELY (omen_fast_path () && !held)) {
    uint64_t value = __atomic_load_n (counter_of (addr), __ATOMIC_ACQUIRE);
    if (OMEN_LIKELY (!(value & 1)))
      return value;
  }
  return peek (addr, (uintptr_t)__builtin_frame_address (0));
}

/* Accepts the value if no writer came in between. If a writer keeps the counter
   (or this thread does, and this is the handler of a fault) the reader accepts
   the value it has. */
bool
omen_atomic_read (const omen_atomic_access *d, uint64_t ticket)
{
  uint64_t *counter = counter_of (d->addr);
  if (ticket == NOT_READ)
    return true;
  __atomic_thread_fence (__ATOMIC_ACQUIRE);
  omen_busy_begin ();
  uint64_t now = __atomic_load_n (counter, __ATOMIC_RELAXED);
  bool accepted
      = now == ticket || held == counter || ++rejected >= READ_ATTEMPTS;
  if (accepted) {
    rejected = 0;
    note_access (d, ticket);
  }
  omen_busy_end ();
  if (accepted)
    omen_replay_after ();
  return accepted;
}

/* The fast path; false: it does not apply, or the value is not accepted. */
OMEN_INLINE bool
read_short (const volatile void *addr, uint64_t value, omen_site *site,
            uint64_t ticket)
{
  uint64_t id = __atomic_load_n (&site->id, __ATOMIC_ACQUIRE);
  if (OMEN_UNLIKELY (!omen_fast_path () || rejected || ticket == NOT_READ
                     || !id))
    return false;
  uint64_t *at = omen_item_begin ();
  bool accepted
      = __atomic_load_n (counter_of (addr), __ATOMIC_RELAXED) == ticket;
  if (OMEN_LIKELY (accepted)) {
    put_short (at, omen_look_code, addr, id, id, value);
    at[4] = ticket;
    at += 5;
  }
  omen_item_end (at);
  return accepted;
}

uint32_t
__omen_atomic_load (const volatile void *addr, uint64_t value, omen_site *site,
                    uint64_t ticket)
{
  __atomic_thread_fence (__ATOMIC_ACQUIRE); /* it was read before we look */
  if (OMEN_LIKELY (read_short (addr, value, site, ticket)))
    return true;
  return omen_atomic_read (
      &(omen_atomic_access){ .addr = addr, .site = site, .old = value },
      ticket);
}
