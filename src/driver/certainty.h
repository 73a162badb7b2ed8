/* Findings that depend on what uninstrumented libraries do. A trace with
   hb(o,maybe) is analysed twice: unchanged, for findings that are certain; then
   without these orders. What is found only then is unverified: it is possible
   if the library does not synchronise there.

     omen_certainty_init (&certainty, trace);
     … detectors on trace; for each finding that was verified:
         omen_certainty_judge (&certainty, reporter, &finding)           true
     if (omen_certainty_any (&certainty)) {
       loose = omen_certainty_loosen (&certainty);
       … detectors on loose; for each that was verified with loose:
           omen_certainty_judge (&certainty, reporter, &finding)   false: it is
   known
     }
     omen_certainty_fini (&certainty);

   Findings after a read that nothing in the recording explains are unverified,
   too. */
#ifndef OMEN_DRIVER_CERTAINTY_H
#define OMEN_DRIVER_CERTAINTY_H

#include "report/report.h"

typedef struct omen_certainty {
  const omen_trace *trace;
  omen_trace loose;   /* made when needed */
  omen_names certain; /* keys of findings with these orders */
} omen_certainty;

void omen_certainty_init (omen_certainty *certainty, const omen_trace *trace);
void omen_certainty_fini (omen_certainty *certainty);
bool omen_certainty_any (const omen_certainty *certainty);
const omen_trace *omen_certainty_loosen (omen_certainty *certainty);
/* In the first analysis, records the finding, and makes it unverified if it
   comes after an unexplained read; returns true. In the second one, returns
   false if the finding is certain, else makes it unverified with a note that
   names the libraries. */
bool omen_certainty_judge (omen_certainty *certainty, omen_reporter *reporter,
                           omen_finding *finding);

#endif
