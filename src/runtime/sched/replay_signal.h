/* Signals under a plan (replay.h): a handler begins when its thread has done as
   many items as in the recorded run, whenever the signal really arrives.

     signal 0.2 17 10     thread 0.2 takes signal 10 after 17 items

   At that point the runtime sends the signal to the thread. Signals that the
   program sends, or that come from outside, are swallowed if the plan has such
   a signal; those that are left are sent again when the plan is over. */
#ifndef OMEN_RUNTIME_SCHED_REPLAY_SIGNAL_H
#define OMEN_RUNTIME_SCHED_REPLAY_SIGNAL_H

#include "runtime/sched/sched_task.h"

/* The guard is held, or the task is the caller's: has it come to a signal of
   the plan? */
bool omen_replay_interrupts (omen_task *task);
/* The guard is held: send it. The task takes the token back in the handler. */
void omen_replay_interrupt (omen_task *task);
/* The calling thread received a signal: is it to be handled now? */
bool omen_replay_takes (int number);
/* Called around a handler, and when a thread begins to take signals. */
void omen_replay_handles (bool begins);
/* The plan is over. */
void omen_replay_resend (void);

#endif
