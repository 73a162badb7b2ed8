/* The state in which a recording begins that has lost its beginning
   (late.h), as far as what follows tells.

     T1   … | r(x) rel(m)      T1 had m
     T2   … | wake(c,m)        T2 waited for c, who knows which notify it got

   - A lock that a thread gives up without having taken it was its own at the
     start: it takes it there, before anything else happens in any thread.
   - What cannot be known, and could matter, keeps its order: all operations on
     a condition for which somebody waited, on a barrier at which somebody was,
     on a semaphore that turned out to be 0, come one after the other as they
     did. Locks of which something makes no sense are boxes (events/outside.c).

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
