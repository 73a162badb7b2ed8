/* Recordings that have lost their beginning (--ring): from where on the rest
   can be used.

     T0   lost lost | a b c d            from | on all threads stand where they
     T1   lost x y  | z                  really stood at one safepoint

   What comes after such a safepoint is a run of the program that begins in the
   state of that safepoint, of which nothing is known but what the rest tells:
   doc/recording.md says how. */
#ifndef OMEN_RECORDING_RING_LATE_H
#define OMEN_RECORDING_RING_LATE_H

#include "recording/log/file.h"

/* Sets `late` of the file and `start` of its threads. A complete file is left
   as it is; one without such a safepoint has no usable part, and a warning says
   so. Called before any walk over the records. */
void omen_notes_late (omen_notes_file *file);

#endif
