/* Witnesses as people like them: few events, few switches between threads.

     before  T0[0..3] T1[0] T2[0..2] T1[1..2] T2[3..5], then …
     after   T0[0..3] T1[0..2] T2[0..5], then …

   Tries another order of all that is needed (reorder.h), then to leave out runs
   of the schedule, and to move runs of one thread together; what the verifier
   accepts is kept. So the result is a witness of
   the same claim whatever this does. What the observed run shows stays in its
   order if that is long anyway. Cost: at most OMEN_SHORTEN_STEPS events
   judged, beside twice the schedule. */
#ifndef OMEN_DRIVER_SHORTEN_H
#define OMEN_DRIVER_SHORTEN_H

#include "witness/verify.h"

#define OMEN_SHORTEN_STEPS 2000000u

void omen_shorten (omen_verifier *verifier, const omen_trace *trace,
                   omen_witness *witness);

#endif
