/* The result of analysing one process in omen check: its trace and verified
   findings.

     omen_checked checked;
     if (!omen_checked_make (&checked, "omen.out/run.omen", &job, &err)) …

   Findings with the same fingerprint become one finding with a count. */
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
  omen_findings spares; /* verified alternatives to findings, tried if their
                           replay diverges */
  size_t spare_events;  /* in their schedules */
  omen_findings trials; /* to be tried by replay (finding.h) */
} omen_checked;

typedef OMEN_VEC (omen_checked) omen_checked_list;

/* How a run failed without dying of a signal. */
typedef struct omen_ending {
  char *how;      /* "exit code 3, and 0 in the first run"; NULL: no failure */
  char *said;     /* message of a sanitizer, or NULL */
  char *violated; /* "property P: match, at f.c:3"; NULL: no property is */
  char *bound;    /* what these bind: "a=0x404080"; NULL: nothing */
  bool died;      /* terminated by a sanitizer */
} omen_ending;

/* Did it fail at all? */
static inline bool
omen_ending_failed (const omen_ending *ending)
{
  return ending->how || ending->violated;
}

/* How it names a verdict; `location` may be NULL. The caller frees it. */
char *omen_violated_text (const char *property, const char *category,
                          const char *location);
/* All of it in one line, or NULL; the caller frees it with omen_free. */
char *omen_ending_text (const omen_ending *ending);
void omen_ending_fini (omen_ending *ending);

/* Settings and results for all processes of a check. */
typedef struct omen_check_job {
  omen_predict_options options;
  bool model_given, nondet, spares;
  bool all; /* also analyse settled accesses */
  const omen_spec_list *specs;
  omen_spec_coverage *coverage;    /* by property file */
  omen_suppressions *suppressions; /* or NULL */
  omen_baseline *baseline;         /* or NULL */
  bool by_cause;     /* findings will be combined by cause (fold.h) */
  omen_names seen;   /* fingerprints, of all processes */
  omen_ids kept;     /* by fingerprint: findings kept; OMEN_NONE: unwanted */
  omen_ids counts;   /* by fingerprint: instances only counted */
  omen_names places; /* omen_report_place of findings that are kept */
  omen_names unverified;        /* of kept ones that are unverified */
  omen_names suppressed, known; /* fingerprints; of blocks if by_cause */
  const omen_ending *ending;    /* of the current run, or NULL */
  bool again;                   /* not the first run: only new findings count */
  uint64_t undecided;           /* candidates, in the first run */
  double part;     /* least analysed part of a trace (time, memory); 1: all */
  uint64_t memory; /* bytes; 0: no limit */
  omen_progress *shown;
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all);
  void (*loaded) (void *context, const char *path, const omen_trace *trace);
  void (*found) (void *context); /* called when a finding was added */
  void *context;
} omen_check_job;

void omen_check_job_init (omen_check_job *job);
void omen_check_job_fini (omen_check_job *job);

/* `signal`: that the process died of; 0: none, or unknown. False: the trace
   cannot be loaded, or, if err->where is empty, there was an internal error. */
bool omen_checked_make (omen_checked *checked, const char *path,
                        unsigned signal, omen_check_job *job, omen_err *err);
void omen_checked_fini (omen_checked *checked);

#endif
