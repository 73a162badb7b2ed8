/* Does the monitor of a claim get there in a replayed run? Part of the judge.
 */
#ifndef OMEN_DRIVER_REPLAY_JUDGE_PROPERTY_H
#define OMEN_DRIVER_REPLAY_JUDGE_PROPERTY_H

#include "monitor/property.h"
#include "witness/witness.h"

/* Run the monitor over the trace of a replay, up to `last`, where the claim
   says that it lands in its category. `known` tells whether the trace that the
   claim is about has the event, too: a replay is loaded with accesses that were
   left out there, since they were one thread's business. */
bool omen_judge_monitor (const omen_trace *replayed,
                         const omen_property *property, const omen_claim *claim,
                         omen_eid last,
                         bool (*known) (const void *context, omen_eid e),
                         const void *context);

#endif
