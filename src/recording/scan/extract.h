/* Drops notes that cannot matter to any analysis: accesses to settled memory
   (settled.h) that is part of a heap block or stack of one thread and used by
   that thread alone. No events are needed for them; and if uninstrumented code
   changed that memory, it was code called by that thread (doc/recording.md,
   "What is extracted").

     if (omen_extract (&file))
       …                    cursors (cursor.h) walk what is left, in memory

   Dropped notes are replaced by a note of the site OMEN_SKIPPED, whose `a` is
   the number of dropped items. Positions count the kept notes only.

   Kept reads can be resolved as if nothing had been dropped: if a read is kept,
   so is every write to its words, and loads that share a checksum are kept or
   dropped together. So if the merge finds that uninstrumented code changed such
   words, which makes them unsettled, no note about them is missing.

   Cost: all notes are decoded two or three times, some 10 ns each; 32 bytes for
   each kept note. */
#ifndef OMEN_RECORDING_SCAN_EXTRACT_H
#define OMEN_RECORDING_SCAN_EXTRACT_H

#include "recording/log/file.h"

/* To be called after omen_settled_find. False: nothing was dropped, since it
   would not be worthwhile or a limit of the file was reached. */
bool omen_extract (omen_notes_file *file);
/* Afterwards: how many notes are left? */
uint64_t omen_extracted (const omen_notes_file *file);
/* Keeps about this fraction of them, those before some point in time, as if the
   others had been lost. */
void omen_extract_shorten (omen_notes_file *file, double part);

#endif
