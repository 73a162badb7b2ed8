/* A finding: what a detector says, with the witness that shows it. Made by
   predict/, judged by verify, told by report/.

     race   claim race 3 7, sequence up to where both are next

   A finding may stand for a block that is not atomic (by_block): it is then
   about one pair of accesses, with its witness, and `more` has the others, which
   are findings of their own kind, each verified by itself.

   Owner: the finding owns its witness, its note and `more`; omen_finding_fini. */
#ifndef OMEN_WITNESS_FINDING_H
#define OMEN_WITNESS_FINDING_H

#include "witness/witness.h"

typedef enum omen_finding_kind {
  OMEN_FINDING_RACE,
  OMEN_FINDING_DEADLOCK,
  OMEN_FINDING_MISUSE,
  OMEN_FINDING_ATOMICITY,
  OMEN_FINDING_NONDET,
  OMEN_FINDING_PROPERTY,
  OMEN_FINDINGS
} omen_finding_kind;

typedef enum omen_status {
  OMEN_STATUS_PREDICTED, /* not yet verified: never printed */
  OMEN_STATUS_VERIFIED,
  OMEN_STATUS_CONFIRMED,  /* verified, and seen to happen in a replay */
  OMEN_STATUS_DIVERGED,   /* verified, but the replay went another way */
  OMEN_STATUS_UNVERIFIED, /* a rule says so, the engine cannot say */
  OMEN_STATUS_REFUTED,    /* a rule says so, no run shows it: no witness */
  OMEN_STATUSES
} omen_status;

typedef struct omen_finding {
  omen_finding_kind kind;
  omen_status status;
  omen_witness witness;
  uint32_t count; /* instances folded into this one */
  omen_eid writer; /* nondet: what the read saw in the trace; OMEN_NONE: the
                      initial value */
  char *pattern;  /* atomicity: "R-W-R", or NULL */
  omen_ids blame; /* atomicity: begin or enter of the blocks that are not
                     atomic, innermost first */
  const char *error; /* SideTrack: "before", "in", "after"; else NULL */
  omen_eid acquires[3]; /* SideTrack: first, culprit's, second */
  bool by_block; /* atomicity: it stands for all pairs of its block */
  OMEN_VEC (struct omen_finding) more; /* … which are this one and these */
  const omen_trace *trace; /* of one of `more`, if it was found in another run;
                              else NULL */
  char *outcome;  /* what came of a replay, or NULL */
  char *note;     /* a sentence more, or NULL: "release store at … is relaxed" */
} omen_finding;

void omen_finding_fini (omen_finding *finding);
/* The pairs of accesses that a finding by_block stands for, itself the first; of
   any other finding, itself alone. */
size_t omen_finding_pairs (const omen_finding *finding);
const omen_finding *omen_finding_pair (const omen_finding *finding, size_t k);
/* The instances of all of them. */
uint32_t omen_finding_instances (const omen_finding *finding);
/* An unverified finding may have none, a refuted one has none. */
bool omen_finding_has_witness (const omen_finding *finding);
const char *omen_finding_kind_text (omen_finding_kind kind);
const char *omen_status_text (omen_status status);

/* Where findings go. */
typedef struct omen_sink {
  /* Takes the finding over. False: stop predicting. */
  bool (*found) (void *context, omen_finding *finding);
  /* May be NULL. `what` is a word such as "race". */
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all);
  void *context;
} omen_sink;

#endif
