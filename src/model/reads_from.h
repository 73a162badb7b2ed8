/* Quick answers to "can this read see that write?", without search and over the
   whole trace: the counterpart of quick.h for nondeterministic reads.

     T1|w(x)  0          read 3 saw 0; can it see 1 (the rival)?
     T2|w(x)  1          order wcr: 0, then 1, then 3
     T3|r(x)  3          order cr:  1, then 3, and 0 not at all

   Refuted, if what must come before the read (clocks, the locks it holds, what
   other reads saw) puts another write behind the rival, or includes the read.
   Shown, if a plan works: the events that are needed, in trace order (the
   base), then at most three stretches of single threads: up to the rival and
   out of its locks, up to the read, up to the writer. A stretch may be moved
   behind the base if no event of the base conflicts with it and is later in the
   trace; then every read sees what it saw.

   Cost: O(threads x locks held + threads of the variable), and a walk over the
   critical section around an event the first time it is moved.

   Source: the witnesses of the nondeterminism paper, section III. */
#ifndef OMEN_MODEL_READS_FROM_H
#define OMEN_MODEL_READS_FROM_H

#include "model/quick.h"

/* A read, the write it saw, the one it is to see; OMEN_NONE: the initial one.
 */
typedef struct omen_triple {
  omen_eid read, writer, rival;
  uint32_t atom;
} omen_triple;

/* Where the writer is: before the rival, behind the read, or nowhere. */
typedef enum omen_rf_order {
  OMEN_RF_WCR,
  OMEN_RF_CRW,
  OMEN_RF_CR,
  OMEN_RF_ORDERS
} omen_rf_order;

#define OMEN_STRETCHES 3u

/* A reordering in short: a cut in the order of the trace, then stretches. */
typedef struct omen_rf_plan {
  uint32_t *base; /* by thread: how many events; caller's room */
  struct {
    omen_tid thread;
    uint32_t end; /* index in the thread, one past the last */
  } stretch[OMEN_STRETCHES];
  uint32_t stretches;
} omen_rf_plan;

typedef struct omen_rf_search omen_rf_search;

/* A workspace for one thread; model and quick may be shared. */
omen_rf_search *omen_rf_search_new (const omen_model *model,
                                    const omen_quick *quick, bool by_value);
void omen_rf_search_free (omen_rf_search *search);

/* FOUND: `plan` is filled in. ABSENT is a proof. UNKNOWN: ask the engine. */
omen_verdict omen_rf_ask (omen_rf_search *search, const omen_triple *triple,
                          omen_rf_order order, omen_rf_plan *plan);

/* After an answer other than ABSENT: must the rival (wcr) or the writer (crw)
   be followed by more of its thread? If not, nothing depends on where it
   stands, and the witness has no choices. */
bool omen_rf_goes_on (const omen_rf_search *search, const omen_triple *triple,
                      omen_rf_order order);

/* The events of a plan, appended. O(events up to the last of the base). */
void omen_plan_sequence (const omen_model *model, const omen_rf_plan *plan,
                         omen_ids *events);

#endif
