/* Initial values of memory, for a recording that has lost its beginning, if
   threads ran freely (late.h).

     T1   r(x=5) …            was x 5 at the start? Not if T1 read what T2
   wrote, T2   … w(x=5)            which the merge has not come to yet

   A read of unknown bytes determines their initial value, unless another thread
   writes the same value there and sequence numbers, forks and joins do not
   order that write after the read. In that case the read waits until the write
   is in the order: that it saw this write is possible in any case. If the wait
   does not end, the value cannot be determined, and the usable part of the
   thread ends there.

   Loads of which only the sum is known are not resolved by means of unknown
   bytes if another thread writes any of their bytes without being ordered with
   them.

   The words with racing accesses, and their writers, are found in advance
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
