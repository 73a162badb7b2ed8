/* --ring: a part of the file in which new notes take the place of the oldest.

     file header | ring: notes, notes, filler | sites, names, … | end

   The ring is a row of whole chunks at any time: what is left of an old chunk
   when a new one was put over its beginning becomes FILLER. */
#ifndef OMEN_RUNTIME_LOG_RING_H
#define OMEN_RUNTIME_LOG_RING_H

#include "runtime/core/core.h"

/* Make it, `size` bytes from `start` on; NULL, or what is wrong. */
const char *omen_ring_start (uint64_t start, uint64_t size);

/* A whole chunk, header and payload. Threads take turns. */
const char *omen_ring_put (const void *chunk, size_t size);

/* Has so much been put since it was last asked, and answered yes, that all
   threads should write what they have, with a mark? */
bool omen_ring_wants_mark (void);

/* A mark: the threads' latch is held from `new` to `end`. */
typedef struct omen_tick_mark omen_tick_mark;
/* `flags`: omen_mark_flags. NULL: no memory. */
omen_tick_mark *omen_mark_new (uint32_t flags);
void omen_mark_add (omen_tick_mark *mark, uint32_t thread, uint64_t notes);
void omen_mark_end (omen_tick_mark *mark, bool good); /* written if it is */

/* The header of a filler that takes `size` bytes in all. */
void omen_file_fill (void *header, uint64_t size);

#endif
