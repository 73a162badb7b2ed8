/* Private to past.c: who waits for a condition after the first events of a
   trace, and on how many notifies each may still count.

   The notifies since a later wait are among those since an earlier one, so all
   that matters of who got which is how many are left for each: a return takes
   the earliest that it can, which was there for everybody who could count on as
   many (the same rule as in model/lattice_plan.h). */
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
