/* Internal interface of the scheduler (sched*.c): one thread runs at a time.

     T1 ──point──┐ token            T2 parked: state READY, asleep on its `go`
                 ▼                  T3 parked: WAITING for an object
     choose () says T2: running = T2, wake T2's futex, park T1

   The thread that `running` points to holds the token. `running` is NULL while
   no thread can run: all wait, or are in the kernel.

   State changes are made under the guard, a lock of the runtime, with signals
   blocked; `left`, the number of points until the next decision, belongs to the
   holder. A point without a decision takes no lock and makes no call.

   Runs repeat because only the holder decides, tasks are considered in the
   order of their ids and waiters in the order of their arrival, random numbers
   come from the seed, and time is the number of points passed. The kernel (how
   long a call takes) matters only when a thread was seen to sleep there.

   A signal handler may run in a parked thread. Its first point waits for the
   token like any other, so a task can have waits inside waits.

   Guest rules as in rt.h. Memory: 200 bytes for each thread that ever existed;
   never freed, because its id may be joined at any time. */
#ifndef OMEN_RUNTIME_SCHED_SCHED_TASK_H
#define OMEN_RUNTIME_SCHED_SCHED_TASK_H

#include "runtime/core/rt.h"

typedef enum omen_task_state {
  OMEN_TASK_READY,   /* has the token or wants it */
  OMEN_TASK_WAITING, /* innermost wait not over */
  OMEN_TASK_AWAY, /* without token: in the kernel, or in a long computation */
  OMEN_TASK_GONE
} omen_task_state;

typedef struct omen_task_wait {
  const volatile void *object; /* NULL: over */
  uint64_t arrival;
  uint64_t deadline; /* in points; 0: none */
  uint64_t real;     /* omen_sched_time */
  uint32_t bits;     /* of a futex: which wakes end it; else all bits */
  int out;           /* how it ended */
} omen_task_wait;

/* The machine's time and the program's when it began; 0: there is none. */
typedef struct omen_absence {
  uint64_t now, time;
} omen_absence;

enum { OMEN_WAITS = 4 };

typedef struct omen_task {
  uint32_t id;
  uint32_t go;          /* futex: changed when the thread has to check again */
  uint32_t tid;         /* 0: has not begun */
  uint32_t begun;       /* futex: 0, then 1 */
  uint32_t leaving;     /* depth of omen_sched_leave */
  omen_absence absence; /* while it is in the kernel */
  omen_task_state state;
  bool parked, yielded, cancelled;
  bool polls;   /* away until a file descriptor is ready (omen_sched_wait_fd) */
  bool library; /* away in code that the scheduler does not see, or still with
                   the token (omen_sched_away) */
  bool spins;   /* away in such code, and never seen asleep */
  bool inside;  /* in such code, but not away (omen_sched_inside) */
  unsigned depth; /* of waits */
  omen_task_wait waits[OMEN_WAITS];
  int64_t priority;     /* pct */
  uint64_t items;       /* replay: logged so far */
  size_t interrupt;     /* replay: index of its next signal */
  size_t expiry;        /* replay: index of its next wait that runs out */
  uint32_t interrupted; /* replay: the signal that was sent to it */
  uint32_t handling; /* replay: nesting depth of signal handlers, not 0 at the
                        start of a thread either; no signal is sent while it
                        is not 0 */
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
  unsigned live, waiting,
      timed;          /* tasks, waits in progress, and those with a deadline */
  omen_task *watcher; /* a parked thread that watches the holder */
  omen_task *firing;  /* its wait expires next, in real time: */
  uint64_t firing_at;
  omen_absence idle; /* while no thread runs */
  bool begins;       /* the holder waits for a thread of its own to begin */
  uint64_t arrivals, clock, work, switches;
  uint64_t grace; /* ns; 0: the program is not about to end */
  /* choose.c */
  omen_policy policy;
  uint64_t random, grain, steps;
  int64_t budget, lowest;
  uint64_t changes[OMEN_PCT_MAX];
  unsigned change, changes_count;
  omen_task *repeated; /* the thread that got the token again and again */
  unsigned repeats;
  const volatile void *last_read[2]; /* objects, by the holder */
  unsigned rereads;                  /* reads of these alone since */
  unsigned lost; /* how often a thread in such code lost the token */
} omen_sched;

extern omen_sched omen_scheduler;
extern OMEN_TLS omen_task *omen_sched_mine;

typedef uint64_t omen_mask; /* a signal mask as the kernel has it */

/* -- sched.c -- */
omen_task *omen_sched_task (uint32_t id); /* NULL: unknown */
/* The calling thread with the token; NULL: it has no task. */
omen_task *omen_sched_enter (void);
void omen_sched_lock (omen_mask *old);
void omen_sched_unlock (const omen_mask *old);
/* Both: token and guard. *late: it had lost the token meanwhile. */
omen_task *omen_sched_enter_locked (omen_mask *old, bool *late);
/* The guard is held. `giver` parks afterwards; NULL: no thread does. */
void omen_sched_pass (omen_task *giver);
void omen_sched_grant (omen_task *next, omen_task *giver);
void omen_sched_kick (omen_task *task);
/* The guard is held on entry and not on return, when the task is running. */
void omen_sched_park (omen_task *me, const omen_mask *old);
/* No memory: threads run freely from now on. */
void omen_sched_abandon (void);

/* -- sched_time.c -- */
uint64_t omen_sched_now (void);            /* CLOCK_MONOTONIC, ns */
uint64_t omen_sched_time (void);           /* the same as the program sees it */
void omen_sched_move_clocks (uint64_t to); /* if it is not so late yet */
/* Brackets around a call that takes real time. */
void omen_sched_go (omen_absence *absence);
void omen_sched_come (omen_absence *absence);

/* -- sched_wait.c: guard held -- */
void omen_sched_end_wait (omen_task *task, omen_task_wait *wait);
void omen_sched_run_out (omen_task *task, omen_task_wait *wait);
/* Ends waits whose deadline, in points, has passed. */
void omen_sched_expire (void);
/* No thread is ready: which wait expires first? */
void omen_sched_idle (void);
void omen_sched_stuck (void); /* says so, if it is the end */
/* For omen explore, when no thread is ready: the wait with the nearest deadline
   expires at once; if there is none, the run is over. NULL: a thread is in the
   kernel. */
omen_task *omen_sched_hasten (void);
bool omen_sched_fire (omen_task *me);

/* -- sched_choose.c: guard held -- */
bool omen_sched_policy (const char *schedule);
omen_task *omen_sched_choose (omen_task *me); /* NULL: none is ready */
void omen_sched_welcome (omen_task *task);    /* a new one */
/* Does the holder keep the token while it is in a library? */
bool omen_sched_keeps (void);
/* Chooses among the threads that wait for the object with one of these bits. */
omen_task *omen_sched_choose_waiter (const volatile void *object,
                                     uint32_t bits);
omen_task_wait *omen_sched_wait_of (omen_task *task,
                                    const volatile void *object,
                                    uint32_t bits); /* NULL: none */
int64_t omen_sched_weight (enum omen_item_kind kind,
                           const volatile void *object);
/* The holder stops here: accounts for the points it used. */
void omen_sched_spent (omen_task *me);
void omen_sched_renew (void);

/* -- sched_watch.c -- */
enum { OMEN_WATCH_NS = 10000000 };
void omen_sched_watch (omen_task *me);
uint64_t omen_sched_cpu (uint32_t tid); /* processor time of the thread in ns */

#endif
