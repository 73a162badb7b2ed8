/* Known findings: those of an earlier findings.json.

   Two findings are the same if they have the same fingerprint: kind, subject,
   and for each event the operation with its function and file, or with its line
   if the function is unknown. So a baseline remains valid when the file is
   edited elsewhere. */
#ifndef OMEN_REPORT_BASELINE_H
#define OMEN_REPORT_BASELINE_H

#include "report/report.h"

typedef struct omen_baseline omen_baseline;

/* `path`: the file, or a directory with a findings.json. */
omen_baseline *omen_baseline_load (const char *path, omen_err *err);
void omen_baseline_free (omen_baseline *baseline); /* NULL is fine */
bool omen_baseline_has (const omen_baseline *baseline, omen_reporter *reporter,
                        const omen_finding *finding);

#endif
