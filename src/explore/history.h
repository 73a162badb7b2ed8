/* What the threads of a run have observed, in a form that can be compared with
   other runs of the same program.

     T1|r(x=5)|   T1|tryfail(l)|   T1|w(y=1)|      T1 has observed 2: 5, no

   An observation is the value that a read saw, or the outcome of an operation
   that may block or fail. What a thread does is determined by what it observed
   before, so its first n observations, as a hash, identify all that it did
   until then. Pointers differ from run to run: one is named by the event that
   had it first, its thread and how much that had observed; one into a module
   (to a static variable, a function), by its place there. An unknown value is
   named by the event that wrote it.

   Threads are named by how they were made, by a hash of that.
   Memory: 25 bytes an event. */
#ifndef OMEN_EXPLORE_HISTORY_H
#define OMEN_EXPLORE_HISTORY_H

#include "base/map.h"
#include "model/model.h"
#include "trace/atoms.h"

/* The first `count` observations of a thread. */
typedef struct omen_observed {
  uint64_t hash;
  uint32_t count;
} omen_observed;

typedef enum omen_outcome {
  OMEN_OUTCOME_NO,  /* a try failed, a wait ran out, not the serial thread */
  OMEN_OUTCOME_YES, /* … or not */
  OMEN_OUTCOME_SPURIOUS
} omen_outcome;

typedef struct omen_histories {
  const omen_model *model;
  omen_atoms atoms;      /* where they are; numbered as the model's */
  uint64_t *names;       /* by thread */
  omen_observed *before; /* by event: its thread's past */
  omen_observed *all;    /* by thread */
  bool *serial;          /* by event: it arrived last in its round */
  uint64_t *again; /* by event: what it would observe if its thread did another
                      turn of a loop that waits for others; 0: it does none */
  omen_map pointers; /* in `first`, by value */
  OMEN_VEC (uint64_t) first;
  omen_eid *initial; /* by atom: a read of its initial value, or OMEN_NONE */
  bool spins; /* a thread repeatedly read an unchanged value: that counts as
                 observed twice, not more often */
} omen_histories;

/* The model must outlive them. */
omen_histories *omen_histories_new (const omen_model *model);
void omen_histories_free (omen_histories *histories);

/* What a read would observe if it saw these writes, one an atom (OMEN_NONE: the
   initial one). *known: by its value, and so as a run would name it. */
uint64_t omen_history_seen (const omen_histories *histories, omen_eid read,
                            const omen_eid *writers, bool *known);
/* What an operation of this kind observes: an outcome, or the value that
   sem_getvalue gives. */
uint64_t omen_history_outcome (omen_kind kind, uint32_t outcome);
omen_observed omen_observed_and (omen_observed past, uint64_t observed);
/* The events of sem_getvalue: so many downs, then as many ups, at one place; 0
   if e does not begin one. */
uint32_t omen_history_getvalue (const omen_model *model, omen_eid e);

static inline uint64_t
omen_hash_mix (uint64_t a, uint64_t b)
{
  uint64_t x = a ^ (b + UINT64_C (0x9e3779b97f4a7c15) + (a << 6) + (a >> 2));
  x = (x ^ x >> 30) * UINT64_C (0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C (0x94d049bb133111eb);
  return x ^ x >> 31;
}

#endif
