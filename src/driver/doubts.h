/* Findings that depend on what a library does that was not woven. A trace with
   hb(o,maybe) is looked at twice: as it is, and what is found is certain; then
   without these orders, and what is found only then is unverified: it happens
   if the library does not synchronise there.

     omen_doubts_init (&doubts, trace);
     … detectors on trace; for each finding that was verified:
         omen_doubts_judge (&doubts, reporter, &finding)           true
     if (omen_doubts_any (&doubts)) {
       loose = omen_doubts_loosen (&doubts);
       … detectors on loose; for each that was verified with loose:
           omen_doubts_judge (&doubts, reporter, &finding)   false: it is known
     }
     omen_doubts_fini (&doubts);

   A trace that was made of a recording may have reads that nothing explains;
   what comes after one is unverified, too. */
#ifndef OMEN_DRIVER_DOUBTS_H
#define OMEN_DRIVER_DOUBTS_H

#include "report/report.h"

typedef struct omen_doubts {
  const omen_trace *trace;
  omen_trace loose;   /* once it is wanted */
  omen_names certain; /* what was found with the orders */
} omen_doubts;

void omen_doubts_init (omen_doubts *doubts, const omen_trace *trace);
void omen_doubts_fini (omen_doubts *doubts);
bool omen_doubts_any (const omen_doubts *doubts);
const omen_trace *omen_doubts_loosen (omen_doubts *doubts);
/* The first time round, remembers it, and makes it unverified if it comes after
   a read that nothing explains; the second time, makes it unverified,
   with a note that names the libraries, unless it is one of those: false. */
bool omen_doubts_judge (omen_doubts *doubts, omen_reporter *reporter,
                        omen_finding *finding);

#endif
