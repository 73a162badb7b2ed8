/* A run as the steps of its threads: the events that other threads can observe
   or can affect. Accesses to what one thread alone uses are no steps.

     T1|acq(l) w(x) rel(l) …     T1: 3 steps, then it has ended
     T2|acq(l,…)                 T2: none, and is pending at l

   A thread that waited when the run ended has one step more, which is pending:
   it is not part of the run. */
#ifndef OMEN_EXPLORE_STEPS_H
#define OMEN_EXPLORE_STEPS_H

#include "explore/history.h"

typedef struct omen_run_step {
  omen_eid event;  /* pending: at which the thread waits */
  omen_kind kind;  /* of the event; pending: what it would do */
  uint32_t object; /* lock, condition, semaphore, barrier, thread, object */
  uint32_t value;  /* that sem_getvalue gave */
  bool pending, getvalue;
  bool reader;          /* pending at a lock: it wants to read only */
  omen_observed before; /* what its thread had observed */
} omen_run_step;

/* How the thread came to its end. */
typedef enum omen_thread_finish {
  OMEN_FINISH_ENDED,
  OMEN_FINISH_WAITING, /* its last step is pending */
  OMEN_FINISH_CUT      /* the process ended while it ran, or it died */
} omen_thread_finish;

typedef struct omen_steps_thread {
  uint32_t first, count; /* steps; with the pending one */
  omen_thread_finish finish;
  omen_tid parent;     /* OMEN_NONE: none */
  uint32_t fork_index; /* index in the parent of the event that makes it */
} omen_steps_thread;

/* Why this run does not determine all that other runs may do. */
typedef enum omen_limit_word {
  OMEN_LIMITED_ORDER = 1,     /* hb/ha, ext, irregular lock: as observed */
  OMEN_LIMITED_PROPERTY = 2,  /* a property was not decided for all orders */
  OMEN_LIMITED_INIT = 4,      /* semaphores and locks made in a race */
  OMEN_LIMITED_STATES = 8,    /* too many states to examine all */
  OMEN_LIMITED_OUTSIDE = 16,  /* the program depends on more than schedules */
  OMEN_LIMITED_DIVERGED = 32, /* a run did not follow its plan */
  OMEN_LIMITED_ENDED = 64,    /* a run took too long and was ended */
  OMEN_LIMITED_HELPED = 128,  /* other processes, handlers of signals */
  OMEN_LIMITED_UNREAD = 256,  /* a recording could not be read */
  OMEN_LIMITED_SPIN = 512,    /* turns of a spinning loop count as one */
  OMEN_LIMITED_PART = 1024,   /* a recording is a part of its run */
  OMEN_LIMITED_CLOCK = 2048,  /* it reads a clock */
  OMEN_LIMITED_RANDOM = 4096, /* it asks for random numbers */
  OMEN_LIMITED_IDS = 8192,    /* it asks for its process's number */
  OMEN_LIMITED_CUT = 16384    /* a run ended before all its threads had */
} omen_limit_word;

typedef struct omen_steps {
  const omen_model *model;
  const omen_histories *histories;
  OMEN_VEC (omen_run_step) steps; /* by thread */
  omen_steps_thread *threads;     /* by thread */
  bool *shared;                   /* by atom */
  unsigned limits;
} omen_steps;

omen_steps *omen_steps_new (const omen_model *model,
                            const omen_histories *histories);
void omen_steps_free (omen_steps *steps);

/* The thread has taken its first `taken` steps, and what comes before the next
   one. */
omen_observed omen_steps_past (const omen_steps *steps, omen_tid thread,
                               uint32_t taken);

#endif
