/* Witnesses as people like them: few events, few switches between threads.

     before  T0[0..3] T1[0] T2[0..2] T1[1..2] T2[3..5], then …
     after   T0[0..3] T1[0..2] T2[0..5], then …

   Tries to leave out runs of a schedule, and to move runs of one thread
   together; what the verifier accepts is kept. So the result is a witness of
   the same claim whatever this does. Cost: at most OMEN_SHORTEN_STEPS events
   judged. */
#ifndef OMEN_CMD_SHORTEN_H
#define OMEN_CMD_SHORTEN_H

#include "witness/verify.h"

#define OMEN_SHORTEN_STEPS 2000000u

void omen_shorten (omen_verifier *verifier, const omen_trace *trace,
                   omen_witness *witness);

#endif
