/* Recordings that have lost their beginning (--ring): from where on the rest
   can be used.

     T0   lost lost | a b c d            at | every thread is where it was
     T1   lost x y  | z                  at one safepoint

   What follows such a safepoint is a run of the program from the state at that
   safepoint. That state is not recorded; it is inferred from what follows, as
   doc/recording.md describes. */
#ifndef OMEN_RECORDING_RING_LATE_H
#define OMEN_RECORDING_RING_LATE_H

#include "recording/log/file.h"

/* Sets `late` of the file and `start` of its threads. A complete file is left
   as it is; one without such a safepoint has no usable part, and a warning says
   so. Called before any walk over the records. */
void omen_notes_late (omen_notes_file *file);

#endif
