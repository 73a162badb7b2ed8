/* A witness: a claim about a trace and the reordering that shows it, as a file
   of text that a person can read and `omen verify` can judge.

     omen-witness 1
     trace 8f3a5c0e9b1d2f47 25      identity and number of events
     model value
     claim race 3 7
     run T1 0 12                    events 0 … 11 of T1, in order
     run T2 0 3
     end

   `claim` is one of the forms in doc/semantics.md, section 4. A claim of a
   property has more lines:

     claim property UnsafeIter 0 match 3 9 7     formula, category, events
     spec 5d41402abc4b2a76                       identity of the property file
     bind c 0x1                                  a line a parameter bound

   Lines starting with # are comments. Names of threads are escaped like names
   in text traces, spaces included. `end` must be present: a witness without it
   is truncated and refused.

   Owner: init/fini; the vectors are the witness's own. */
#ifndef OMEN_WITNESS_WITNESS_H
#define OMEN_WITNESS_WITNESS_H

#include "trace/trace.h"

#include <stdio.h>

typedef enum omen_model_name {
  OMEN_MODEL_RF,
  OMEN_MODEL_VALUE,
  OMEN_MODEL_SLICED,
  OMEN_MODEL_LATTICE,
  OMEN_MODELS
} omen_model_name;

typedef enum omen_claim_kind {
  OMEN_CLAIM_RACE,
  OMEN_CLAIM_RACE_ORDER,
  OMEN_CLAIM_DEADLOCK,
  OMEN_CLAIM_NONDET,
  OMEN_CLAIM_ATOMICITY,
  OMEN_CLAIM_PATTERN,
  OMEN_CLAIM_MISUSE,
  OMEN_CLAIM_FINAL,
  OMEN_CLAIM_PROPERTY,
  OMEN_CLAIM_STUCK,
  OMEN_CLAIM_LIFETIME,
  OMEN_CLAIMS
} omen_claim_kind;

typedef enum omen_nondet_order {
  OMEN_WCR,
  OMEN_CRW,
  OMEN_CR,
  OMEN_NONDET_ORDERS
} omen_nondet_order;

typedef enum omen_misuse {
  OMEN_MISUSE_TAKEN_TWICE,
  OMEN_MISUSE_NOT_HOLDER,
  OMEN_MISUSE_DESTROYED_HELD,
  OMEN_MISUSE_WAIT_WITHOUT_LOCK,
  OMEN_MISUSE_HELD_AT_EXIT,
  OMEN_MISUSES
} omen_misuse;

/* A parameter and the text of its value. */
typedef struct omen_bound {
  char *name, *value;
} omen_bound;

/* What a property claim is about. All texts are its own. */
typedef struct omen_about {
  char *property, *category;
  char *logic;   /* for messages; NULL if not known */
  uint64_t spec; /* identity of the property file */
  OMEN_VEC (omen_bound) binding;
} omen_about;

/* Events as in the table of claims; OMEN_NONE is -1 in the file. `word` is an
   omen_nondet_order or omen_misuse where the claim has one, and the number of
   the formula in a property claim. */
typedef struct omen_claim {
  omen_claim_kind kind;
  unsigned word;
  omen_ids events;
  omen_about *about; /* property: what else it says; else NULL */
} omen_claim;

typedef struct omen_witness {
  uint64_t identity;
  uint32_t trace_events;
  omen_model_name model;
  omen_claim claim;
  omen_ids sequence; /* the reordering, event by event */
} omen_witness;

void omen_witness_init (omen_witness *witness);
void omen_witness_fini (omen_witness *witness);
/* The length of the prefix whose events are in trace order. */
size_t omen_witness_observed (const omen_witness *witness);

/* Parse against the trace it is about. False: unreadable, unknown thread,
   event out of range, … (exit 3); a readable witness of another trace is
   refused here too, by identity. Finding the trace's identity takes a pass over
   it: for many witnesses of one trace, put it into witness->identity before. */
bool omen_witness_parse (omen_witness *witness, const omen_trace *trace,
                         const char *path, const char *text, size_t size,
                         omen_err *err);
bool omen_witness_load (omen_witness *witness, const omen_trace *trace,
                        const char *path, omen_err *err);
bool omen_witness_write (const omen_witness *witness, const omen_trace *trace,
                         FILE *out, omen_err *err);

/* "T1:3 w(x) at f.c:3", cut to the buffer. */
#define OMEN_WITNESS_EVENT_MAX 320
char *omen_witness_event (const omen_trace *trace, omen_eid e,
                          char buffer[OMEN_WITNESS_EVENT_MAX]);

const char *omen_model_text (omen_model_name model); /* "rf" … */
const char *omen_claim_text (omen_claim_kind kind);
const char *omen_nondet_text (omen_nondet_order order);
const char *omen_misuse_text (omen_misuse misuse);

#endif
