/* What is done once: pthread_once and call_once of C11; std::call_once comes
   here through pthread_once. The thread that runs the routine logs
   HAPPENS_BEFORE when it returns, all others log HAPPENS_AFTER. */
#include "runtime/hooks/hook.h"

#include <pthread.h>
#include <threads.h>

OMEN_NEXT (int, pthread_once, (pthread_once_t *, void (*) (void)));

typedef struct call {
  pthread_once_t *control;
  void (*routine) (void);
  uint64_t pc;
  bool ran;
} call;

/* The argument of run_once, which takes none. It is read before the routine is
   called, so nested calls and exceptions need not restore it. */
static OMEN_TLS call *current;

static void
run_once (void)
{
  call *c = current;
  c->ran = true;
  c->routine ();
  if (omen_enabled ())
    omen_log_now (OMEN_ITEM_HAPPENS_BEFORE, c->control, 0, c->pc);
}

/* glibc: bit 0 says that a call is in progress, bit 1 that it is done. */
static bool
in_progress (const pthread_once_t *control)
{
  return (__atomic_load_n (control, __ATOMIC_ACQUIRE) & 3) == 1;
}

static int
once (pthread_once_t *control, void (*routine) (void), uint64_t pc)
{
  if (!omen_enabled () || omen_unwinds (pc))
    return OMEN_REAL (pthread_once) (control, routine);
  if (omen_rt_scheduled) {
    omen_sched_point (OMEN_ITEM_HAPPENS_AFTER, control);
    while (in_progress (control)) /* its routine may also throw: look again */
      omen_sched_wait_timed (control);
  }
  call c = { control, routine, pc, false };
  current = &c;
  int result = OMEN_REAL (pthread_once) (control, run_once);
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
