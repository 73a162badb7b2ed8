/* Private to report/: the instances of a finding by_cause, mostly pairs of
   accesses.

     withdraw is not atomic: R-W-W on balance, and 2 more pairs of accesses
       other pairs:
         R-W-R on balance and limit: f.c:3, f.c:5
         W-R-W on limit: f.c:4, f.c:5

   An instance from another run refers to its own trace, and needs a reporter
   for that. */
#ifndef OMEN_REPORT_PAIRS_H
#define OMEN_REPORT_PAIRS_H

#include "report/reporter.h"

/* "R-W-W on x and y". */
void omen_pair_headline (const omen_reporter *reporter,
                         const omen_finding *finding, FILE *out);
/* A line for each instance but the first, which is the finding itself; long
   lists are cut. Writes nothing if there are no others. */
void omen_pairs_text (omen_reporter *reporter, const omen_finding *finding,
                      const char *indent, FILE *out);

/* The reporter for this instance: `reporter`, or a new one for its own
   trace. */
omen_reporter *omen_pair_reporter (omen_reporter *reporter,
                                   const omen_finding *pair);
void omen_pair_reporter_done (omen_reporter *reporter, omen_reporter *own);

#endif
