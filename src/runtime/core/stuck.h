/* --end-stuck: a program whose threads all wait for each other is ended, so
   that the recording of a deadlock is complete and nobody waits for ever.

     omen_stuck_begin (OMEN_STUCK_LOCK, lock, pc);
     … a call that returns only when another thread does something …
     omen_stuck_end ();

   Told by each thread that waits without a limit for something within the
   process. The program is stuck if every thread of the process is in such a
   wait and asleep in the kernel, again and again without anything in between.
   Who waits for the outside (input, a signal, a time, memory shared with
   another process) is in no such wait. But somebody who waits for a semaphore
   or condition may be waiting for a handler of a signal: if the program has
   one, only locks and joins count.

   Free running a thread of ours looks, made when somebody waits for the first
   time; under a schedule the scheduler asks when nothing can run. */
#ifndef OMEN_RUNTIME_CORE_STUCK_H
#define OMEN_RUNTIME_CORE_STUCK_H

#include <stdbool.h>
#include <stdint.h>

#include "wire/recording.h"

/* For what, as the recording has it (omen_stuck_why of wire/recording.h). A
   condition, semaphore or barrier: a handler of a signal may help. */
typedef struct omen_waits {
  uint32_t why; /* 0: it does not wait */
  uint64_t object, pc;
} omen_waits;

/* Returns what was there before, which a handler of a signal puts back. */
omen_waits omen_stuck_begin (enum omen_stuck_why why,
                             const volatile void *object, uint64_t pc);
void omen_stuck_again (const omen_waits *before);
void omen_stuck_end (void);

/* A replay is over: the recording tells if all threads wait. */
void omen_stuck_tell (void);
/* omen explore: the process ends in another way, and the recording tells who
   waits; it ends here, as all threads wait. */
void omen_stuck_pending (void);
void omen_stuck_over (void);
/* No thread can go on, says the scheduler: ends the program if it is so. */
void omen_stuck_look (void);
void omen_stuck_after_fork (void);
/* From now on somebody else than the threads of the process may do something
   for them; notes it in the recording, once. */
void omen_stuck_helped (void);

#endif
