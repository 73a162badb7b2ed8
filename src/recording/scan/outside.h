/* Uninstrumented code: its accesses and branches are not recorded, but its
   calls of intercepted functions are, with their return addresses.

     omen_notes_outside (file, pc)   OMEN_OUTSIDE_NOT       of woven code, libc
                                     OMEN_OUTSIDE_STANDARD  of libstdc++, …
                                     OMEN_OUTSIDE_LIBRARY   of any other

   The unit is the module: one that is linked with the runtime counts as woven,
   whatever else was linked into it, except the runtime of a sanitizer. */
#ifndef OMEN_RECORDING_SCAN_OUTSIDE_H
#define OMEN_RECORDING_SCAN_OUTSIDE_H

#include "recording/log/file.h"

typedef enum omen_outside_code {
  OMEN_OUTSIDE_NOT,      /* or nothing is known */
  OMEN_OUTSIDE_STANDARD, /* it accesses only what its caller passed to it */
  OMEN_OUTSIDE_LIBRARY
} omen_outside_code;

/* Classifies the code at a return address. In a file without woven code all is
   OMEN_OUTSIDE_NOT. */
omen_outside_code omen_notes_outside (const omen_notes_file *file, uint64_t pc);

/* Does the file have woven code, whose accesses are recorded? */
bool omen_notes_has_woven (const omen_notes_file *file);

#endif
