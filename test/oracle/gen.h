/* Random well-formed traces.

     oracle_knobs knobs;
     oracle_knobs_default (&knobs, seed);
     omen_trace *trace = oracle_generate (&knobs);
     …
     omen_trace_free (trace);

   A trace is what a random small program did in a random run: each thread gets
   a script of idioms (a critical section, a wait in a lock, a publication
   through an atomic, …), a scheduler runs the scripts one step at a time on a
   simulated machine, and every step is an event. So the trace is legal by
   construction, values and waits included. It may end early where all threads
   are stuck.

   The same knobs give the same trace on every machine. */
#ifndef OMEN_TEST_ORACLE_GEN_H
#define OMEN_TEST_ORACLE_GEN_H

#include "trace/trace.h"

/* What a script is made of: an idiom and its share in the scripts. Each line
   is a knob: the weight of the idiom, 0 for never. */
#define ORACLE_IDIOMS(X)                                                       \
  X (access)      /* a plain read or write */                                  \
  X (section)     /* mutex: acq, accesses, rel */                              \
  X (afterwards)  /* mutex: acq, rel, and the access after it */               \
  X (crossing)    /* two mutexes, one inside the other, any order */           \
  X (gated)       /* the same inside a third */                                \
  X (nested)      /* the same mutex twice */                                   \
  X (rwlock)      /* racq, accesses, rrel, or the writer side */               \
  X (attempt)     /* try-lock of a mutex or read-write lock, may fail */       \
  X (timed)       /* a timed lock that may run out */                          \
  X (wait)        /* acq, wait, wake, rel */                                   \
  X (bare_wait)   /* wait(c), and whatever comes next */                       \
  X (notify)      /* notify or notifyall, in a lock or not */                  \
  X (semaphore)   /* up or down, perhaps around an access */                   \
  X (sem_attempt) /* a down that may fail */                                   \
  X (barrier)     /* arrive, depart */                                         \
  X (child)       /* fork, perhaps join */                                     \
  X (signal)      /* hb, or ha */                                              \
  X (atomic)      /* ar or aw, any order */                                    \
  X (rmw)         /* any order */                                              \
  X (publish)     /* w, perhaps a fence, aw */                                 \
  X (consume)     /* ar, perhaps a fence, r */                                 \
  X (fence)                                                                    \
  X (heap)        /* alloc, accesses, perhaps free */                          \
  X (external)    /* ext */                                                    \
  X (block)       /* begin, accesses or a section, end */                      \
  X (function)    /* enter, the same, exit */                                  \
  X (branch)      /* a read, and a branch on it */                             \
  X (emit)

typedef struct oracle_knobs {
  uint64_t seed;
  unsigned threads, locks, variables, values; /* all at least 1 */
  unsigned shortest, longest; /* events; a stuck run may end earlier */
  /* weights */
#define ORACLE_WEIGHT(name) unsigned name;
  ORACLE_IDIOMS (ORACLE_WEIGHT)
#undef ORACLE_WEIGHT
  /* chances in 100 */
  unsigned known;      /* that accesses carry values */
  unsigned init;       /* that initial values are told by init lines */
  unsigned seminit;    /* that a semaphore has one */
  unsigned ranges;     /* that a variable is accessed by byte ranges */
  unsigned dependence; /* that events tell what they depend on */
  unsigned weak;       /* that an atomic has an order below seq_cst */
  unsigned request;    /* that an acquire is announced by req */
  unsigned stay;       /* that the scheduler stays with a thread */
} oracle_knobs;

/* 3 or 4 threads, 10 to 16 events, and one of several profiles (deadlock-prone,
   condition-heavy, …), all drawn from the seed. */
void oracle_knobs_default (oracle_knobs *knobs, uint64_t seed);

/* Sealed. The caller frees it. */
omen_trace *oracle_generate (const oracle_knobs *knobs);

/* A small generator of numbers, for campaigns that need their own. */
typedef struct oracle_random {
  uint64_t state;
} oracle_random;
uint64_t oracle_next (oracle_random *random);
unsigned oracle_below (oracle_random *random, unsigned n);       /* 0 … n-1 */
bool oracle_chance (oracle_random *random, unsigned in_hundred);

#endif
