/* The same run in another order: one thread goes on as long as it can.

     before  T0[0..3] T1[0] T2[0] T1[1] T2[1] T1[2..5] T2[2..7]
     after   T0[0..3] T1[0..5] T2[0..7]

   Events that have to do with each other keep their order: of one thread; on
   one memory location, one of them a write; on one lock, condition, semaphore,
   barrier or object; a thread with its fork and its join; and the events that
   are claimed. So every event does the same, and all threads end where they
   did.

   With `needed_only`, events are left out that the claimed ones do not need: a
   read needs what was written before it, a lock what was done with it.

   A proposal: who wants to rely on it asks the verifier. Cost: linear. */
#ifndef OMEN_DRIVER_REORDER_H
#define OMEN_DRIVER_REORDER_H

#include "witness/witness.h"

/* `out` gets the sequence; the witness stays as it is. */
void omen_reorder (const omen_trace *trace, const omen_witness *witness,
                   bool needed_only, omen_ids *out);

#endif
