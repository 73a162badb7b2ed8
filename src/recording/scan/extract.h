/* What is left of a recording when what cannot matter is dropped: accesses to
   memory that is settled (settled.h) and that one thread made and has for
   itself, a block of the heap or its stack. Nobody asks for their events; and
   should code that is not woven have changed that memory, then what its own
   thread called did (doc/recording.md, "What is extracted").

     if (omen_extract (&file))
       …                    cursors (cursor.h) walk what is left, in memory

   In the place of what was dropped there is a note of the site OMEN_SKIPPED: a
   is the number of items. Positions are those in what is left.

   What stays can be explained as if nothing had been dropped: if a read stays,
   so does every write to the words that it reads, and loads that share a
   checksum stay together. So if the merge finds that code outside has changed
   such words, which then are not settled, nothing that is told of them lacks.

   Cost: all notes are decoded twice, at most three times, some 10 ns each; 32
   bytes for each note that stays. */
#ifndef OMEN_RECORDING_SCAN_EXTRACT_H
#define OMEN_RECORDING_SCAN_EXTRACT_H

#include "recording/log/file.h"

/* After omen_settled_find. False: nothing was dropped, as that would not be
   worth it, or a limit of the file was reached. */
bool omen_extract (omen_notes_file *file);

#endif
