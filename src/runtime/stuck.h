/* --end-stuck: a program whose threads all wait for each other is ended, so that
   the recording of a deadlock is complete and nobody waits for ever.

     omen_stuck_begin (OMEN_WAITS_LOCK);
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
#ifndef OMEN_RUNTIME_STUCK_H
#define OMEN_RUNTIME_STUCK_H

#include <stdbool.h>
#include <stdint.h>

typedef enum omen_waits {
  OMEN_WAITS_NOT,
  OMEN_WAITS_LOCK, /* or for the end of a thread */
  OMEN_WAITS_SIGN  /* a condition, semaphore or barrier: a handler may help */
} omen_waits;

/* What they do counts only with --end-stuck. Returns what was there before,
   which a handler of a signal puts back. */
omen_waits omen_stuck_begin (omen_waits how);
void omen_stuck_end (void);

/* No thread can go on, says the scheduler: ends the program if it is so. */
void omen_stuck_look (void);
void omen_stuck_after_fork (void);

#endif
