/* A safepoint at which a recording can begin, if its beginning was overwritten.

   A mark in the ring says how far each thread's notes had been written at about
   one time. What a thread noted after a mark before which there is another one
   that is left comes after everything that was overwritten: that had been
   written when the first of the two was made. It need not come after all that
   is left from before the mark: the threads were not asked at the same instant.
   So what has a lower number than something before the mark goes to what is
   before the mark, until nothing is out of order any more:

     T0   … acq m #7   | rel m #8   …          T0   … acq m #7   rel m #8 | …
     T1   … acq m #9 | …                       T1   … acq m #9 | …

   What a thread noted first after the mark may have got its number long before;
   unless something of its shard that is surely newer has a lower one it goes
   before the mark, too.

   The numbers order all that synchronises. Plain accesses have none: for these
   all threads have to stand still when the mark is made
   (runtime/log/safepoint.h).
 */
#ifndef OMEN_RECORDING_RING_CUT_H
#define OMEN_RECORDING_RING_CUT_H

#include "recording/log/file.h"

/* Sets `start` of the threads; false: there is no such safepoint. */
bool omen_notes_cut (omen_notes_file *file);
/* The same for a safepoint that the recorder made (OMEN_MARK_SAFEPOINT), which
   also orders plain accesses. */
bool omen_notes_cut_at_safepoint (omen_notes_file *file);

#endif
