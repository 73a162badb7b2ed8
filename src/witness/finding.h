/* A finding: what a detector says, with the witness that shows it. Made by
   predict/, judged by verify, told by report/.

     race   claim race 3 7, sequence up to where both are next

   A finding may stand for all that have its cause (by_cause): say, for all
   pairs of accesses by which a block is not atomic. It is then about one of
   them, with its witness, and `more` has the others, which are findings of the
   same kind, each verified by itself.

   Owner: the finding owns its witness, its note and `more`; omen_finding_fini.
 */
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
  OMEN_FINDING_FAILURE, /* the run died of a signal, or failed otherwise */
  OMEN_FINDING_LIFETIME,
  OMEN_FINDINGS
} omen_finding_kind;

/* How much somebody wants to know of it. */
typedef enum omen_severity {
  OMEN_SEVERITY_NOTE,    /* no mistake in most programs */
  OMEN_SEVERITY_WARNING, /* one if the program was meant that way */
  OMEN_SEVERITY_ERROR,
  OMEN_SEVERITIES
} omen_severity;

typedef enum omen_status {
  OMEN_STATUS_PREDICTED, /* not yet verified: never printed */
  OMEN_STATUS_VERIFIED,
  OMEN_STATUS_CONFIRMED,  /* verified, and seen to happen, in a replay or in the
                             recorded run */
  OMEN_STATUS_DIVERGED,   /* verified, but the replay went another way */
  OMEN_STATUS_UNVERIFIED, /* a rule or a monitor says so, the engine or the
                             verifier cannot say */
  OMEN_STATUS_REFUTED,    /* a rule says so, no run shows it: no witness */
  OMEN_STATUSES
} omen_status;

typedef struct omen_finding {
  omen_finding_kind kind;
  omen_status status;
  omen_witness witness;
  uint32_t count;    /* instances folded into this one */
  omen_eid writer;   /* nondet: what the read saw in the trace; OMEN_NONE: the
                        initial value */
  char *pattern;     /* atomicity: "R-W-R", or NULL */
  omen_ids blame;    /* atomicity: begin or enter of the blocks that are not
                        atomic, innermost first */
  uint32_t signal;   /* failure: what the run died of; 0: of none, but … */
  char *ending;      /* … "exit code 3, and 0 in the first run" */
  char *said;        /* … and what a sanitizer said of it; or NULL */
  const char *error; /* SideTrack: "before", "in", "after"; else NULL */
  omen_eid acquires[3]; /* SideTrack: first, culprit's, second */
  bool spare;           /* the one before it again, by other events */
  bool trial;    /* unverified: its witness is a schedule to be tried, in which
                    some    reads see something else; nobody verifies it */
  bool seen;     /* the recorded run itself showed it */
  bool by_cause; /* it stands for all instances of its cause */
  OMEN_VEC (struct omen_finding) more; /* … which are this one and these */
  uint32_t left_out;       /* … and so many, which are only counted */
  const omen_trace *trace; /* of one of `more`, if it was found in another run;
                              else NULL */
  char *outcome;           /* what came of a replay, or NULL */
  char *note; /* a sentence more, or NULL: "release store at … is relaxed" */
} omen_finding;

void omen_finding_fini (omen_finding *finding);
/* The instances (pairs of accesses, mostly) that a finding by_cause stands for,
   itself the first; of any other finding, itself alone. */
size_t omen_finding_pairs (const omen_finding *finding);
const omen_finding *omen_finding_pair (const omen_finding *finding, size_t k);
/* The instances of all of them. */
uint32_t omen_finding_instances (const omen_finding *finding);
/* An unverified finding may have none, a refuted one has none. */
bool omen_finding_has_witness (const omen_finding *finding);
/* Its witness holds: it is verified; confirmed at once if the recorded run
   itself showed it. */
void omen_finding_verified (omen_finding *finding);
/* What the program says is an error: blocks that it marks as atomic are, and
   functions, which nobody called atomic, are not. */
omen_severity omen_finding_severity (const omen_trace *trace,
                                     const omen_finding *finding);
const char *omen_severity_text (omen_severity severity);
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
