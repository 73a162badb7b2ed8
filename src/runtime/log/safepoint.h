/* Safepoints of a ring (recording.h, OMEN_MARK_SAFEPOINT): all threads of a
   woven program that runs freely stand still for an instant, so that every
   access that is logged has happened and no other has.

     T0   … record record |   at a point     a thread that comes to a point
     T1   … read ()       |   asleep         while a stop is requested stands
     T2   … record record |   leads          there; the first one leads

   At a point all that a thread has done is logged: after a record of woven code
   that found its buffer full, before a lock is taken or an atomic begins. A
   thread that sleeps in the kernel, outside of the runtime and of signal
   handlers, has logged everything, too, and need not be stopped: if it has
   logged nothing and still sleeps when all logs have been written, it stood
   still in between. One thread may run on, if it is seen to log something.

   If the others do not come to a point within a few milliseconds (code that is
   not woven), all go on, and it is tried again, later and later. No thread
   waits without a limit, and none holds anything of the runtime's while it
   stands. */
#ifndef OMEN_RUNTIME_LOG_SAFEPOINT_H
#define OMEN_RUNTIME_LOG_SAFEPOINT_H

#include "runtime/core/core.h"

extern uint32_t omen_safepoint_wanted; /* atomic */
/* This thread has filled a buffer since the last point; its items take the slow
   path (OMEN_DISABLED_ODD), which passes a point. */
extern OMEN_TLS bool omen_safepoint_due;

/* Called with --ring from time to time; `due`: a mark is due since the last
   call. */
void omen_safepoint_ask (bool due);
void omen_safepoint (void);
void omen_safepoint_after_fork (void);

/* A point where the check costs almost nothing. */
static inline void
omen_safepoint_point (void)
{
  if (OMEN_UNLIKELY (__atomic_load_n (&omen_safepoint_wanted, __ATOMIC_RELAXED)
                     || omen_safepoint_due))
    omen_safepoint ();
}

/* A point on the slow path. */
static inline void
omen_safepoint_soon (void)
{
  if (OMEN_UNLIKELY (omen_safepoint_due))
    omen_safepoint ();
}

/* The buffer of this thread was full in the middle of a record. */
static inline void
omen_safepoint_remember (void)
{
  if (OMEN_LIKELY (!__atomic_load_n (&omen_safepoint_wanted, __ATOMIC_RELAXED)))
    return;
  omen_safepoint_due = true;
  omen_rt_disabled |= OMEN_DISABLED_ODD;
}

#endif
