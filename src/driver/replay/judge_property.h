/* Does the monitor of a claim reach its verdict in a replayed run? Part of the
   judge. */
#ifndef OMEN_DRIVER_REPLAY_JUDGE_PROPERTY_H
#define OMEN_DRIVER_REPLAY_JUDGE_PROPERTY_H

#include "monitor/property.h"
#include "witness/witness.h"

/* Run the monitor over the trace of a replay, up to `last`; true if it then
   enters the claimed category. `known`: whether the trace of the claim also has
   the event; a replay is loaded with all accesses, including those of one
   thread alone. */
bool omen_judge_monitor (const omen_trace *replayed,
                         const omen_property *property, const omen_claim *claim,
                         omen_eid last,
                         bool (*known) (const void *context, omen_eid e),
                         const void *context);

#endif
