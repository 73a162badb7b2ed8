/* pthread_create, pthread_join and their kin, and C11's. */
#include "runtime/hooks/cancel.h"
#include "runtime/hooks/range.h"
#include "runtime/sched/replay_signal.h"
#include "runtime/core/stuck.h"
#include "runtime/core/thread.h"
#include "wire/abi.h"

#include <errno.h>
#include <threads.h>
#include <time.h>

#pragma GCC visibility push(default)

/* -- making -----------------------------------------------------------------

   A handler must not run in a thread before its state is there: it would be
   taken for the first thing that an unknown thread does. So the child comes
   with all signals blocked. */

static uint64_t
set_mask (uint64_t mask)
{
  uint64_t old = 0;
  omen_call (SYS_rt_sigprocmask, SIG_SETMASK, (long)&mask, (long)&old,
             sizeof mask, 0, 0);
  return old;
}

static void
begin_thread (omen_self *self, const void *top, const void *start)
{
  uint64_t mask = self->mask;
  self->top = (uintptr_t)top;
  omen_library_thread (start);
  omen_self_begin (self);
  omen_replay_handles (false);
  set_mask (mask);
}

static void *
run_thread (void *at)
{
  omen_self *self = at;
  void *(*start) (void *) = self->start;
  void *argument = self->argument;
  begin_thread (self, __builtin_frame_address (0), start);
  return start (argument);
}

static int
run11 (void *at)
{
  omen_self *self = at;
  int (*start) (void *) = self->start11;
  void *argument = self->argument;
  begin_thread (self, __builtin_frame_address (0), start);
  return start (argument);
}

/* The child's state, with the fork in the parent's log. */
static omen_self *
announce (void *argument, uint64_t pc)
{
  omen_self *child = omen_self_new (omen_self_get ());
  if (!child)
    return NULL;
  child->argument = argument;
  omen_log (OMEN_ITEM_FORK, OMEN_THREAD_OBJECT (child->id), 0, 0, pc);
  omen_log_flush_mine (); /* what the child does counts only after this */
  if (omen_rt_scheduled)
    omen_sched_thread_new (child->id);
  return child;
}

/* AddressSanitizer holds a lock of its own when it calls this hook, and the
   child takes that lock first. So the parent must not be stopped here, but only
   after the lock was released (__omen_after). */
extern void __asan_init (void) __attribute__ ((weak));

static uint64_t
before_create (omen_self *child)
{
  omen_quiet_begin ();
  return child->mask = set_mask (~UINT64_C (0));
}

static void
after_create (omen_self *child, uint32_t id, uint64_t mask,
              const pthread_t *thread, uint64_t pc)
{
  bool stops = !__asan_init;
  pthread_t handle = omen_self_name (child, id, thread);
  set_mask (mask);
  omen_quiet_end ();
  if (stops)
    omen_replay_after (); /* handlers that were put off come here */
  if (handle && stops)    /* else it is a variable of the sanitizer */
    omen_log_range (OMEN_ITEM_RANGE_WRITE, thread, &handle, sizeof handle, pc,
                    NULL);
  if (omen_rt_scheduled)
    omen_sched_thread_made (id);
  if (omen_rt_scheduled && stops)
    omen_sched_point (OMEN_ITEM_FORK, NULL);
}

void
__omen_after (const volatile void *none)
{
  (void)none;
  omen_replay_after ();
}

static void
withdraw (omen_self *child, uint64_t mask)
{
  if (omen_rt_scheduled)
    omen_sched_thread_end (child->id);
  omen_self_drop (child);
  set_mask (mask);
  omen_quiet_end ();
}

int
pthread_create (pthread_t *thread, const pthread_attr_t *attributes,
                void *(*start) (void *), void *argument)
{
  static int (*real) (pthread_t *, const pthread_attr_t *, void *(*)(void *),
                      void *);
  bool away = omen_away_pause ();
  omen_self *child = omen_enabled () ? announce (argument, OMEN_PC) : NULL;
  int detached = PTHREAD_CREATE_JOINABLE, result;
  if (!child) {
    omen_away_resume (away);
    return omen_real (&real, "pthread_create") (thread, attributes, start,
                                                argument);
  }
  if (attributes)
    pthread_attr_getdetachstate (attributes, &detached);
  child->start = start;
  child->detached = detached == PTHREAD_CREATE_DETACHED;
  uint32_t id = child->id; /* it may be gone soon */
  uint64_t mask = before_create (child);
  result = omen_real (&real, "pthread_create") (thread, attributes, run_thread,
                                                child);
  if (result)
    withdraw (child, mask);
  else
    after_create (child, id, mask, thread, OMEN_PC);
  omen_away_resume (away);
  return result;
}

