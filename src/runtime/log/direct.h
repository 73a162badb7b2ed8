/* Large batches on their way to a disk: past the kernel's cache of pages, which
   costs more than all else that recording does where memory is fresh.

     … notes | filler | head, notes, filler | …
                      at multiples of OMEN_DIRECT_ALIGN

   The kernel appends such a batch as a whole, as it does any other. If it
   cannot (the file system does not know how, another thread has appended
   something small in between, the program closed the descriptor) or the disk is
   slow, the batch goes the usual way. */
#ifndef OMEN_RUNTIME_LOG_DIRECT_H
#define OMEN_RUNTIME_LOG_DIRECT_H

#include "runtime/core/core.h"

#define OMEN_DIRECT_ALIGN 4096

#define OMEN_DIRECT_HEAD 128 /* a BATCH */

/* Room that is needed behind the batch: its own filler, and one before it. */
#define OMEN_DIRECT_SLACK (4 * OMEN_DIRECT_ALIGN)

/* A file has been opened for it: may batches be large? */
void omen_direct_start (bool possible);
bool omen_direct_wanted (void);
/* So many bytes have gone the usual way. */
void omen_direct_passed (size_t size);

/* The batch at `out`, with room for a head of OMEN_DIRECT_HEAD bytes before it,
   at an address that is a multiple of OMEN_DIRECT_ALIGN; NULL, or what is
   wrong. *chunks grows by what is added to it. */
const char *omen_direct_put (uint8_t *out, const omen_batch *batch,
                             uint64_t *chunks);

#endif
