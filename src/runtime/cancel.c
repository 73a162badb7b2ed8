/* pthread_cancel: under a schedule a thread that waits does so in the scheduler,
   where the real call does not reach it. */
#include "runtime/hook.h"
#include "runtime/thread.h"

OMEN_NEXT (int, pthread_cancel, (pthread_t));

OMEN_EXPORT int
pthread_cancel (pthread_t thread)
{
  if (!omen_rt_scheduled || !omen_listening ())
    return OMEN_REAL (pthread_cancel) (thread);
  omen_self *other = omen_self_of (thread);
  int result = OMEN_REAL (pthread_cancel) (thread);
  if (other && !result)
    omen_sched_interrupt (omen_self_id (other));
  return result;
}
