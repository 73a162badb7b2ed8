/* Verifies the witnesses of findings in parallel, and passes the findings on in
   their original order. The result is the same for any number of jobs.

     v = omen_verifying_new (trace, jobs, report, context, &err);
     omen_verifying_take (v, &finding);  …      report is called, now or later
     omen_verifying_finish (v);                   for those still waiting
     omen_verifying_free (v);

   Findings are queued until verifying them justifies starting threads; with one
   job, each is passed on at once.

   A property verdict that the verifier cannot judge by its own code is passed
   on as OMEN_STATUS_UNVERIFIED, with the reason in its note. A verdict that
   contradicts the definition of the formula is dropped: the monitor is wrong,
   and there is a warning, once for each property. */
#ifndef OMEN_DRIVER_VERIFYING_H
#define OMEN_DRIVER_VERIFYING_H

#include "witness/finding.h"

typedef struct omen_verifying omen_verifying;

/* Called with a finding whose witness holds, or that has none; or, if err->set,
   with one whose witness does not hold. Return false to stop. The finding
   remains the caller's. */
typedef bool (*omen_verified) (void *context, omen_finding *finding,
                               const omen_err *err);

/* The trace must outlive it. NULL: the verifier rejects the trace. */
omen_verifying *omen_verifying_new (const omen_trace *trace, unsigned jobs,
                                    omen_verified verified, void *context,
                                    omen_err *err);
void omen_verifying_free (omen_verifying *verifying);
/* For property claims; to be called before the first finding. Borrowed. */
struct omen_spec_list;
void omen_verifying_specs (omen_verifying *verifying,
                           const struct omen_spec_list *specs);
/* Takes ownership of the finding. False: `verified` has returned false. */
bool omen_verifying_take (omen_verifying *verifying, omen_finding *finding);
bool omen_verifying_finish (omen_verifying *verifying);

#endif
