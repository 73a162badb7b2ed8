/* Findings on their way to the user: each witness is verified, by as many
   threads as there are jobs, and the findings are handed on in the order in
   which they came. What comes out is the same for any number of jobs.

     v = omen_verifying_new (trace, jobs, tell, context, &err);
     omen_verifying_take (v, &finding);  …        tell is called, now or later
     omen_verifying_finish (v);                   for those still waiting
     omen_verifying_free (v);

   Findings are gathered until verifying them is worth starting threads; with
   one job each is handed on at once.

   A verdict of a property that the verifier cannot judge by code of its own
   comes out as OMEN_STATUS_UNVERIFIED, with the reason in its note. One that
   the formula does not give by its definition does not come out at all: the
   monitor is wrong there, and a warning says so once a property. */
#ifndef OMEN_DRIVER_VERIFYING_H
#define OMEN_DRIVER_VERIFYING_H

#include "witness/finding.h"

typedef struct omen_verifying omen_verifying;

/* A finding without a witness, or whose witness holds; or, err->set, one whose
   witness does not. False: stop. The finding stays the caller's. */
typedef bool (*omen_verified) (void *context, omen_finding *finding,
                               const omen_err *err);

/* The trace must outlive it. NULL: the verifier refuses the trace. */
omen_verifying *omen_verifying_new (const omen_trace *trace, unsigned jobs,
                                    omen_verified verified, void *context,
                                    omen_err *err);
void omen_verifying_free (omen_verifying *verifying);
/* For claims of property; before the first finding. Borrowed. */
struct omen_spec_list;
void omen_verifying_specs (omen_verifying *verifying,
                           const struct omen_spec_list *specs);
/* Takes the finding over. False: `verified` said stop, now or before. */
bool omen_verifying_take (omen_verifying *verifying, omen_finding *finding);
bool omen_verifying_finish (omen_verifying *verifying);

#endif
