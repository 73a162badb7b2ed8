#include "runtime/hooks/cancel.h"
#include "runtime/hooks/channel.h"
#include "runtime/core/core.h"
#include "runtime/hooks/hook.h"
#include "runtime/core/stuck.h"
#include "runtime/core/thread.h"

#include <dlfcn.h>

OMEN_NEXT (void, pthread_testcancel, (void));
OMEN_NEXT (int, pthread_cancel, (pthread_t));

void
omen_cancelled (void *unused)
{
  omen_self *self = omen_rt_self;
  omen_stuck_end ();
  if (!omen_enabled () || !self || self->cancelled)
    return;
  self->cancelled = true;
  omen_order_after (OMEN_ORDER_CANCEL, self->id, 0);
}

void
omen_cancel_test (void)
{
  pthread_cleanup_push (omen_cancelled, NULL);
  OMEN_REAL (pthread_testcancel) ();
  pthread_cleanup_pop (0);
}

OMEN_EXPORT void
pthread_testcancel (void)
{
  if (omen_enabled ())
    omen_cancel_test ();
  else
    OMEN_REAL (pthread_testcancel) ();
}

/* libc would load it at the first cancellation; it has to be known before. */
static void
load_unwinder (void)
{
  omen_quiet_begin ();
  if (!omen_unwinder.size && dlopen ("libgcc_s.so.1", RTLD_NOW))
    omen_modules_find ();
  omen_quiet_end ();
}

/* Under a schedule the thread may wait in the scheduler, which is no
   cancellation point. */
OMEN_EXPORT int
pthread_cancel (pthread_t thread)
{
  uint32_t other = omen_enabled () ? omen_self_id_of (thread) : OMEN_NONE;
  if (other == OMEN_NONE)
    return OMEN_REAL (pthread_cancel) (thread);
  load_unwinder ();
  omen_order_before (OMEN_ORDER_CANCEL, other, OMEN_PC);
  int result = OMEN_REAL (pthread_cancel) (thread);
  if (omen_rt_scheduled && !result)
    omen_sched_interrupt (other);
  omen_replay_after ();
  return result;
}
