/* Writes large batches with O_DIRECT, past the page cache: filling fresh pages
   of the cache costs more than all the rest of recording.

     … records | filler | head, records, filler | …
                        at multiples of OMEN_DIRECT_ALIGN

   The kernel appends such a batch as a whole, like any other. A batch goes
   through the page cache if that fails (the file system does not support it,
   another thread has appended something small in between, the program closed
   the descriptor) or if the disk is slow. */
#ifndef OMEN_RUNTIME_LOG_DIRECT_H
#define OMEN_RUNTIME_LOG_DIRECT_H

#include "runtime/core/core.h"

#define OMEN_DIRECT_ALIGN 4096

#define OMEN_DIRECT_HEAD 128 /* a BATCH */

/* Room needed behind a batch: its filler, and one before it. */
#define OMEN_DIRECT_SLACK (4 * OMEN_DIRECT_ALIGN)

/* The file is open; `possible`: it has a descriptor for this. */
void omen_direct_start (bool possible);
bool omen_direct_wanted (void);
/* `size` bytes went through the page cache. */
void omen_direct_passed (size_t size);

/* Writes the batch at `out`, an address aligned to OMEN_DIRECT_ALIGN with
   OMEN_DIRECT_HEAD bytes of room before it. Returns NULL, or what is wrong;
   adds the chunks written to *chunks. */
const char *omen_direct_put (uint8_t *out, const omen_batch *batch,
                             uint64_t *chunks);

#endif
