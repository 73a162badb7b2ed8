/* Which memory is settled: every two accesses to it of different threads, one
   of which writes, are in the same order in all runs that are predicted,
   because forks, joins and rounds of barriers say so (must-order).

     T0: w(a)  fork(T1)                a is settled: T1 reads it after the fork,
     T1:       r(a)  w(b)  w(c)        b is: T0 reads it after the join; c is
   not T0:       r(c)  join(T1)  r(b)

   In every reordering each read of such memory sees the write that it saw, so
   these accesses are in no race, no nondeterminism and no lifetime error, and
   constrain nothing (doc/recording.md, "What is settled"). ALLOC, FREE and what
   code that is not woven is known to write count as writes; memory that is used
   by atomics is never settled. Memory comes in words of 8 bytes.

   Found by one walk over all pieces (pieces.h), without values and without an
   order of the threads. Cost: a nanosecond or two an access, 4 bytes for each
   word that is used while it lasts; then 64 bytes for each page that has words
   which are not settled.

   The walk also tells which kinds of findings there may be at all (locks.h): of
   a program in which what is not settled is guarded by locks, which are taken
   in one order, in functions that are reducible, nothing more need be known,
   unless an address that is guarded is used whatever it is (omen_site_use). */
#ifndef OMEN_RECORDING_SCAN_SETTLED_H
#define OMEN_RECORDING_SCAN_SETTLED_H

#include "recording/scan/locks.h"
#include "recording/scan/scan.h"

typedef struct omen_settled omen_settled;

/* NULL: nothing can be said, or the file's limits were reached. */
omen_settled *omen_settled_find (omen_notes_file *file,
                                 omen_notes_summary *summary);
/* omen_candidates: what may be found in other runs. */
unsigned omen_settled_candidates (const omen_settled *settled);
void omen_settled_free (omen_settled *settled);

/* Is all of it? `settled` NULL: no. */
bool omen_settled_is (const omen_settled *settled, uint64_t address,
                      uint64_t length);
/* It is not, after all, with what is accessed together with it. */
void omen_settled_open (omen_settled *settled, uint64_t address,
                        uint64_t length);

#endif
