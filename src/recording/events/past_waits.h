/* Private to past.c: which threads wait for a condition after the first events
   of a trace, and how many notifies are still available to each.

   The notifies since a later wait are a subset of those since an earlier one,
   so a count for each waiter suffices: a return consumes the earliest notify
   available to it, which was also available to all waiters with a count at
   least as high (the same rule as in model/lattice_plan.h). */
#ifndef OMEN_RECORDING_EVENTS_PAST_WAITS_H
#define OMEN_RECORDING_EVENTS_PAST_WAITS_H

#include "trace/trace.h"

typedef struct omen_past_waits {
  const omen_trace *trace;
  uint32_t *wait; /* by thread: event, or OMEN_NONE */
  uint32_t
      *counts_on; /* by waiting thread: notifies; OMEN_NONE: a notifyall came */
  uint32_t waiting; /* threads */
} omen_past_waits;

void omen_past_waits_init (omen_past_waits *waits, const omen_trace *trace);
void omen_past_waits_fini (omen_past_waits *waits);
/* The next event. */
void omen_past_waits_note (omen_past_waits *waits, uint32_t event);
/* Of the first `end` events, which were passed in, marks those waits and as
   many notifies as they may use. */
void omen_past_waits_mark (const omen_past_waits *waits, size_t end,
                           uint8_t *stays);

#endif
