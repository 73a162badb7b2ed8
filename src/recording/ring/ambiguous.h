/* What memory held when a recording began that has lost its beginning, if
   threads ran freely (late.h).

     T1   r(x=5) …            was x 5 at the start? Not if T1 read what T2
   wrote, T2   … w(x=5)            which the merge has not come to yet

   A read of bytes of which nothing is known tells what they held if no other
   thread writes the same there without being ordered after the read, by
   numbers, forks and joins. If one does, the read waits until that write is in
   the order: to have seen it is possible in any case. If that does not come to
   an end nobody knows, and the usable part of the thread ends there.

   Loads of which only the sum is known are not settled with the help of bytes
   that are not known if another thread writes any of their bytes without being
   ordered with them.

   Which words have accesses that race, and who writes them, is found in advance
   (merge/races.h). */
#ifndef OMEN_RECORDING_RING_AMBIGUOUS_H
#define OMEN_RECORDING_RING_AMBIGUOUS_H

#include "recording/merge/races.h"
#include "recording/merge/sums.h"

/* Must t's read wait, although its value fits? */
bool omen_ambiguous_read (omen_merge *merge, uint32_t t, const omen_item *item);
/* Does another thread write some of its bytes, in an order that is not
   certain? */
bool omen_ambiguous_source (omen_merge *merge, uint32_t t,
                            const omen_item *item);
/* Are initial values among the loads of a checksum ambiguous? */
bool omen_ambiguous_sum (omen_merge *merge, uint32_t t, const omen_sum *sum);

#endif
