/* Which findings make the exit code 1: --fail-on.

     omen_fail_on on = OMEN_FAIL_ON_ERRORS;
     if (omen_fail_on_has (&on, trace, &finding)) … */
#ifndef OMEN_DRIVER_FAIL_ON_H
#define OMEN_DRIVER_FAIL_ON_H

#include "witness/finding.h"

typedef struct omen_fail_on {
  unsigned kinds;      /* bit k: findings of kind k, of any severity */
  omen_severity least; /* if no kinds: this severity and above */
} omen_fail_on;

#define OMEN_FAIL_ON_ERRORS { 0, OMEN_SEVERITY_ERROR }

bool omen_fail_on_has (const omen_fail_on *on, const omen_trace *trace,
                       const omen_finding *finding);

/* The number of findings of each severity. */
typedef struct omen_levels {
  size_t counts[OMEN_SEVERITIES];
} omen_levels;

void omen_levels_add (omen_levels *levels, const omen_trace *trace,
                      const omen_finding *finding);
/* "3 findings (1 error, 2 warnings)"; without severities if all are errors. */
void omen_levels_print (const omen_levels *levels, FILE *out);

#endif
