/* Settled memory: every two conflicting accesses of different threads to it are
   in the same order in all predicted runs, because forks, joins and rounds of
   barriers order them (must-order).

     T0: w(a)  fork(T1)                a is settled: T1 reads it after the fork,
     T1:       r(a)  w(b)  w(c)        b is: T0 reads it after the join; c is
                                       not
     T0:       r(c)  join(T1)  r(b)

   In every reordering each read of such memory sees the write that it saw in
   the recording, so these accesses take part in no race, no nondeterministic
   read and no lifetime error, and constrain nothing (doc/recording.md, "What is
   settled"). ALLOC, FREE and known writes of uninstrumented code count as
   writes; memory that atomics use is never settled. The granularity is words of
   8 bytes.

   Found by one walk over all pieces (pieces.h), without values and without the
   merged order of the threads. Cost: a nanosecond or two an access; during the
   walk 4 bytes for each word that is used, afterwards 64 bytes for each page
   with unsettled words.

   The walk also finds which kinds of findings are possible at all (locks.h): if
   all unsettled memory is guarded by locks that are acquired in a consistent
   order, in reducible functions, there are none and the file need not be
   merged, unless a guarded value is certainly dereferenced (omen_site_use). */
#ifndef OMEN_RECORDING_SCAN_SETTLED_H
#define OMEN_RECORDING_SCAN_SETTLED_H

#include "recording/scan/locks.h"
#include "recording/scan/scan.h"

typedef struct omen_settled omen_settled;

/* NULL: the file does not allow it, or its limits were reached. */
omen_settled *omen_settled_find (omen_notes_file *file,
                                 omen_notes_summary *summary);
/* The kinds of findings that other runs may have (omen_candidates). */
unsigned omen_settled_candidates (const omen_settled *settled);
void omen_settled_free (omen_settled *settled);

/* Is the whole range settled? No if `settled` is NULL. */
bool omen_settled_is (const omen_settled *settled, uint64_t address,
                      uint64_t length);
/* Marks the range as unsettled, with all that is accessed together with it. */
void omen_settled_open (omen_settled *settled, uint64_t address,
                        uint64_t length);

#endif
