/* Reorders a schedule so that each thread runs as long as it can.

     before  T0[0..3] T1[0] T2[0] T1[1] T2[1] T1[2..5] T2[2..7]
     after   T0[0..3] T1[0..5] T2[0..7]

   Dependent events keep their order: those of one thread; accesses to the same
   memory, one of them a write; operations on the same lock, condition,
   semaphore, barrier or object; a thread with its fork and join; and the
   claimed events. So every event has the same effect, and all threads end at
   the same point.

   With `needed_only`, events on which the claimed ones do not depend are left
   out: a read depends on earlier writes, a lock operation on earlier ones.

   The result has to be verified by the caller. Cost: linear. */
#ifndef OMEN_DRIVER_REORDER_H
#define OMEN_DRIVER_REORDER_H

#include "witness/witness.h"

/* `out` gets the sequence; the witness is unchanged. */
void omen_reorder (const omen_trace *trace, const omen_witness *witness,
                   bool needed_only, omen_ids *out);

#endif
