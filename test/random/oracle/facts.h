/* What one trace says, read off once: doc/semantics.md, section 1, and the
   parts of section 3 that do not depend on the order of σ.

   Sets of events are 64-bit masks. "Before" and "after" speak of the base order
   (the order of the file, unless an acquire had to be delayed).

   Invariants:
   - order[] is a permutation of the events, rank[] its inverse;
   - need[e] holds what rules 1, 3 and 4 want in σ before e whatever the rest of
     σ is like: earlier events of the thread, fork, joined threads, arrivals,
     hbs, alloc, the neighbours of seminit and ext, operations of irregular
     locks;
   - an access covers the atoms first_atom[e] … first_atom[e] + atoms[e] - 1.

   Owner: caller's storage, no heap memory. */
#ifndef OMEN_TEST_ORACLE_FACTS_H
#define OMEN_TEST_ORACLE_FACTS_H

#include "oracle.h"

typedef uint64_t event_set;

#define ONE(e) (1ull << (e))
#define HAS(set, e) ((set) >> (e) & 1)
#define NOBODY 0xff /* no event; as a writer: the initial write */

#define MOST_ATOMS 64
#define MOST_GLIMPSES 256
#define MOST_WAITS 16
#define MOST_EPOCHS 32
#define MOST_THREADS 16

/* What an event does to a regular lock, nested operations excepted. */
typedef enum lock_action {
  LOCK_NOTHING,
  LOCK_TAKE,        /* acq, wake: nobody may hold it */
  LOCK_SHARE,       /* racq: nobody may hold it in write mode */
  LOCK_FAIL,        /* tryfail: somebody must hold it */
  LOCK_SHARED_FAIL, /* rtryfail: somebody must hold it in write mode */
  LOCK_LEAVE,       /* rel, wait */
  LOCK_UNSHARE      /* rrel */
} lock_action;

/* A segment of a variable that no range divides; [from, to). */
typedef struct atom {
  omen_vid variable;
  uint64_t from, to;
  bool read; /* some event reads it */
} atom;

/* One read looking at one atom. */
typedef struct glimpse {
  uint8_t read, atom;
  uint8_t saw;        /* the writer in the trace */
  event_set as_value; /* writers that preserve it under value */
  bool initial_value; /* so does the initial write */
} glimpse;

typedef struct condition_wait {
  uint8_t wait, back;       /* back: its return, or NOBODY */
  bool needs;               /* the return needs a notify */
  event_set notifies, alls; /* of its condition, in the whole trace */
} condition_wait;

/* A semaphore from one seminit (or the start) to the next. */
typedef struct epoch {
  uint32_t semaphore;
  uint8_t init; /* seminit, or NOBODY: holds from the start */
  int64_t count;
  event_set ups, downs;
} epoch;

typedef struct facts {
  const omen_trace *trace;
  unsigned count, threads;
  event_set all;
  uint8_t order[ORACLE_EVENTS], rank[ORACLE_EVENTS];

  /* by event */
  uint8_t thread[ORACLE_EVENTS], kind[ORACLE_EVENTS];
  uint8_t next[ORACLE_EVENTS], previous[ORACLE_EVENTS]; /* in the thread */
  event_set need[ORACLE_EVENTS];
  uint8_t action[ORACLE_EVENTS], lock[ORACLE_EVENTS]; /* lock_action */
  uint64_t writes_held[ORACLE_EVENTS]; /* locks held after it, write mode */
  uint64_t reads_held[ORACLE_EVENTS];  /* and read mode */
  uint8_t first_atom[ORACLE_EVENTS], atoms[ORACLE_EVENTS];
  uint16_t first_glimpse[ORACLE_EVENTS]; /* reads: one glimpse an atom */
  uint8_t wait_of[ORACLE_EVENTS];        /* returns and waits: index in waits */
  event_set after[ORACLE_EVENTS];        /* depends on it: reads and branch */
  event_set overlaps[ORACLE_EVENTS];     /* accesses that share an atom */

  /* by thread */
  event_set of_thread[MOST_THREADS];
  uint8_t events_of[MOST_THREADS][ORACLE_EVENTS + 1]; /* ends with NOBODY */

  event_set readers, writers, rmws, synchronise, accesses;
  uint64_t irregular;      /* locks */
  event_set irregular_use; /* operations on them */
  atom atom[MOST_ATOMS];
  unsigned atom_count;
  glimpse glimpse[MOST_GLIMPSES];
  unsigned glimpse_count;
  condition_wait wait[MOST_WAITS];
  unsigned wait_count;
  epoch epoch[MOST_EPOCHS];
  unsigned epoch_count;
  bool dependences; /* known */
} facts;

/* False if the trace is too large for the oracle or not well-formed in a way
   that is seen here. */
bool facts_read (facts *f, const omen_trace *trace, omen_err *err);

/* The parts of it, in this order. */
bool facts_locks (facts *f, omen_err *err);  /* what is held, irregular */
bool facts_order (facts *f, omen_err *err);  /* base order */
bool facts_sync (facts *f, omen_err *err);   /* need, waits, epochs */
bool facts_memory (facts *f, omen_err *err); /* atoms, reads-from, values */

/* Accesses of two threads that overlap, one of them a write; never alloc or
   ext. */
bool facts_conflict (const facts *f, unsigned a, unsigned b);
/* The same, and not both atomic. */
bool facts_can_race (const facts *f, unsigned a, unsigned b);
/* The count of the semaphore of event e after the events of `cut`. */
int64_t facts_semaphore (const facts *f, unsigned e, event_set cut);
/* The events of the block instance that starts with begin or enter b. */
event_set facts_block (const facts *f, unsigned b);

static inline const omen_event *
facts_event (const facts *f, unsigned e)
{
  return omen_trace_event (f->trace, e);
}

static inline bool
facts_too_much (const facts *f, omen_err *err, const char *what)
{
  return omen_err_set (err, "oracle", "more %s than the oracle can take", what);
}

#endif
