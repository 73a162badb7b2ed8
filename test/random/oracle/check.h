/* One witness, judged by definition: doc/semantics.md read as statements about
   the steps of a sequence ("for every read of σ …"), each tried for all events
   from scratch. No state is carried from one step to the next, nothing is
   shared with src/witness/verify.c or with the enumerator; so that the three
   can be played off against each other.

     oracle_check (trace, &witness)     does the claim hold of the sequence?

   The trace must be well-formed and have at most CHECK_EVENTS events. Cost:
   about the cube of the number of events. */
#ifndef OMEN_TEST_ORACLE_CHECK_H
#define OMEN_TEST_ORACLE_CHECK_H

#include "witness/witness.h"

bool oracle_check (const omen_trace *trace, const omen_witness *witness);

/* ---- inside the check ---- */
#define CHECK_EVENTS 64

/* A sequence of events. step[e] is where e stands in it, or NOWHERE. */
#define NOWHERE (-1)
typedef struct check_sequence {
  unsigned count;
  omen_eid event[CHECK_EVENTS + 1];
  int step[CHECK_EVENTS + 1];
} check_sequence;

typedef struct check {
  const omen_trace *trace;
  const omen_witness *witness;
  unsigned events;
  check_sequence base; /* the order of the trace */
  check_sequence sigma;
} check;

/* The kinds of question that the parts ask each other. */
const omen_event *check_event (const check *c, omen_eid e);
bool check_append (check_sequence *s, omen_eid e); /* false: is there */
/* How many events of thread t are among the first `steps` of s. */
unsigned check_done (const check *c, const check_sequence *s, unsigned steps,
                     omen_tid t);

/* check_locks.c: a thread's hold on a lock after its first `done` events. */
typedef struct check_hold {
  unsigned write, read;
} check_hold;
omen_lid check_lock (const check *c, omen_eid e);
check_hold check_held (const check *c, omen_tid t, unsigned done,
                       omen_lid lock);
bool check_nested (const check *c, omen_eid e);
bool check_irregular (const check *c, omen_lid lock);
/* Rule 2 for e after the first `steps` of s. */
bool check_lock_rule (const check *c, const check_sequence *s, unsigned steps,
                      omen_eid e);
void check_base_order (check *c);

/* check_memory.c: a point stands for the atom that starts there. */
typedef struct check_point {
  omen_vid variable;
  uint64_t at;
} check_point;
typedef OMEN_VEC (check_point) check_points;
void check_points_of (const check *c, omen_eid e, check_points *points);
bool check_overlap (const check *c, omen_eid a, omen_eid b);
/* The last write of the point among the first `steps`; OMEN_NONE: initial. */
omen_eid check_writer (const check *c, const check_sequence *s, unsigned steps,
                       check_point p);
/* The write that e saw there in the trace. */
omen_eid check_saw (const check *c, omen_eid e, check_point p);
/* 1 equal, 0 different, -1 not comparable: e's value as read, w's as written */
int check_same_value (const check *c, omen_eid e, omen_eid w, check_point p);
/* The same of two writes. */
int check_same_written (const check *c, omen_eid w, omen_eid x, check_point p);
bool check_preserved (const check *c, const check_sequence *s, omen_eid e);
/* Is e in the block instance that `block` opens (if it opens one)? */
bool check_inside (const check *c, omen_eid block, omen_eid e);
/* Rule 5 for σ and the claimed events that are next. */
bool check_reads (const check *c);
bool check_atomic_sets (const check *c);

/* check_sync.c: rules 1, 3 and 4 for all of s. */
bool check_rules (const check *c, const check_sequence *s);
/* The event that s's return `back` is given; OMEN_NONE if none. */
omen_eid check_notify (const check *c, const check_sequence *s, omen_eid back);
bool check_needs_notify (const check *c, omen_eid e);
uint64_t check_count_before (const check *c, uint32_t semaphore);
/* The round of an arrive or depart, counted over the barrier. */
unsigned check_round (const check *c, omen_eid e);

/* check_claims.c, check_order.c */
bool check_claim (const check *c);
bool check_ordered (const check *c, omen_eid a, omen_eid b);

#endif
