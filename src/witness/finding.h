/* A finding: what a detector reports, with the witness that shows it. Made by
   predict/, judged by verify, reported by report/.

     race   claim race 3 7, sequence up to where both are next

   A finding may represent all instances of its cause (by_cause), e.g. all pairs
   of accesses that show a block not to be atomic. It then describes one of
   them, with its witness; `more` has the others, which are findings of the same
   kind, each verified by itself.

   Owner: the finding owns its witness, its note and `more`;
   omen_finding_fini. */
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

/* How serious a finding is. */
typedef enum omen_severity {
  OMEN_SEVERITY_NOTE,    /* no mistake in most programs */
  OMEN_SEVERITY_WARNING, /* a mistake if the program is meant to prevent it */
  OMEN_SEVERITY_ERROR,
  OMEN_SEVERITIES
} omen_severity;

typedef enum omen_status {
  OMEN_STATUS_PREDICTED, /* not yet verified: never printed */
  OMEN_STATUS_VERIFIED,
  OMEN_STATUS_CONFIRMED,  /* verified, and seen to happen, in a replay or in the
                             recorded run */
  OMEN_STATUS_DIVERGED,   /* verified, but the replay went another way */
  OMEN_STATUS_UNVERIFIED, /* reported by a rule or a monitor; the engine or the
                             verifier cannot decide it */
  OMEN_STATUS_REFUTED,    /* reported by a rule; no run shows it: no witness */
  OMEN_STATUSES
} omen_status;

typedef struct omen_finding {
  omen_finding_kind kind;
  omen_status status;
  omen_witness witness;
  uint32_t count;      /* instances folded into this one */
  omen_eid writer;     /* nondet: what the read saw in the trace; OMEN_NONE: the
                          initial value */
  char *pattern;       /* atomicity: "R-W-R", or NULL */
  omen_ids blame;      /* atomicity: begin or enter of the blocks that are not
                          atomic, innermost first */
  uint32_t blame_more; /* how many of these a findings.json leaves out */
  uint32_t signal;     /* failure: the signal that ended the run; 0: none, see
                          `ending` */
  char *ending; /* failure without signal: "exit code 3, and 0 in the first run"
                 */
  char *said;   /* failure, lifetime: a sanitizer's message, or NULL */
  const char *error;    /* SideTrack: "before", "in", "after"; else NULL */
  omen_eid acquires[3]; /* SideTrack: first, culprit's, second */
  bool spare;           /* the same as the finding before it, by other events */
  bool trial;    /* unverified: the witness is a schedule to try, in which some
                    reads see something else; it is not verified */
  bool seen;     /* the recorded run itself showed it */
  bool by_cause; /* represents all instances of its cause */
  OMEN_VEC (struct omen_finding) more; /* by_cause: the other instances */
  uint32_t left_out; /* by_cause: further instances, which are only counted */
  const omen_trace
      *trace;    /* of one of `more` that was found in another run; else NULL */
  char *outcome; /* result of a replay, or NULL */
  char *note;    /* an additional sentence, or NULL: "release store at … is
                    relaxed" */
} omen_finding;

void omen_finding_fini (omen_finding *finding);
/* The instances (mostly pairs of accesses) of a finding by_cause, itself the
   first; any other finding has only itself. */
size_t omen_finding_pairs (const omen_finding *finding);
const omen_finding *omen_finding_pair (const omen_finding *finding, size_t k);
/* The number of all instances, including those only counted. */
uint32_t omen_finding_instances (const omen_finding *finding);
/* Unverified findings may have no witness, refuted ones have none. */
bool omen_finding_has_witness (const omen_finding *finding);
/* The witness was accepted: the finding is verified, or confirmed if the
   recorded run itself showed it. */
void omen_finding_verified (omen_finding *finding);
/* Nondeterminism is a note. Atomicity is an error for blocks that the program
   marks as atomic, a warning for functions, which it does not. All else is an
   error. */
omen_severity omen_finding_severity (const omen_trace *trace,
                                     const omen_finding *finding);
const char *omen_severity_text (omen_severity severity);
const char *omen_finding_kind_text (omen_finding_kind kind);
const char *omen_status_text (omen_status status);

/* Where findings go. */
typedef struct omen_sink {
  /* Takes ownership of the finding. False: stop predicting. */
  bool (*found) (void *context, omen_finding *finding);
  /* May be NULL. `what` is a word such as "race". */
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all);
  void *context;
} omen_sink;

#endif
