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
   is a knob: the weight of the idiom, 0 for never. ORACLE_SURE added to it: at
   least once, if there is room. Most idioms are an interplay of two threads. */
#define ORACLE_SURE 1000
#define ORACLE_IDIOMS(X)                                                       \
  X (access)    /* a plain read or write, perhaps guarded by a mutex */        \
  X (section)   /* mutex: access inside, and after it in the other thread */   \
  X (crossing)  /* two mutexes in both orders, or three in a circle */         \
  X (gated)     /* the same inside a third */                                  \
  X (nested)    /* the same lock twice */                                      \
  X (irregular) /* a lock released by another thread, upgraded, or not had */  \
  X (rwlock)    /* readers, or reader and writer */                            \
  X (attempt)   /* try-locks and timed locks that may fail */                  \
  X (wait)      /* acq, wait, wake, rel, and a notify */                       \
  X (bare_wait) /* wait(c), whatever comes next, and a notify */               \
  X (waiters)   /* two wait(c) whose returns race or deadlock */               \
  X (notify)    /* notify or notifyall, in a lock or not */                    \
  X (semaphore) /* up, and down */                                             \
  X (sem_attempt) /* a down that may fail */                                   \
  X (barrier)     /* arrive, depart */                                         \
  X (child)       /* fork, perhaps join */                                     \
  X (signal)      /* hb, and ha */                                             \
  X (atomic)      /* aw, and ar */                                             \
  X (rmw)                                                                      \
  X (publish) /* w, aw, and ar, r; fences */                                   \
  X (fence)                                                                    \
  X (heap)     /* alloc, accesses, perhaps free */                             \
  X (external) /* ext */                                                       \
  X (block)    /* begin, accesses, end */                                      \
  X (function) /* enter, accesses, exit */                                     \
  X (branch)   /* a read, and a branch on it */                                \
  X (emit)                                                                     \
  X (pieces) /* two variables in one section, and in several of a block */

/* The other knobs. */
#define ORACLE_CHANCES(X)                                                      \
  X (known)      /* that accesses carry values */                              \
  X (guarded)    /* that a plain access is in the lock of its variable */      \
  X (spine)      /* that a thread works in a lock that others pass */          \
  X (wrap)       /* that blocks or functions stand around other things */      \
  X (impatience) /* that a wait ends by timeout or spuriously */               \
  X (init)       /* that initial values are told by init lines */              \
  X (seminit)    /* that a semaphore has one */                                \
  X (ranges)     /* that a variable is accessed by byte ranges */              \
  X (dependence) /* that events tell what they depend on */                    \
  X (weak)       /* that an atomic has an order below seq_cst */               \
  X (mixed)      /* that what reads an atomic is plain */                      \
  X (request)    /* that an acquire is announced by req */                     \
  X (destroy)    /* that a lock is destroyed, held or not */                   \
  X (stay)       /* that the scheduler stays with a thread */                  \
  X (cut)        /* that the trace ends before the threads do */

#define ORACLE_SIZES(X)                                                        \
  X (threads)                                                                  \
  X (locks)                                                                    \
  X (variables)                                                                \
  X (values)                                                                   \
  X (shortest) /* events; a stuck run may end earlier */                       \
  X (longest)

typedef struct oracle_knobs {
  uint64_t seed;
#define ORACLE_KNOB(name) unsigned name;
  ORACLE_SIZES (ORACLE_KNOB)   /* all at least 1 */
  ORACLE_CHANCES (ORACLE_KNOB) /* in 100 */
  ORACLE_IDIOMS (ORACLE_KNOB)  /* weights */
#undef ORACLE_KNOB
} oracle_knobs;

/* 3 or 4 threads, 10 to 16 events, and one of several profiles (deadlock-prone,
   condition-heavy, …), all drawn from the seed. */
void oracle_knobs_default (oracle_knobs *knobs, uint64_t seed);
/* Turn one knob by name, "threads=5"; false if there is none. */
bool oracle_knobs_set (oracle_knobs *knobs, const char *setting);

/* Sealed. The caller frees it. */
omen_trace *oracle_generate (const oracle_knobs *knobs);

/* A small generator of numbers, for campaigns that need their own. */
typedef struct oracle_random {
  uint64_t state;
} oracle_random;
uint64_t oracle_next (oracle_random *random);
unsigned oracle_below (oracle_random *random, unsigned n); /* 0 … n-1 */
bool oracle_chance (oracle_random *random, unsigned in_hundred);

#endif
