/* What is done once: pthread_once, call_once of C11 (std::call_once comes here
   through pthread_once), and the guards of C++'s static locals.

   Who runs the routine notes HAPPENS_BEFORE when it is through, all others
   HAPPENS_AFTER. A guard's first byte is read by the compiled program itself,
   as an atomic; so what the C++ runtime does to it is noted as atomics, too. */
#include "runtime/hook.h"

#include <pthread.h>
#include <threads.h>

OMEN_NEXT (int, pthread_once, (pthread_once_t *, void (*) (void)));
OMEN_NEXT (int, __cxa_guard_acquire, (uint64_t *));
OMEN_NEXT (void, __cxa_guard_release, (uint64_t *));
OMEN_NEXT (void, __cxa_guard_abort, (uint64_t *));

/* -- pthread_once ---------------------------------------------------------- */

typedef struct call {
  pthread_once_t *control;
  void (*routine) (void);
  uint64_t pc;
  bool ran;
} call;

/* For `run`, which is called without an argument; it looks at once, so calls
   within calls, and exceptions, need no care. */
static OMEN_TLS call *current;

static void
run (void)
{
  call *c = current;
  c->ran = true;
  c->routine ();
  if (omen_listening ())
    omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, c->control, 0, c->pc);
}

/* glibc: bit 0 says that somebody is at it, bit 1 that it is done. */
static bool
in_progress (const pthread_once_t *control)
{
  return (__atomic_load_n (control, __ATOMIC_ACQUIRE) & 3) == 1;
}

static int
once (pthread_once_t *control, void (*routine) (void), uint64_t pc)
{
  if (!omen_listening ())
    return OMEN_REAL (pthread_once) (control, routine);
  if (omen_rt_scheduled) {
    omen_sched_point (OMEN_ITEM_HAPPENS_AFTER, control);
    while (in_progress (control)) /* its routine may also throw: look again */
      omen_sched_wait_timed (control);
  }
  call c = { control, routine, pc, false };
  current = &c;
  int result = OMEN_REAL (pthread_once) (control, run);
  if (!c.ran)
    omen_log_now (OMEN_ITEM_HAPPENS_AFTER, control, 0, pc);
  else if (omen_rt_scheduled)
    omen_sched_wake (control, true);
  return result;
}

OMEN_EXPORT int
pthread_once (pthread_once_t *control, void (*routine) (void))
{
  return once (control, routine, OMEN_PC);
}

OMEN_EXPORT void
call_once (once_flag *flag, void (*routine) (void))
{
  once ((pthread_once_t *)flag, routine, OMEN_PC);
}

/* -- guards ---------------------------------------------------------------- */

static omen_site looked = { .kind = OMEN_SITE_ATOMIC_LOAD,
                            .size = 1,
                            .order = OMEN_SITE_ACQUIRE };
static omen_site stored = { .kind = OMEN_SITE_ATOMIC_STORE,
                            .size = 1,
                            .order = OMEN_SITE_RELEASE };

/* The second byte says that somebody is at it. */
static bool
guard_in_progress (const uint64_t *guard)
{
  const char *bytes = (const char *)guard;
  return !__atomic_load_n (bytes, __ATOMIC_ACQUIRE)
         && __atomic_load_n (bytes + 1, __ATOMIC_RELAXED);
}

OMEN_EXPORT int __cxa_guard_acquire (uint64_t *guard);
OMEN_EXPORT void __cxa_guard_release (uint64_t *guard);
OMEN_EXPORT void __cxa_guard_abort (uint64_t *guard);

int
__cxa_guard_acquire (uint64_t *guard)
{
  if (omen_listening () && omen_rt_scheduled)
    while (guard_in_progress (guard))
      omen_sched_wait (guard);
  int result = OMEN_REAL (__cxa_guard_acquire) (guard);
  if (!result && omen_listening ()) {
    uint64_t ticket;
    do
      ticket = __omen_atomic_peek (guard);
    while (!__omen_atomic_load (guard, 1, &looked, ticket));
  }
  return result;
}

void
__cxa_guard_release (uint64_t *guard)
{
  if (!omen_listening ()) {
    OMEN_REAL (__cxa_guard_release) (guard);
    return;
  }
  uint64_t ticket = __omen_atomic_begin (guard);
  OMEN_REAL (__cxa_guard_release) (guard);
  __omen_atomic_store (guard, 1, &stored, ticket);
  if (omen_rt_scheduled)
    omen_sched_wake (guard, true);
}

void
__cxa_guard_abort (uint64_t *guard)
{
  OMEN_REAL (__cxa_guard_abort) (guard);
  if (omen_listening () && omen_rt_scheduled)
    omen_sched_wake (guard, true);
}
