/* TRUSTED. What the verifier reads off a trace once: section 1 of
   doc/semantics.md and the base order of section 2. Read-only afterwards.

     T1|acq(l)|    T1|w(x=1)|    T1|rel(l)|    T2|r(x=1)|
     seen of event 3 on the one atom of x: event 1

   Per event there is a byte of flags and one number, whose meaning depends on
   the kind (always counted in the order of the trace):
     operations on an irregular lock   operations on it before this one
     seminit                           operations on its semaphore before it
     up, down, semfail                 seminits of its semaphore before it
     arrive, depart                    round (over all barriers)
     hb                                hbs of its object before it
     ha                                hbs of its object before it
   An access has one "pair" for each of its atoms: pair[e] + k for the k-th.

   Cost: a few passes over the trace; about 20 bytes an event and 4 to 8 a
   pair. */
#ifndef OMEN_WITNESS_VERIFY_FACTS_H
#define OMEN_WITNESS_VERIFY_FACTS_H

#include "trace/trace.h"

enum {
  OMEN_FACT_NESTED = 1,  /* lock operation inside the thread's own hold */
  OMEN_FACT_CROSSED = 2, /* acquires what the thread holds in the other mode */
  OMEN_FACT_UNHELD = 4, /* releases what the thread does not hold; also the wake
                           of such a wait */
  OMEN_FACT_RETURN = 8  /* return of a wait, needs a notify */
};

typedef enum omen_form {
  OMEN_FORM_NOTHING,
  OMEN_FORM_BYTES,
  OMEN_FORM_TOKEN,
  OMEN_FORM_WHOLE
} omen_form;

/* The value of a read or write on one atom. */
typedef struct omen_fact_value {
  uint8_t form; /* omen_form */
  uint8_t kind; /* omen_value_kind, BIG as INT; of tokens and whole values */
  uint32_t position; /* of the atom in the access; tokens only */
  uint64_t bits;
} omen_fact_value;

typedef struct omen_fact_atom {
  uint32_t low, high; /* bytes [low, high); the last one is open-ended */
  omen_fact_value initial;
} omen_fact_atom;

typedef struct omen_fact_round {
  uint32_t before; /* the round before it at the barrier, or OMEN_NONE */
  uint32_t size;   /* arrivals that complete it */
} omen_fact_round;

typedef struct omen_facts {
  const omen_trace *trace;
  uint8_t *flags;   /* by event: OMEN_FACT_* */
  uint32_t *number; /* by event, see above */
  omen_eid *base;   /* the base order, NULL if it is the order of the file */
  uint32_t *rank;   /* by event: place in the base order; NULL likewise */

  omen_eid *fork;  /* by thread: its fork, or OMEN_NONE */
  bool *ends_held; /* by thread: holds a lock after its last event */
  bool *irregular; /* by lock */
  uint64_t *count; /* by semaphore: before any seminit */
  OMEN_VEC (omen_fact_round) rounds;
  uint32_t *hb_first; /* by object (and one past): start of its hbs */
  omen_eid *hbs;      /* in the order of the trace */
  omen_eid *alloc;    /* by variable: its alloc, or OMEN_NONE */
  bool dependences;   /* some event has <- or ^ */

  OMEN_VEC (omen_fact_atom) atoms;
  uint32_t *place_first, *place_end; /* by place: its atoms */
  size_t *pair;                      /* by event: its first pair */
  size_t pairs;
  omen_eid *seen;     /* by pair, reads: the write it saw, OMEN_NONE: initial */
  uint32_t *ext_turn; /* by pair: ext: accesses of the atom before it; others:
                         exts of the atom before it. NULL without any ext */
} omen_facts;

/* False, with the event and reason, if the trace is not well-formed in a way
   that later checks cannot find. Call fini in either case. */
bool omen_facts_init (omen_facts *facts, const omen_trace *trace,
                      omen_err *err);
void omen_facts_fini (omen_facts *facts);

/* "T2:1 acq(l) at f.c:7: reason"; false. */
bool omen_facts_refuse (const omen_trace *trace, omen_eid e, omen_err *err,
                        const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

/* Parts of init, one a file, in this order. */
bool omen_facts_threads (omen_facts *facts, omen_err *err);
bool omen_facts_base (omen_facts *facts, omen_err *err);
bool omen_facts_sync (omen_facts *facts, omen_err *err);
bool omen_facts_atoms (omen_facts *facts, omen_err *err);

/* The lock that an operation acquires, releases or tries; OMEN_NONE for all
   other events (also req, lockfail and destroy, which no rule restricts). */
omen_lid omen_facts_lock (const omen_trace *trace, omen_eid e);
/* Does thread t, after its first `upto` events, hold the lock in that mode? */
bool omen_facts_holds (const omen_facts *facts, omen_tid t, uint32_t upto,
                       omen_lid lock, bool write);

/* Which threads hold a regular lock, at a point of some order of events. */
typedef struct omen_holding {
  uint64_t epoch; /* of the walk; verify_state.h */
  omen_tid writer;
  uint32_t readers;
  uint32_t done; /* operations so far; irregular locks only */
} omen_holding;
bool omen_holding_admits (const omen_holding *holding, unsigned kind);
void omen_holding_apply (omen_holding *holding, const omen_event *event);

/* Value of event e on atom a, as reader or as writer. */
omen_fact_value omen_facts_datum (const omen_facts *facts, omen_eid e,
                                  uint32_t a, bool writer);
/* What write w (OMEN_NONE: the initial one) leaves in atom a. */
omen_fact_value omen_facts_written (const omen_facts *facts, omen_eid w,
                                    uint32_t a);
bool omen_datum_comparable (omen_fact_value a, omen_fact_value b);
bool omen_datum_equal (omen_fact_value a, omen_fact_value b);

static inline omen_eid
omen_facts_nth (const omen_facts *facts, uint32_t i)
{
  return facts->base ? facts->base[i] : i;
}

static inline uint32_t
omen_facts_rank (const omen_facts *facts, omen_eid e)
{
  return facts->rank ? facts->rank[e] : e;
}

#endif
