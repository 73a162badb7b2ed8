/* Findings of one cause (report/cause.h), made one finding (by_cause) that
   stands for all its instances: it is the cause that somebody has to look at.

     omen_fold fold;
     omen_fold_init (&fold);
     omen_fold_run (&fold, trace, &findings);    for each run
     omen_fold_end (&fold);

   The first run that shows a cause keeps its finding; instances of later runs
   become part of it. Of its own run's instances the one that is the easiest to
   follow leads: of blocks that are not atomic one variable before two, early
   before late. Nothing is judged here: all findings are verified already, and
   keep their witnesses. Instances beyond OMEN_FOLD_MOST are only counted.

   The lists of findings must stay where they are until the end. */
#ifndef OMEN_DRIVER_FOLD_H
#define OMEN_DRIVER_FOLD_H

#include "base/map.h"
#include "report/report.h"

#define OMEN_FOLD_MOST 200u

typedef struct omen_fold {
  omen_names causes; /* their texts */
  omen_map group_of; /* (in doubt, cause) -> an entry that has it */
  OMEN_VEC (struct omen_fold_entry {
    const omen_trace *trace;
    omen_findings *findings;
    size_t at;
    uint32_t first; /* an earlier entry of the same cause, or itself */
    bool folded;    /* before, and perhaps told: it stays a finding */
  })
  entries; /* all findings */
} omen_fold;

void omen_fold_init (omen_fold *fold);
void omen_fold_run (omen_fold *fold, const omen_trace *trace,
                    omen_findings *findings);
void omen_fold_end (omen_fold *fold);
/* Let the k-th instance of a finding by_cause lead; it must be of the same run.
 */
void omen_fold_lead (omen_finding *finding, size_t k);

#endif
