/* Combines findings with a common cause (report/cause.h) into one finding
   (by_cause) with instances, since the user has to deal with the cause.

     omen_fold fold;
     omen_fold_init (&fold);
     omen_fold_run (&fold, trace, &findings);    for each run
     omen_fold_end (&fold);

   The finding is that of the first run with this cause; instances of later runs
   are added to it. Of the instances of its own run the one that is easiest to
   understand leads: for atomicity violations those with one variable before
   those with two, otherwise the first. Nothing is verified here: all findings
   are verified already, and keep their witnesses. Instances beyond
   OMEN_FOLD_MOST are only counted.

   The lists of findings must not move before omen_fold_end. */
#ifndef OMEN_DRIVER_FOLD_H
#define OMEN_DRIVER_FOLD_H

#include "base/map.h"
#include "report/report.h"

#define OMEN_FOLD_MOST 200u

typedef struct omen_fold {
  omen_names causes; /* texts of causes */
  omen_map group_of; /* (unverified, cause) -> an entry with it */
  OMEN_VEC (struct omen_fold_entry {
    const omen_trace *trace;
    omen_findings *findings;
    size_t at;
    uint32_t first; /* an earlier entry of the group, or itself */
    bool folded;    /* folded earlier and perhaps reported: stays a finding */
  })
  entries; /* all findings */
} omen_fold;

void omen_fold_init (omen_fold *fold);
void omen_fold_run (omen_fold *fold, const omen_trace *trace,
                    omen_findings *findings);
void omen_fold_end (omen_fold *fold);
/* Make the k-th instance of a finding by_cause its lead; it must be of the same
   run. */
void omen_fold_lead (omen_finding *finding, size_t k);

#endif
