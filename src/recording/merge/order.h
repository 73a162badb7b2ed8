/* One total order of all items of a recording that respects (1) the order of
   each thread, (2) sequence numbers, (3) fork before begin and end before join,
   and (4) the value of every read (doc/recording.md).

     T0: acquire m #0   store x 1   release m #1
     T1: acquire m #2   load x 1                        T0 T0 T0 T1 T1

   Algorithm: append items of the thread with the least time hint until it must
   wait. A read whose value is not in memory
   - is inserted at the earlier position where memory had that value, if its
     thread has done nothing since: reads change nothing;
   - else blocks until a write stores the value.
   When all threads are blocked, or the others are far ahead in time, a blocked
   read is resolved: if no write of the file can have left the value, unrecorded
   code did (`outside`); else the read has no value, and there is a cut: all
   items in the order by then stay before all later ones. If the beginning of
   the recording is lost, the usable part of the thread ends there.

   Cost: some 20 ns an item where threads do not race. */
#ifndef OMEN_RECORDING_MERGE_ORDER_H
#define OMEN_RECORDING_MERGE_ORDER_H

#include "recording/scan/scan.h"

/* The next `notes` records of a thread (index in file->threads). */
typedef struct omen_order_slice {
  uint32_t thread, notes;
} omen_order_slice;

/* Memory that was changed from outside before the item at `position`, or right
   after it; size 0: a cut. */
typedef struct omen_outside {
  uint32_t thread, size;
  uint64_t position, address;
  bool after;
} omen_outside;

typedef struct omen_rebuilt {
  OMEN_VEC (omen_order_slice) runs;
  OMEN_VEC (omen_outside) outside; /* by thread and position */
  uint64_t late;                   /* reads that were inserted into the past */
  uint64_t ended;   /* threads whose rest is not used: no order explains it */
  uint64_t cuts;    /* reads that nothing explains */
  uint64_t loops;   /* … of these, of loops recorded as a whole */
  uint64_t unused;  /* records that are not in the order */
  uint64_t unknown; /* loads without value */
} omen_rebuilt;

bool omen_rebuild_order (omen_notes_file *file, omen_notes_summary *summary,
                         omen_rebuilt *rebuilt);
void omen_rebuilt_fini (omen_rebuilt *rebuilt);

#endif
