/* Inside the scheduler (sched*.c): one thread at a time.

     T1 ──point──┐ token            T2 parked: state READY, asleep on its `go`
                 ▼                  T3 parked: WAITING for an object
     choose () says T2: running = T2, wake T2's futex, park T1

   The thread that `running` points to holds the token. `running` is NULL while
   nothing can run: all wait, or are away in the kernel.

   State is changed under the guard, a lock of our own, with signals blocked;
   `left`, the number of points until the next decision, belongs to the holder.
   A point that decides nothing takes no lock and makes no call.

   What makes runs repeat: only the holder decides, tasks are looked at in the
   order of their ids and waiters in that of their arrival, random numbers come
   from the seed, and time is the number of points that were passed. What the
   kernel does (how long a call takes) matters only when a thread was seen to
   sleep there.

   A handler of a signal may run in a parked thread. Its first point waits for
   the token like any other; so a task can have waits inside waits.

   Guest rules as in rt.h. Memory: a task for each thread that ever was, 200
   bytes; never freed, because its id may be joined at any time. */
#ifndef OMEN_RUNTIME_SCHED_SCHED_TASK_H
#define OMEN_RUNTIME_SCHED_SCHED_TASK_H

#include "runtime/core/rt.h"

typedef enum omen_task_state {
  OMEN_TASK_READY,   /* has the token or wants it */
  OMEN_TASK_WAITING, /* innermost wait not over */
  OMEN_TASK_AWAY,    /* in the kernel, or lost in thought: without token */
  OMEN_TASK_GONE
} omen_task_state;

typedef struct omen_task_wait {
  const volatile void *object; /* NULL: over */
  uint64_t arrival;
  uint64_t deadline; /* in points; 0: none */
  uint64_t real;     /* CLOCK_MONOTONIC, ns */
  uint32_t bits;     /* of a futex: which wakes are meant; else all */
  int out;           /* how it ended */
} omen_task_wait;

enum { OMEN_WAITS = 4 };

typedef struct omen_task {
  uint32_t id;
  uint32_t go;      /* futex: changed when something is to be looked at */
  uint32_t tid;     /* 0: has not begun */
  uint32_t begun;   /* futex: 0, then 1 */
  uint32_t leaving; /* depth of omen_sched_leave */
  omen_task_state state;
  bool parked, yielded, cancelled;
  bool polls;     /* away until a file is ready (omen_sched_wait_fd) */
  unsigned depth; /* of waits */
  omen_task_wait waits[OMEN_WAITS];
  int64_t priority;     /* pct */
  uint64_t items;       /* replay: logged so far */
  size_t interrupt;     /* replay: where to look for its next signal */
  uint32_t interrupted; /* replay: by this signal, sent by us */
  uint32_t handling;    /* replay: why it does not take signals now: handlers
                           that it is in, or it has just begun */
  struct omen_task *next, *before; /* live tasks, by id */
} omen_task;

typedef enum omen_policy {
  OMEN_POLICY_RANDOM,
  OMEN_POLICY_PCT,
  OMEN_POLICY_RR,
  OMEN_POLICY_REPLAY
} omen_policy;

enum { OMEN_PCT_MAX = 64 };

typedef struct omen_sched {
  omen_task *running;
  int64_t left;
  uint32_t guard;
  omen_task *first, *last;
  unsigned live, waiting, timed; /* tasks, waits not over, with a deadline */
  omen_task *watcher;            /* parked, looks after the holder */
  omen_task *firing;             /* its wait runs out next, in real time */
  uint64_t arrivals, clock, work, switches;
  uint64_t grace; /* ns; 0: the program is not about to end */
  /* choose.c */
  omen_policy policy;
  uint64_t random, grain, steps;
  int64_t budget, lowest;
  uint64_t changes[OMEN_PCT_MAX];
  unsigned change, changes_count;
  omen_task *repeated; /* who got the token again and again */
  unsigned repeats;
  const volatile void *looked_at[2]; /* by the holder, last */
  unsigned looks;                    /* at nothing else since */
} omen_sched;

extern omen_sched omen_scheduler;
extern OMEN_TLS omen_task *omen_sched_mine;

typedef uint64_t omen_mask; /* of signals, as the kernel has it */

/* -- sched.c -- */
omen_task *omen_sched_task (uint32_t id); /* NULL: unknown */
/* The calling thread with the token in hand; NULL: none of ours. */
omen_task *omen_sched_enter (void);
void omen_sched_lock (omen_mask *old);
void omen_sched_unlock (const omen_mask *old);
/* Both: token and guard. *late: it had lost the token meanwhile. */
omen_task *omen_sched_enter_locked (omen_mask *old, bool *late);
/* Guard held. `giver` parks afterwards; NULL: nobody does. */
void omen_sched_pass (omen_task *giver);
void omen_sched_grant (omen_task *next, omen_task *giver);
void omen_sched_kick (omen_task *task);
/* Guard held on entry, not on return, which is when the task is running. */
void omen_sched_park (omen_task *me, const omen_mask *old);
/* No memory: all threads run as they like from now on. */
void omen_sched_abandon (void);

/* -- sched_wait.c: guard held -- */
uint64_t omen_sched_now (void);
void omen_sched_end_wait (omen_task *task, omen_task_wait *wait);
void omen_sched_run_out (omen_task *task, omen_task_wait *wait);
/* Waits whose time has come by the number of points. */
void omen_sched_expire (void);
/* Nothing is ready: who runs out first? */
void omen_sched_idle (void);
void omen_sched_stuck (void); /* says so, if it is the end */
/* Explored, nothing is ready: the wait that ends first does so at once; if
   there is none, the run is over. NULL: somebody is in the kernel. */
omen_task *omen_sched_hasten (void);
bool omen_sched_fire (omen_task *me);

/* -- sched_choose.c: guard held -- */
bool omen_sched_policy (const char *schedule);
omen_task *omen_sched_choose (omen_task *me); /* NULL: none is ready */
void omen_sched_welcome (omen_task *task);    /* a new one */
/* Of those who wait for the object with one of these bits. */
omen_task *omen_sched_choose_waiter (const volatile void *object,
                                     uint32_t bits);
omen_task_wait *omen_sched_wait_of (omen_task *task,
                                    const volatile void *object,
                                    uint32_t bits); /* NULL: none */
int64_t omen_sched_weight (enum omen_item_kind kind,
                           const volatile void *object);
/* The holder stops here: counts what it did of what it was given. */
void omen_sched_spent (omen_task *me);
void omen_sched_renew (void);

/* -- sched_watch.c -- */
enum { OMEN_WATCH_NS = 10000000 };
void omen_sched_watch (omen_task *me);
uint64_t omen_sched_cpu (uint32_t tid); /* ns that the thread has computed */

#endif
