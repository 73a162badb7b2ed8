/* Replay: a schedule that says, thread by thread, how far each goes.

     omen-plan 1
     process 5e3a… 2   it is for the second process that has this hash
     patience 1500     who computes for so many ms will not come to its items
     keep              blocks that are freed are given to nobody else
     run 0 14          thread 0 goes on until it has done 14 items in all
     run 0.2 5         then the second thread that it made, until 5
     finish 0.3        then thread 0.3, until it has ended (to be joined)
     signal 0.1 9 10   (before all runs) 0.1 takes signal 10 after 9 items
     expire 0.2 7      (before all runs) the timed wait of 0.2 after 7 items
   runs out, and takes no notify block 0.1         then thread 0.1, until it
   waits for a lock end exit          what then: exit, free, serial, stop or
   explore

   A plan that ends with explore is one of omen explore, which runs the program
   many times: it goes on one thread at a time until no thread can, nobody waits
   for time to pass, a run that is stuck ends at once, and abort waits for the
   other threads as exit does.

   Threads are named by how they were made (0.2.1), items are counted as
   omen_item_counts (wire/recording.h) says. So neither addresses nor times nor
   the order in which threads are made matter.

   Without the line `process` the plan is for everyone who reads it; `process *`
   counts all processes, whatever their hash (process.h). Who comes takes a
   ticket, the first file PLAN.1, PLAN.2, … that is not there yet. Processes
   that the plan is not for run as if nobody recorded; their children may be the
   one.

   It is one more way to choose who goes on (sched_choose.c): the run records
   its trace like any other, and what came of the plan is read off that trace by
   omen replay. If the next thread of the plan cannot go on (it waits, has
   ended, was never made, does nothing for 10 seconds, or has computed for
   longer than `patience` says: it may spin for a lock of code that is not
   woven) the plan is over, and all threads run as they like. A timed wait runs
   out when its thread has its turn; a thread that is joined then ends by
   itself, as what it does after its last event is in no plan. */
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
/* Will the timed wait that the task is in run out? */
bool omen_replay_expires (omen_task *task);
/* Called with all threads in place when a plan ends with stop. */
void omen_replay_reached (void);
/* Is the holder's turn over? */
bool omen_replay_due (void);
/* Called by the watcher with the guard held: gives the plan up if nothing
   happens for long. */
void omen_replay_look (void);

#endif
