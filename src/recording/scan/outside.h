/* Code that is not woven: what it reads, writes and decides nobody sees, but
   its calls of what is interposed are in the file, with where they came from.

     omen_notes_outside (file, pc)   OMEN_OUTSIDE_NOT       of woven code, libc
                                     OMEN_OUTSIDE_STANDARD  of libstdc++, …
                                     OMEN_OUTSIDE_LIBRARY   of any other

   It is told apart by module: one that is linked with the runtime counts as
   woven, whatever else was linked into it. */
#ifndef OMEN_RECORDING_SCAN_OUTSIDE_H
#define OMEN_RECORDING_SCAN_OUTSIDE_H

#include "recording/log/file.h"

typedef enum omen_outside_code {
  OMEN_OUTSIDE_NOT,      /* or nothing is known */
  OMEN_OUTSIDE_STANDARD, /* it accesses what its caller gave it to access */
  OMEN_OUTSIDE_LIBRARY
} omen_outside_code;

/* The code that the call returns to. In a file without woven code, where all is
   outside, nothing is. */
omen_outside_code omen_notes_outside (const omen_notes_file *file, uint64_t pc);

/* Is there woven code, whose accesses are seen? */
bool omen_notes_has_woven (const omen_notes_file *file);

#endif
