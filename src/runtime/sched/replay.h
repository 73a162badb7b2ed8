/* Replay: a schedule that gives, slice by slice, how far each thread runs.

     omen-plan 1
     process 5e3a… 2   for the second process with this hash
     spin-limit 1500     a thread may compute for 1500 ms without an item
     keep              freed blocks are not allocated again
     signal 0.2 9 10   thread 0.2 takes signal 10 after 9 items
     expire 0.2 7      its wait after 7 items ends without a notify
     run 0 14          thread 0 runs until it has done 14 items in all
     run 0.2 5         then the second thread that it created, until 5
     finish 0.3        then thread 0.3, until it has ended (to be joined)
     block 0.1         then thread 0.1, until it waits for a lock
     end exit          at the end: exit, free, serial, stop or explore

   `end explore` is for omen explore, which runs the program many times: the
   threads continue one at a time until none can, timed waits expire at once, a
   stuck run ends at once, and abort waits for the other threads as exit does.

   Threads are named by how they were created (0.2.1), and items are counted
   by omen_item_counts (wire/recording.h). So neither addresses nor times nor
   the order in which threads are created matter.

   Without the line `process` the plan is for every process that reads it;
   `process *` counts all processes, whatever their hash (process.h). Each takes
   a ticket, the first of the files PLAN.1, PLAN.2, … that does not exist yet.
   Processes that the plan is not for run as if they were not recorded; their
   children may be the one.

   A plan is one more scheduling policy (sched_choose.c): the run records its
   trace like any other, and omen replay judges that trace. The plan is
   abandoned, and all threads run freely, if its next thread cannot continue: it
   waits, has ended, was never created, does nothing for 10 seconds, or has
   computed for longer than `spin-limit` (it may spin on a lock of code that is
   not woven). A timed wait expires when its thread has its turn; a joined
   thread ends by itself, as what it does after its last event is in no plan. */
#ifndef OMEN_RUNTIME_SCHED_REPLAY_H
#define OMEN_RUNTIME_SCHED_REPLAY_H

#include "runtime/sched/sched_task.h"

/* Reads the plan; false: it cannot be read. */
bool omen_replay_start (const char *path);
/* Does the task's thread have this path of creation? */
bool omen_replay_is_named (const omen_task *task, const char *path,
                           size_t length);
/* Is the plan for this process? Takes a ticket: call once in each process. */
bool omen_replay_is_ours (void);

/* The guard is held. The thread whose turn it is. NULL: it is in the kernel, or
   the plan is over (then `omen_rt_scheduled` is false or the policy is another
   one). */
omen_task *omen_replay_choose (void);
/* The guard is held. Of the threads that wait for the object, the one whose
   turn comes first. */
omen_task *omen_replay_waiter (const volatile void *object, uint32_t bits);
/* Does the timed wait of the task expire by the plan? */
bool omen_replay_expires (omen_task *task);
/* Called with all threads in place when a plan ends with stop. */
void omen_replay_reached (void);
/* Is the holder's turn over? */
bool omen_replay_due (void);
/* Called by the watcher with the guard held: gives the plan up if nothing
   happens for long. */
void omen_replay_look (void);

#endif
