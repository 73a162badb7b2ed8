/* Inside the oracle: what oracle_new collects, and the walk that does it. */
#ifndef OMEN_TEST_ORACLE_ENUMERATE_H
#define OMEN_TEST_ORACLE_ENUMERATE_H

#include "question.h"
#include "space.h"

struct oracle {
  facts facts;
  machine machine;
  omen_model_name model; /* as asked: machine.model may be simpler */
  oracle_request request;
  oracle_claims claims; /* what holds, in the order of kinds and events */
  event_set race[ORACLE_EVENTS], race_order[ORACLE_EVENTS];
  uint8_t nondet[ORACLE_EVENTS][ORACLE_EVENTS + 1]; /* by read, challenger + 1;
                                                       bits 1 << order */
  event_set violated;                               /* blocks */
  bool *patterns;
  oracle_shape shape;
};

typedef struct batch_order {
  uint8_t before, after;
  uint64_t *questions; /* that want this order */
} batch_order;

/* Questions that ask for orders in σ, answered together in one walk. A question
   lives on in a state while some σ that leads there has broken none of its
   orders. */
typedef struct batch {
  OMEN_VEC (question) questions;
  OMEN_VEC (oracle_claim) claims;
  unsigned words;     /* of 64 questions */
  uint64_t *answered; /* words */
  uint64_t *ends;     /* by event: questions that it can complete */
  uint64_t *follows;  /* by event: nondets that it ends (it follows the read) */
  OMEN_VEC (batch_order) orders;
} batch;

void batch_add (batch *b, const facts *f, const oracle_claim *claim);
/* After the last add. */
void batch_close (batch *b, const facts *f);
void batch_fini (batch *b);
/* Step e leads from s to `to`: carry the questions `alive` over into `there`
   and answer those that are shown. */
void batch_step (batch *b, const machine *m, const state *s, unsigned e,
                 const state *to, const uint64_t *alive, uint64_t *there);
bool batch_answer (const batch *b, size_t i);

/* The shape of the lattice, `spoken` counting as well. */
void survey_lattice (const machine *m, event_set spoken, oracle_shape *shape);

/* Walk all states; fills in everything but race_order. */
void enumerate (oracle *o, batch *b);

#endif
