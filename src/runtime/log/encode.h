/* Words of notes (abi.h) -> bytes of a NOTES chunk. The other side is
   recording/log/decode.h; wire/recording.h says what the bytes are.

     size = omen_encode (encoder, words, count, out, &notes);

   Each chunk can be read by itself. Sites and blocks get their ids on the way
   (omen_site_id, omen_block_id). Costs one to two nanoseconds a word where
   notes differ, a third where the same block follows itself (loops). */
#ifndef OMEN_RUNTIME_LOG_ENCODE_H
#define OMEN_RUNTIME_LOG_ENCODE_H

#include "wire/abi.h"
#include "wire/recording.h"

#include <stdbool.h>

/* The runtime's own: a RANGE item with its bytes, as words

     {omen_bytes_head, place, address, length, bytes… filled up with 0}

   `length` is not 0. place: a pc, or OMEN_PLACE_SITE | site id. A copy is a
   read with one word more, to where its bytes were written. */
typedef struct omen_bytes_head {
  uint8_t kind; /* OMEN_HEAD_BYTES; where sites and blocks have theirs */
  uint32_t id;  /* site id of the item's kind */
  const struct omen_bytes_head *write; /* of a copy: the other half; or NULL */
} omen_bytes_head;

enum { OMEN_HEAD_BYTES = 255, OMEN_BYTES_WORDS = 4 /* before the bytes */ };
#define OMEN_PLACE_SITE (UINT64_C (1) << 63)

/* Where the bytes of such a note end; words of all of it. */
static inline size_t
omen_bytes_end (const uint64_t *note)
{
  return OMEN_BYTES_WORDS + (note[3] + 7) / 8;
}

static inline size_t
omen_bytes_words (const uint64_t *note)
{
  return omen_bytes_end (note)
         + (((const omen_bytes_head *)note[0])->write != NULL);
}

/* The longest code of OMEN_WORDS_MAX words, in bytes. */
#define OMEN_CODE_MAX (10 * OMEN_WORDS_MAX + 64)

/* What is known of the notes of one site or block in this chunk. */
typedef struct omen_encoder_local {
  uint64_t header, place; /* place: of a RANGE item, else 0 */
  const uint64_t *last; /* its words when it was there last; of a RANGE item the
                           address alone */
  uint64_t leap;        /* its first word then, minus that of the note before */
  struct omen_encoder_local *next; /* what came after it then */
  bool summed;                     /* its last word went into a sum */
  uint8_t quick; /* words of a note, once one was put by itself; 0 if summed */
  uint8_t notes; /* members of a block; else 1 */
} omen_encoder_local;

#define OMEN_ENCODER_BUCKETS 1024

typedef struct omen_encoder {
  uint32_t count;
  const uint64_t *bytes;                  /* the RANGE item before, or NULL */
  uint16_t buckets[OMEN_ENCODER_BUCKETS]; /* local + 1, by hash of header */
  omen_encoder_local locals[OMEN_LOCALS_MAX + 1];
} omen_encoder;

/* At most OMEN_WORDS_MAX words, whole notes. `out` has room for OMEN_CODE_MAX
   bytes. How many were used; *notes: how many notes it is, counting members
   of blocks. */
size_t omen_encode (omen_encoder *encoder, const uint64_t *words, size_t count,
                    uint8_t *out, uint32_t *notes);

/* Its compiled forms, each OMEN_ENCODE (encode_choose.c picks one). */
typedef size_t omen_encode_form (omen_encoder *encoder, const uint64_t *words,
                                 size_t count, uint8_t *out, uint32_t *notes);
omen_encode_form omen_encode_any, omen_encode_v3;
/* Those that this processor runs, the quickest first; NULL: no more. All make
   the same bytes. */
omen_encode_form *omen_encode_form_at (unsigned i);

#endif
