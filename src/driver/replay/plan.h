/* Writes a witness as a plan for the runtime (src/runtime/sched/replay.h).

   The events of the schedule become items of their threads, which are named by
   how they were created. Then come the steps that show the claim: both accesses
   of a race one right after the other, the requests of a deadlock until each
   thread waits, and so on. */
#ifndef OMEN_DRIVER_REPLAY_PLAN_H
#define OMEN_DRIVER_REPLAY_PLAN_H

#include "monitor/property.h"
#include "witness/witness.h"

/* `property`: of the claim, or NULL. `process`: that the plan is for
   (driver/replay/origin.h). `end`: what the program does after the plan (free,
   serial, stop, exit); after a deadlock always exit. `spin-limit`: for how many
   ms a thread may compute without coming to its next item; 0: no limit. False:
   it cannot be replayed (err->what says why) or written. */
bool omen_plan_write (const omen_trace *trace, const omen_witness *witness,
                      const omen_property *property, const char *process,
                      const char *end, uint64_t spin_limit, FILE *out,
                      omen_err *err);

/* Writes a plan for the beginning of a run: these events of the trace in this
   order, with all earlier events of their threads; then `more` items past the
   event `last` (OMEN_NONE: none). It continues as `end` says. `early`: `last`
   is a wait or its wake, which is to happen without a notify. */
bool omen_plan_write_beginning (const omen_trace *trace, const omen_ids *events,
                                omen_eid last, unsigned more, bool early,
                                const char *end, FILE *out, omen_err *err);

#endif
