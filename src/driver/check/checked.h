/* What omen check knows of one process: its trace and the verified findings.

     omen_checked checked;
     if (!omen_checked_make (&checked, "omen.out/run.omen", &job, &err)) …

   Findings of one fingerprint are one finding with a count. */
#ifndef OMEN_DRIVER_CHECK_CHECKED_H
#define OMEN_DRIVER_CHECK_CHECKED_H

#include "driver/progress.h"
#include "driver/spec_coverage.h"
#include "driver/spec_list.h"
#include "report/baseline.h"
#include "report/suppress.h"

typedef struct omen_checked {
  char *path;
  omen_trace *trace;
  omen_findings findings;
  omen_findings spares; /* the same again by other events, verified: to be tried
                           if the replay goes another way */
  size_t spare_events;  /* in their schedules */
  omen_findings trials; /* what only a replay can tell of (finding.h) */
} omen_checked;

typedef OMEN_VEC (omen_checked) omen_checked_list;

/* How a run failed that did not die of a signal. */
typedef struct omen_ending {
  char *how;  /* "exit code 3, and 0 in the first run"; NULL: it did not fail */
  char *said; /* what a sanitizer says of it, or NULL */
  bool died;  /* a sanitizer ended it */
} omen_ending;

void omen_ending_fini (omen_ending *ending);

/* All processes of a check. */
typedef struct omen_check_job {
  omen_predict_options options;
  bool model_given, nondet, spares;
  bool all; /* also what is settled */
  const omen_spec_list *specs;
  omen_spec_coverage *coverage;    /* of each of them */
  omen_suppressions *suppressions; /* or NULL */
  omen_baseline *baseline;         /* or NULL */
  bool by_cause;                   /* the findings will be folded (fold.h) */
  omen_names seen;                 /* fingerprints of all processes */
  omen_ids kept;      /* by fingerprint: findings; OMEN_NONE: none is wanted */
  omen_ids counts;    /* by fingerprint: instances that were not kept */
  omen_names places;  /* of what was kept (omen_report_place) */
  omen_names doubted; /* of what was kept and is unverified */
  omen_names suppressed, known; /* fingerprints, of blocks if by_cause */
  const omen_ending *ending;    /* of the run that is looked at, or NULL */
  bool again;                   /* not the first run: only what is new counts */
  uint64_t undecided;           /* candidates of the first run */
  double part;                  /* of it, for want of time or memory; 1: all */
  uint64_t memory;              /* bytes; 0: no limit */
  omen_progress *shown;
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all);
  void (*loaded) (void *context, const char *path, const omen_trace *trace);
  void (*found) (void *context); /* a finding was added */
  void *context;
} omen_check_job;

void omen_check_job_init (omen_check_job *job);
void omen_check_job_fini (omen_check_job *job);

/* `signal`: what the process died of, 0 if of none, or that is not known.
   False: the trace cannot be loaded, or (err->where empty) omen is wrong. */
bool omen_checked_make (omen_checked *checked, const char *path,
                        unsigned signal, omen_check_job *job, omen_err *err);
void omen_checked_fini (omen_checked *checked);

#endif
