/* The oracle: every reordering of a small trace, by brute force.

   Written from doc/semantics.md alone and for obviousness; it shares nothing
   with src/model, src/solve or src/witness/verify.c. What the engine says of a
   trace must be what the oracle says, no more and no less; what the oracle
   shows, the verifier must accept.

     oracle *o = oracle_new (trace, OMEN_MODEL_VALUE, &(oracle_request){
       .claims = ORACLE_RACE | ORACLE_DEADLOCK }, &err);
     if (oracle_race (o, 3, 7)) …
     for (size_t i = 0; i < oracle_count (o); i++) {
       const oracle_claim *claim = oracle_claim_at (o, i);   all that are true
       omen_witness w = { 0 };
       oracle_witness (o, claim, &w);                        and a σ for it
       …
       oracle_witness_fini (&w);
     }
     oracle_free (o);

   Two ways lead to an answer. oracle_new walks all states once and collects
   every true claim of the kinds asked for; oracle_holds and oracle_witness
   search anew for one claim. The oracle's tests compare the two.

   Limits: 64 events, 64 locks, 16 threads, 8 of them in a deadlock. Time and
   memory grow with the number of machine states: 0.1 ms for 16 events of 4
   threads, hopeless beyond 30 events that nothing orders.

   Owner: the trace must outlive the oracle; what the oracle returns is borrowed
   from it. */
#ifndef OMEN_TEST_ORACLE_H
#define OMEN_TEST_ORACLE_H

#include "witness/witness.h"

#define ORACLE_EVENTS 64      /* the longest trace */
#define ORACLE_CLAIM_EVENTS 8 /* the most events in a claim */

typedef struct oracle oracle;

/* A claim of doc/semantics.md, section 4; OMEN_NONE stands for -1. Of the
   claims that oracle_new collects, a race has the smaller event first, a
   deadlock starts with its smallest event, and a nondet has one entry for each
   (read, challenger), with the best order: wcr, else crw, else cr. */
typedef struct oracle_claim {
  omen_claim_kind kind;
  unsigned word; /* nondet: omen_nondet_order; else 0 */
  unsigned count;
  omen_eid events[ORACLE_CLAIM_EVENTS];
} oracle_claim;

enum {
  ORACLE_RACE = 1 << OMEN_CLAIM_RACE,
  ORACLE_RACE_ORDER = 1 << OMEN_CLAIM_RACE_ORDER, /* costs most */
  ORACLE_DEADLOCK = 1 << OMEN_CLAIM_DEADLOCK,
  ORACLE_NONDET = 1 << OMEN_CLAIM_NONDET,
  ORACLE_ATOMICITY = 1 << OMEN_CLAIM_ATOMICITY,
  ORACLE_PATTERN = 1 << OMEN_CLAIM_PATTERN,
  ORACLE_ALL = 63
};

/* What oracle_new is to find out. */
typedef struct oracle_request {
  unsigned claims;              /* ORACLE_… */
  const oracle_claim *patterns; /* pattern claims to be answered */
  size_t pattern_count;
  bool keep_sections; /* only σ in which the critical sections of each lock that
                         conflict keep the order of the trace */
  uint64_t spoken; /* bits of events that count in the lattice whatever they are
                    */
} oracle_request;

/* NULL with err filled in if the trace is too large, or is not itself one of
   its reorderings (then it is not well-formed). */
oracle *oracle_new (const omen_trace *trace, omen_model_name model,
                    const oracle_request *request, omen_err *err);
void oracle_free (oracle *o);

/* ---- all true claims of the kinds asked for ---- */
size_t oracle_count (const oracle *o);
const oracle_claim *oracle_claim_at (const oracle *o, size_t i);
bool oracle_race (const oracle *o, omen_eid a, omen_eid b); /* in any order */
bool oracle_race_order (const oracle *o, omen_eid a, omen_eid b); /* a first */
/* The requests of the cycle, starting anywhere. */
bool oracle_deadlock (const oracle *o, const omen_eid *requests,
                      unsigned count);
/* Which orders are possible: bits 1 << omen_nondet_order; 0: none. */
unsigned oracle_nondet (const oracle *o, omen_eid read, omen_eid challenger);
bool oracle_violated (const oracle *o, omen_eid block); /* begin or enter */
bool oracle_pattern (const oracle *o, size_t i); /* the i-th of the request */

/* ---- one claim, by a search of its own ---- */
bool oracle_holds (oracle *o, const oracle_claim *claim);
/* If the claim holds, fill in `witness` (zeroed or from before): identity,
   model, claim and a shortest σ that shows it. */
bool oracle_witness (oracle *o, const oracle_claim *claim,
                     omen_witness *witness);
void oracle_witness_fini (omen_witness *witness);

/* ---- the shape of the search space ---- */
typedef struct oracle_shape {
  uint64_t states; /* machine states */
  /* the rest under lattice only */
  uint64_t cuts;   /* sets of events that count, of reorderings */
  uint64_t runs;   /* orders of them, of reorderings that hold all events */
  unsigned levels; /* the most of them in a reordering, plus one */
  uint64_t width[ORACLE_EVENTS + 1]; /* cuts by number of events */
} oracle_shape;

const oracle_shape *oracle_shape_of (const oracle *o);

/* Candidates: the claims of a kind that are not wrong at first sight (the right
   kinds of events, threads, places and locks). Asked of a detector, these are
   the questions; the share of true ones among them is what campaigns print.
   Appended to `claims`. */
typedef OMEN_VEC (oracle_claim) oracle_claims;
void oracle_candidates (const omen_trace *trace, omen_claim_kind kind,
                        oracle_claims *claims);

/* "race 3 7", "nondet 4 -1 cr": as in a witness file. */
void oracle_claim_text (const oracle_claim *claim, char *buffer, size_t room);

#endif
