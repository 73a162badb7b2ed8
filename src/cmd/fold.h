/* Findings about one block that is not atomic, made one finding (by_block): most
   functions that are not atomic are so by many pairs of variables, and it is the
   function that somebody has to look at.

     omen_fold fold;
     omen_fold_init (&fold);
     omen_fold_run (&fold, trace, &findings);    for each run
     omen_fold_fini (&fold);

   The first run that shows a block keeps its finding; pairs of later runs become
   part of it. Of its own run's pairs the one that is the easiest to follow leads:
   one variable before two, early before late. Nothing is judged here: all
   findings are verified already, and keep their witnesses. Findings of other
   kinds stay as they are.

   The lists of findings must stay where they are until fini. */
#ifndef OMEN_CMD_FOLD_H
#define OMEN_CMD_FOLD_H

#include "report/report.h"

typedef struct omen_fold {
  omen_names blocks; /* by fingerprint */
  OMEN_VEC (struct omen_fold_lead {
    const omen_trace *trace;
    omen_findings *findings;
    size_t at;
  }) leads; /* of blocks */
} omen_fold;

void omen_fold_init (omen_fold *fold);
void omen_fold_fini (omen_fold *fold);
void omen_fold_run (omen_fold *fold, const omen_trace *trace,
                    omen_findings *findings);
/* Let the k-th pair of a finding by_block lead; it must be of the same run. */
void omen_fold_lead (omen_finding *finding, size_t k);

#endif
