/* Findings that depend on what uninstrumented libraries do. A trace with
   hb(o,maybe) is analysed twice: unchanged, for findings that are certain; then
   without these orders. What is found only then is unverified: it is possible
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

   Findings after a read that nothing in the recording explains are unverified,
   too. */
#ifndef OMEN_DRIVER_DOUBTS_H
#define OMEN_DRIVER_DOUBTS_H

#include "report/report.h"

typedef struct omen_doubts {
  const omen_trace *trace;
  omen_trace loose;   /* made when needed */
  omen_names certain; /* keys of findings with these orders */
} omen_doubts;

void omen_doubts_init (omen_doubts *doubts, const omen_trace *trace);
void omen_doubts_fini (omen_doubts *doubts);
bool omen_doubts_any (const omen_doubts *doubts);
const omen_trace *omen_doubts_loosen (omen_doubts *doubts);
/* In the first analysis, records the finding, and makes it unverified if it
   comes after an unexplained read; returns true. In the second one, returns
   false if the finding is certain, else makes it unverified with a note that
   names the libraries. */
bool omen_doubts_judge (omen_doubts *doubts, omen_reporter *reporter,
                        omen_finding *finding);

#endif