int
thrd_create (thrd_t *thread, thrd_start_t start, void *argument)
{
  static int (*real) (thrd_t *, thrd_start_t, void *);
  omen_self *child = omen_enabled () ? announce (argument, OMEN_PC) : NULL;
  int result;
  if (!child)
    return omen_real (&real, "thrd_create") (thread, start, argument);
  child->start11 = start;
  uint32_t id = child->id; /* it may be gone soon */
  uint64_t mask = before_create (child);
  result = omen_real (&real, "thrd_create") (thread, run11, child);
  if (result != thrd_success)
    withdraw (child, mask);
  else
    after_create (child, id, mask, thread, OMEN_PC);
  return result;
}

/* -- joining ------------------------------------------------------------- */

/* libc refuses to join a thread that itself waits to join the caller, but does
   not see joins that wait in the scheduler. */
static bool
join_refuses (const omen_self *other, bool waits)
{
  return waits && omen_rt_scheduled && other && other != omen_rt_self
         && other->waits_for == OMEN_STUCK_JOIN
         && other->waits_object == omen_rt_self->id;
}

/* Under a scheduler threads are waited for there; what is left to wait for in
   the kernel is short. */
static omen_self *
before_join (pthread_t thread, bool waits, uint64_t pc)
{
  omen_self *other = omen_self_claim (thread, false);
  if (waits)
    omen_log_flush_mine ();
  if (waits && other != omen_rt_self && !join_refuses (other, waits))
    omen_stuck_begin (OMEN_STUCK_JOIN,
                      OMEN_THREAD_OBJECT (other ? other->id : OMEN_NONE), pc);
  if (!omen_rt_scheduled)
    return other;
  if (waits && other && other != omen_rt_self && !join_refuses (other, waits))
    omen_sched_join (other->id);
  omen_sched_leave ();
  return other;
}

static void
after_join (omen_self *other, pthread_t thread, bool joined, uint64_t pc)
{
  omen_stuck_end ();
  if (omen_rt_scheduled)
    omen_sched_return ();
  if (!other && joined)
    other = omen_self_claim (thread, true);
  if (!other)
    return;
  if (joined)
    omen_log (OMEN_ITEM_JOIN, OMEN_THREAD_OBJECT (other->id), 0, 0, pc);
  omen_self_unclaim (other, joined);
}

/* Cancelled while it waited. */
static void
give_up (void *other)
{
  omen_cancelled (NULL);
  if (other)
    omen_self_unclaim (other, false);
}

/* int NAME (thread, value, …), which joins `thread` with `success`. `deadlock`
   is what it says if that thread joins the caller. */
#define JOIN(name, parameters, arguments, waits, success, deadlock)            \
  int name parameters                                                          \
  {                                                                            \
    static int (*real) parameters;                                             \
    omen_real (&real, #name);                                                  \
    if (!omen_enabled ())                                                      \
      return real arguments;                                                   \
    omen_self *other = before_join (thread, waits, OMEN_PC);                   \
    int result;                                                                \
    pthread_cleanup_push (give_up, other);                                     \
    result = join_refuses (other, waits) ? deadlock : real arguments;          \
    pthread_cleanup_pop (0);                                                   \
    after_join (other, thread, result == success, OMEN_PC);                    \
    if (result == success && value)                                            \
      omen_wrote (value, sizeof *value, OMEN_PC);                              \
    return result;                                                             \
  }

JOIN (pthread_join, (pthread_t thread, void **value), (thread, value), true, 0,
      EDEADLK)
JOIN (thrd_join, (thrd_t thread, int *value), (thread, value), true,
      thrd_success, thrd_error)
JOIN (pthread_tryjoin_np, (pthread_t thread, void **value), (thread, value),
      false, 0, EDEADLK)
JOIN (pthread_timedjoin_np,
      (pthread_t thread, void **value, const struct timespec *until),
      (thread, value, until), false, 0, EDEADLK)
JOIN (pthread_clockjoin_np,
      (pthread_t thread, void **value, clockid_t clock,
       const struct timespec *until),
      (thread, value, clock, until), false, 0, EDEADLK)

#define DETACH(name, type, success)                                            \
  int name (type thread)                                                       \
  {                                                                            \
    static int (*real) (type);                                                 \
    omen_self *other                                                           \
        = omen_enabled () ? omen_self_claim (thread, false) : NULL;            \
    int result = omen_real (&real, #name) (thread);                            \
    if (other)                                                                 \
      omen_self_unclaim (other, result == success);                            \
    return result;                                                             \
  }

DETACH (pthread_detach, pthread_t, 0)
DETACH (thrd_detach, thrd_t, thrd_success)

#pragma GCC visibility pop
