/* The initial state of a recording that has lost its beginning (late.h),
   inferred from the operations that follow.

     T1   … | r(x) rel(m)      T1 held m
     T2   … | wake(c,m)        T2 waited for c; its notify is not known

   - A lock that a thread releases without having acquired it was held by that
     thread at the start: an acquire is inserted there, before all other events.
   - Where the state is not known and could matter, operations keep the recorded
     order: all those on a condition on which a thread waited at the start, on a
     barrier at which one had arrived, and on a semaphore found to be 0. Locks
     whose operations are inconsistent are opaque (events/outside.c).

   doc/recording.md says why nothing else is needed. */
#ifndef OMEN_RECORDING_RING_START_H
#define OMEN_RECORDING_RING_START_H

#include "recording/merge/order.h"

typedef struct omen_start_hold {
  uint64_t lock;
  uint32_t thread; /* as the recorder counts */
  uint32_t depth;
  bool reads; /* a reader of a read-write lock */
} omen_start_hold;

typedef struct omen_start {
  OMEN_VEC (omen_start_hold) holds;
  OMEN_VEC (uint32_t) threads; /* threads that existed at the start */
  omen_map ordered; /* address whose operations keep their order -> 1 */
  omen_map
      ignoring; /* thread -> nesting depth of ignored regions at the start */
} omen_start;

/* For a file that begins late; adds to its opaque locks. */
void omen_start_find (omen_notes_file *file, const omen_rebuilt *order,
                      omen_start *start);
void omen_start_init (omen_start *start);
void omen_start_fini (omen_start *start);

#endif
