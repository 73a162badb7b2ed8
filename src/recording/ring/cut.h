/* A safepoint at which a recording can begin, if its beginning was overwritten.

   A mark in the ring says how many notes each thread had written at about one
   time. Take the second mark that is left. What a thread wrote after it comes
   after everything that was overwritten, because that had been written before
   the first mark. It need not come after everything that is left from before
   the mark, since the threads' counts were not read at the same instant. So an
   item with a lower number than some item before the mark is moved before the
   mark, until no such item is left:

     T0   … acq m #7   | rel m #8   …          T0   … acq m #7   rel m #8 | …
     T1   … acq m #9 | …                       T1   … acq m #9 | …

   The first item of a thread after the mark may have got its number long
   before. It is moved, too, unless an item of its shard with a lower number
   certainly comes after the mark.

   Numbers order synchronisation only. Plain accesses need a mark that was made
   while all threads stood still (runtime/log/safepoint.h). */
#ifndef OMEN_RECORDING_RING_CUT_H
#define OMEN_RECORDING_RING_CUT_H

#include "recording/log/file.h"

/* Sets `start` of the threads; false: there is no such safepoint. */
bool omen_notes_cut (omen_notes_file *file);
/* The same for a safepoint that the recorder made (OMEN_MARK_SAFEPOINT), which
   also orders plain accesses. */
bool omen_notes_cut_at_safepoint (omen_notes_file *file);

#endif
