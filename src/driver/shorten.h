/* Simplifies witnesses for people: few events, few context switches.

     before  T0[0..3] T1[0] T2[0..2] T1[1..2] T2[3..5], then …
     after   T0[0..3] T1[0..2] T2[0..5], then …

   Tries another order of the necessary events (reorder.h), then to leave out
   slices of the schedule, and to merge slices of one thread; only changes that
   the verifier accepts are kept. So the result is a witness of the same claim.
   Long schedules that are as observed keep their order. Cost: verifies at most
   OMEN_SHORTEN_STEPS events, besides twice the schedule. */
#ifndef OMEN_DRIVER_SHORTEN_H
#define OMEN_DRIVER_SHORTEN_H

#include "witness/verify.h"

#define OMEN_SHORTEN_STEPS 2000000u

void omen_shorten (omen_verifier *verifier, const omen_trace *trace,
                   omen_witness *witness);

#endif
