/* Private to report/: what a finding by_cause stands for, mostly pairs of
   accesses.

     withdraw is not atomic: R-W-W on balance, and 2 more pairs of accesses
       other pairs:
         R-W-R on balance and limit: f.c:3, f.c:5
         W-R-W on limit: f.c:4, f.c:5

   One of another run has names from its own trace: each is told by a reporter
   for it. */
#ifndef OMEN_REPORT_PAIRS_H
#define OMEN_REPORT_PAIRS_H

#include "report/reporter.h"

/* "R-W-W on x and y". */
void omen_pair_headline (const omen_reporter *reporter,
                         const omen_finding *finding, FILE *out);
/* A line for each pair but the first, which the finding tells itself; long
   lists are cut. Nothing if there is none. */
void omen_pairs_text (omen_reporter *reporter, const omen_finding *finding,
                      const char *indent, FILE *out);

/* The reporter to tell this pair by: `reporter`, or one for its own trace. */
omen_reporter *omen_pair_reporter (omen_reporter *reporter,
                                   const omen_finding *pair);
void omen_pair_reporter_done (omen_reporter *reporter, omen_reporter *own);

#endif
