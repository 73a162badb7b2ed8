/* Signals under a plan (replay.h): a handler begins when its thread has done as
   many items as it had then, whenever the signal really comes.

     signal 0.2 17 10     thread 0.2 takes signal 10 after 17 items

   When that moment comes the thread is sent the signal by us. Those that the
   program sends, or that come from outside, are swallowed if the plan has such
   a signal; what is left of them is sent again when the plan is over. */
#ifndef OMEN_RUNTIME_SCHED_REPLAY_SIGNAL_H
#define OMEN_RUNTIME_SCHED_REPLAY_SIGNAL_H

#include "runtime/sched/sched_task.h"

/* Guard held, or the task's own: has it come to a moment of the plan? */
bool omen_replay_interrupts (omen_task *task);
/* Guard held: send it. The task comes back by itself, in the handler. */
void omen_replay_interrupt (omen_task *task);
/* A signal came to the calling thread: is it to be handled now? */
bool omen_replay_takes (int number);
/* Around the handler; also said when a thread begins to take signals. */
void omen_replay_handles (bool begins);
/* The plan is over. */
void omen_replay_resend (void);

#endif
