/* One claim as a question to a search: which steps lead nowhere, and which
   states show it. doc/semantics.md, section 4 (race-order is in order.h). */
#ifndef OMEN_TEST_ORACLE_QUESTION_H
#define OMEN_TEST_ORACLE_QUESTION_H

#include "machine.h"

typedef struct question {
  omen_claim_kind kind;
  unsigned word;
  event_set claimed; /* for sliced */
  event_set all;     /* in σ at the end: atomicity, pattern, nondet */
  unsigned count;    /* race, deadlock: the events, in order */
  uint8_t events[ORACLE_CLAIM_EVENTS];
  unsigned pairs; /* orders that σ must have */
  uint8_t before[ORACLE_CLAIM_EVENTS], after[ORACLE_CLAIM_EVENTS];
  const glimpse *glimpse; /* nondet: of the read */
  uint8_t challenger;     /* NOBODY: the initial write */
} question;

/* False if the claim is wrong whatever σ is: kinds, threads, blocks, number of
   events. `part` chooses among the atoms of the read of a nondet, and among the
   two ways in which an atomicity claim can hold. */
bool question_init (question *q, const facts *f, const oracle_claim *claim,
                    unsigned part);

/* False if no σ that takes step e now can show the claim. */
bool question_allows (const question *q, const machine *m, const state *s,
                      unsigned e);
/* Does the σ that led to s show it, all steps having been allowed? */
bool question_shown (const question *q, const machine *m, const state *s);

/* Used by the enumerator too. */
/* Are both next and enabled? */
bool shows_race (const machine *m, const state *s, unsigned a, unsigned b);
/* Is a, next in its thread, a request that only its lock holds up? */
bool is_blocked (const machine *m, const state *s, unsigned a);
/* Is the lock that request a wants held by thread t in a conflicting mode? */
bool wants_from (const machine *m, const state *s, unsigned a, unsigned t);
/* If the read took this glimpse now: is the writer another one, and the value
   (under value and sliced)? */
bool shows_challenger (const machine *m, const state *s, const glimpse *g);

#endif
