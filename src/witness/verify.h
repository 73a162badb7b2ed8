/* TRUSTED. Is this witness a reordering of the trace that shows its claim?
   Written from doc/semantics.md alone: one walk over the witness's sequence, on
   the raw trace. Shares no code with model, solve or predict, and may not
   include their headers. */
#ifndef OMEN_WITNESS_VERIFY_H
#define OMEN_WITNESS_VERIFY_H

#include "witness/witness.h"

/* What is read off a trace once and used for many witnesses of it. */
typedef struct omen_verifier omen_verifier;

/* The trace must outlive it. NULL if the trace is not well-formed in a way that
   the verifier depends on. */
omen_verifier *omen_verifier_new (const omen_trace *trace, omen_err *err);
/* Another verifier of the same trace, for another thread. It uses what the
   first has read off the trace, so it must be freed before that. */
omen_verifier *omen_verifier_share (const omen_verifier *verifier);
void omen_verifier_free (omen_verifier *verifier);

/* True if it holds; otherwise err says the first bad step and why, e.g.
   "step 4: T2:1 acq(l) at f.c:7: T1 holds l". */
bool omen_verify (omen_verifier *verifier, const omen_witness *witness,
                  omen_err *err);

/* Whether, and why, the last witness was refused. */
typedef enum omen_refusal {
  OMEN_REFUSED_NOT_AT_ALL,
  OMEN_REFUSED,         /* it is no reordering, or does not show the claim */
  OMEN_REFUSED_VERDICT, /* a property: the reordering is one, and the binding
                           sees the claimed events, but by its definition the
                           formula gives no such verdict on them */
  OMEN_REFUSED_UNJUDGED /* likewise, but the verifier cannot decide the verdict
                           by code of its own */
} omen_refusal;
omen_refusal omen_verify_refusal (const omen_verifier *verifier);

/* Add the properties of a file, known by its identity, for claims of property;
   verifiers made by omen_verifier_share from then on have them too.
   Borrowed. */
struct omen_property;
struct omen_written;
typedef struct omen_property_file {
  const struct omen_property *properties;
  const struct omen_written *written; /* the formulas of each, as they are
                                         written (monitor/written.h) */
  uint32_t count;
  uint64_t identity;
} omen_property_file;
void omen_verifier_properties (omen_verifier *verifier,
                               const omen_property_file *file);

#endif
