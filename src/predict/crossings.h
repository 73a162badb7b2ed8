/* Candidates for atomicity violations, in groups.

     T1|begin(A)|
     T1|r(x)|  e1      window (e1, e2) of block A
     T1|w(x)|  e2
     T1|end(A)|
     T2|w(x)|  e'      entry (e', e'): one event for both sides
                       entry (e1', e2'): two events of one block

   A candidate is a window and an entry of another thread with e1 in conflict
   with e1', e2 with e2'; the question is whether e1 can come before e1' and
   e2' before e2, and one of e1' and e2' between e1 and e2. The block of a
   window is the innermost one that has both events: the blocks around it are
   violated too.

   Representatives suffice. For e1, the first event of its place, kind and
   location in the block. If e1' is between e1 and e2, e2' is the first write
   or access of its atom in its block; if e2' is between, e1' is the next write
   or access after it. Windows with the same thread, places, kinds and locks
   held throughout form a class, and so do entries; a lock common to two
   classes refutes all their pairs at once. Every combination of four events is
   enumerated without grouping (OMEN_GROUP_NONE), or if `full` (under sliced,
   what a run needs depends on the exact events).

   In most programs nearly all windows are one critical section of the lock
   that guards what they access; these are dropped at once.

   Windows over two variables are made only with the first 64 representatives
   of a block, and not with parts of buffers; omen_crossings_cut_short says
   whether that left any out.

   Cost: accesses x depth of blocks x places touched in them, at most 64. */
#ifndef OMEN_PREDICT_CROSSINGS_H
#define OMEN_PREDICT_CROSSINGS_H

#include "predict/asker.h"
#include "predict/atomic.h"

typedef struct omen_crossings omen_crossings;

/* The search for candidates stops at `deadline`, which counts as cut short. */
omen_crossings *omen_crossings_new (const omen_model *model,
                                    const omen_atomic *atomic,
                                    omen_group_by group, bool full,
                                    omen_deadline deadline);
void omen_crossings_free (omen_crossings *crossings);
uint32_t omen_crossings_groups (const omen_crossings *crossings);
/* From now on, leave out tuples that these clocks exclude (NULL: none). */
void omen_crossings_narrow (omen_crossings *crossings, const omen_quick *quick);
/* Were some windows or entries left out? */
bool omen_crossings_cut_short (const omen_crossings *crossings);
/* omen_enumerate: tuples (e1, e1', e2', e2), close ones first. */
void omen_crossings_each (const void *crossings, uint32_t group,
                          omen_asker_each each, void *context);
/* Compare-exchanges of a tuple that have to succeed for its accesses to
   conflict: at most two. If e2' and e2 both are such, one is enough: e2' first,
   e2 in the second way. */
typedef struct omen_swaps {
  omen_eid kept[2];
  uint32_t count, ways;
} omen_swaps;
omen_swaps omen_crossing_swaps (const omen_model *model, const omen_eid *events,
                                uint32_t way);
/* Which blocks are atomic, for omen_atomic_block. */
const uint8_t *omen_crossings_chosen (const omen_crossings *crossings);

#endif
