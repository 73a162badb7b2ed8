/* What omen check knows of one process: its trace and the verified findings.

     omen_checked checked;
     if (!omen_checked_make (&checked, "omen.out/run.omen", &job, &err)) …

   Findings of one fingerprint are one finding with a count. */
#ifndef OMEN_CMD_CHECKED_H
#define OMEN_CMD_CHECKED_H

#include "cmd/sights.h"
#include "cmd/spec_list.h"
#include "report/baseline.h"
#include "report/suppress.h"

typedef struct omen_checked {
  char *path;
  omen_trace *trace;
  omen_findings findings;
} omen_checked;

/* All processes of a check. */
typedef struct omen_check_job {
  omen_predict_options options;
  bool model_given;
  const omen_spec_list *specs;
  omen_sights *sights; /* of each of them */
  omen_suppressions *suppressions; /* or NULL */
  omen_baseline *baseline;         /* or NULL */
  bool by_block; /* the findings will be folded (fold.h) */
  omen_names seen;                 /* fingerprints of all processes */
  omen_ids counts;                 /* by fingerprint: instances */
  omen_names suppressed, known;    /* fingerprints, of blocks if by_block */
  uint64_t undecided;
  void (*progress) (void *context, const char *what, uint64_t done,
                    uint64_t all);
  void (*loaded) (void *context, const char *path, const omen_trace *trace);
  void *context;
} omen_check_job;

void omen_check_job_init (omen_check_job *job);
void omen_check_job_fini (omen_check_job *job);

/* False: the trace cannot be loaded, or (err->where empty) omen is wrong. */
bool omen_checked_make (omen_checked *checked, const char *path,
                        omen_check_job *job, omen_err *err);
void omen_checked_fini (omen_checked *checked);

#endif
