/* --ring: a part of the file in which new records overwrite the oldest.

     file header | ring: records, records, filler | sites, names, … | end

   The ring consists of whole chunks at any time: what remains of an old chunk
   when a new one was written over its beginning becomes a FILLER. */
#ifndef OMEN_RUNTIME_LOG_RING_H
#define OMEN_RUNTIME_LOG_RING_H

#include "runtime/core/core.h"

/* Creates it, `size` bytes from `start` on; NULL, or what is wrong. */
const char *omen_ring_start (uint64_t start, uint64_t size);

/* Writes a whole chunk, header and payload. One thread at a time. */
const char *omen_ring_put (const void *chunk, size_t size);

/* Has enough been written since this was last true, that all threads should
   flush, with a mark? */
bool omen_ring_wants_mark (void);

/* A mark; the latch of the threads is held from `new` to `end`. */
typedef struct omen_tick_mark omen_tick_mark;
/* `flags`: omen_mark_flags. NULL: no memory. */
omen_tick_mark *omen_mark_new (uint32_t flags);
void omen_mark_add (omen_tick_mark *mark, uint32_t thread, uint64_t notes);
void omen_mark_end (omen_tick_mark *mark, bool good); /* written if it is */

/* The header of a filler of `size` bytes in all. */
void omen_file_fill (void *header, uint64_t size);

#endif
