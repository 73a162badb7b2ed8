/* A witness as a plan for the runtime (src/runtime/sched/replay.h).

   The events of a schedule become items of their threads, threads are named by
   how they were made; then come the steps that show the claim: both accesses of
   a race one right after the other, the requests of a deadlock until each
   waits. */
#ifndef OMEN_DRIVER_REPLAY_PLAN_H
#define OMEN_DRIVER_REPLAY_PLAN_H

#include "monitor/property.h"
#include "witness/witness.h"

/* `property`: the one that the claim is about; NULL if there is none, or it is
   not known. `process`: whose plan it is (driver/replay/origin.h). `end`: what
   the program does after the plan: free, serial, stop, exit; it is ended after
   a deadlock. `patience`: for so many ms a thread may compute and not come to
   what the plan wants; 0: for any time. False: it cannot be replayed (err->what
   says why), or not written. */
bool omen_plan_write (const omen_trace *trace, const omen_witness *witness,
                      const omen_property *property, const char *process,
                      const char *end, uint64_t patience, FILE *out,
                      omen_err *err);

/* What a new run has to do: these events of the trace in this order, of each
   thread as much as is before them, too; then `more` items past the event
   `last` (OMEN_NONE: nothing more). Then it goes on as `end` says. */
bool omen_plan_write_beginning (const omen_trace *trace, const omen_ids *events,
                                omen_eid last, unsigned more, const char *end,
                                FILE *out, omen_err *err);

#endif
