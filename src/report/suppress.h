/* Suppression of findings, in the file syntax of ThreadSanitizer's
   suppressions:

     # a comment
     race:third_party/          any frame, file or variable that contains it
     deadlock:^init_*$          * is any text; ^ and $ are the ends
     race_top:log_line          innermost functions only

   Kinds: those of findings (race, deadlock, misuse, atomicity, nondet,
   property), race_top, and ThreadSanitizer's mutex (which is misuse here) and
   thread, signal, called_from_lib, which are ignored. Anything else is an
   error, with its line. */
#ifndef OMEN_REPORT_SUPPRESS_H
#define OMEN_REPORT_SUPPRESS_H

#include "report/report.h"

typedef struct omen_suppressions omen_suppressions;

omen_suppressions *omen_suppressions_load (const char *path, omen_err *err);
void omen_suppressions_free (omen_suppressions *list); /* NULL is fine */
/* Does some line match the finding? */
bool omen_suppressed (omen_suppressions *list, omen_reporter *reporter,
                      const omen_finding *finding);

/* Does the pattern of such a line match the text? */
bool omen_suppress_match (const char *pattern, const char *text);

#endif
