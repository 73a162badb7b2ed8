/* Candidates for atomicity violations, in groups.

     T1|begin(A)|
     T1|r(x)|  e1      window (e1, e2) of block A
     T1|w(x)|  e2
     T1|end(A)|
     T2|w(x)|  e'      entry (e', e'): one event for both sides
                       entry (e1', e2'): two events of one block

   A candidate is a window and an entry of another thread with e1 in conflict
   with e1', e2 with e2'; the question is whether e1 can come before e1' and e2'
   before e2, and one of e1' and e2' between e1 and e2. The block of a window is
   the innermost one that has both events: the blocks around it are violated
   too.

   Not all pairs of events are needed. If (e1, e2) is violated, so is the block
   with an earlier e1 that looks the same: e1 is the first of its place, kind
   and location in its block. If e1' is between e1 and e2, an earlier e2' of the
   same block does as well: the first (write, or access) of its atom. If e2' is,
   and e1' comes later, the next e1' (write, or access) does. Windows that
   no question can tell apart by locks (same thread, places, kinds and cover)
   are a class, and so are entries; a lock that covers both refutes all pairs of
   two classes at once. Without grouping (OMEN_GROUP_NONE), or if `full`, every
   combination of four events is there: where what a run needs depends on which
   of two events that look the same is claimed (sliced).

   In most programs nearly all windows are one critical section of the lock that
   guards what they access; these are dropped before anything is made of them.

   Pairs of different variables are made with the first 64 looks of a block
   only, and not at all with parts of buffers; omen_crossings_cut_short says if
   that left any out.

   Cost: accesses x depth of blocks x places touched in them, at most 64. */
#ifndef OMEN_PREDICT_CROSSINGS_H
#define OMEN_PREDICT_CROSSINGS_H

#include "predict/asker.h"
#include "predict/atomic.h"

typedef struct omen_crossings omen_crossings;

/* Past `deadline` no more are looked for, which counts as cut short.
 */
omen_crossings *omen_crossings_new (const omen_model *model,
                                    const omen_atomic *atomic,
                                    omen_group_by group, bool full,
                                    omen_deadline deadline);
void omen_crossings_free (omen_crossings *crossings);
uint32_t omen_crossings_groups (const omen_crossings *crossings);
/* There were more windows or entries than are kept. */
bool omen_crossings_cut_short (const omen_crossings *crossings);
/* omen_enumerate: (e1, e1', e2', e2), close ones first. */
void omen_crossings_each (const void *crossings, uint32_t group,
                          omen_asker_each each, void *context);
/* Which blocks are atomic: for omen_atomic_block. */
const uint8_t *omen_crossings_chosen (const omen_crossings *crossings);

#endif
