/* --end-stuck: ends a program whose threads all wait for each other, so that
   the recording of a deadlock is complete and the user need not wait.

     omen_stuck_begin (OMEN_STUCK_LOCK, lock, pc);
     … a call that returns only when another thread does something …
     omen_stuck_end ();

   Called by each thread that waits without a timeout for something within the
   process. The program is stuck if every thread is in such a wait and asleep in
   the kernel, at several checks in a row with no new wait in between. Waits for
   external events (input, a signal, a time, memory shared with another process)
   are not marked. A thread that waits for a semaphore or condition may be
   waiting for a signal handler: if the program has one, only locks and joins
   count.

   If threads run freely, a thread of the runtime, created at the first wait,
   checks periodically; under a schedule the scheduler asks when no thread can
   run. */
#ifndef OMEN_RUNTIME_CORE_STUCK_H
#define OMEN_RUNTIME_CORE_STUCK_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/recording.h"

/* What a thread waits for, as recorded (omen_stuck_why of wire/recording.h). A
   signal handler may end a wait for a condition, semaphore, barrier or
   futex. */
typedef struct omen_waits {
  uint32_t why; /* 0: it does not wait */
  uint64_t object, pc;
} omen_waits;

/* Returns the previous state, which a signal handler restores. */
omen_waits omen_stuck_begin (enum omen_stuck_why why,
                             const volatile void *object, uint64_t pc);
void omen_stuck_again (const omen_waits *before);
void omen_stuck_end (void);

/* At the end of a replay: if all threads wait, records what for. */
void omen_stuck_record (void);
/* For omen explore. At its end, records what each blocked thread waits for. */
void omen_stuck_pending (void);
/* Ends the process when all threads wait … */
void omen_stuck_over (void);
/* … or when they wait for timeouts again and again. */
void omen_stuck_endless (void);
/* Called by the scheduler when no thread can run: ends the program if it is
   stuck. */
void omen_stuck_look (void);
void omen_stuck_after_fork (void);
/* From now on something other than the process's threads may wake them;
   recorded once. */
void omen_stuck_helped (void);

#endif
