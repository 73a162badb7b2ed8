/* Notes -> bytes of a NOTES chunk. The other side is trace/notes_decode.h.

     omen_encoder_reset (encoder);              at the start of each chunk
     size = omen_encode (encoder, notes, count, out);

   A note takes three varints: site id, a, b. Sites get their ids on the way
   (omen_site_id). */
#ifndef OMEN_RUNTIME_ENCODE_H
#define OMEN_RUNTIME_ENCODE_H

#include "runtime/abi.h"

/* The longest code of a note, in bytes. */
#define OMEN_NOTE_CODE_MAX 32

typedef struct omen_encoder {
  uint64_t a; /* of the note before */
} omen_encoder;

void omen_encoder_reset (omen_encoder *encoder);

/* `out` has room for count * OMEN_NOTE_CODE_MAX bytes; how many were used. */
size_t omen_encode (omen_encoder *encoder, const omen_note *notes,
                    size_t count, uint8_t *out);

#endif
