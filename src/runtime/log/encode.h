/* Encodes the words of records (abi.h) as the bytes of a NOTES chunk.
   recording/log/decode.h is the reverse; wire/recording.h describes the bytes.

     size = omen_encode (encoder, words, count, out, &notes);

   A chunk may continue the one before (`chain`); else it can be decoded by
   itself. Sites and blocks get their ids here
   (omen_site_id, omen_block_id). Costs one to two nanoseconds a word where
   records differ, a third of that where the same block repeats (loops). */
#ifndef OMEN_RUNTIME_LOG_ENCODE_H
#define OMEN_RUNTIME_LOG_ENCODE_H

#include "wire/abi.h"
#include "wire/recording.h"

#include <stdbool.h>

/* A record of the runtime only: a RANGE item with its bytes, as words

     {omen_bytes_head, place, address, length, bytes… padded with 0}

   `length` is not 0. place: a pc, or OMEN_PLACE_SITE | site id. A copy is a
   read with one more word: where the bytes were written to. */
typedef struct omen_bytes_head {
  uint8_t kind; /* OMEN_HEAD_BYTES; at the same offset as in sites and blocks */
  uint32_t id;  /* site id of the item's kind */
  const struct omen_bytes_head *write; /* of a copy: the write; else NULL */
} omen_bytes_head;

enum { OMEN_HEAD_BYTES = 255, OMEN_BYTES_WORDS = 4 /* before the bytes */ };
#define OMEN_PLACE_SITE (UINT64_C (1) << 63)

/* The end of the bytes of such a record, in words. */
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

/* What the encoder knows about the records of one site or block, in this chunk
   and those that it continues. */
typedef struct omen_encoder_local {
  uint64_t header;
  union {
    uint64_t tags;  /* of its last record, if it has OMEN_TAGS_WORDS or fewer */
    uint64_t place; /* of a RANGE item */
  };
  uint64_t
      leap; /* word 1 of that record minus word 1 of the record before it */
  uint32_t last; /* index in `last`: its last record; of a RANGE item only the
                    address */
  bool summed;   /* the last word went into a sum */
  uint8_t quick; /* words of a record, once one was written by itself; 0 if
                    summed */
  uint8_t notes; /* members of a block; else 1 */
} omen_encoder_local;

typedef struct omen_encoder {
  uint32_t count;
  uint32_t chain; /* how many chunks may continue one */
  uint32_t left;  /* … and how many may follow */
  bool continues; /* the chunk encoded last */
  uint32_t last_count;
  const uint64_t *bytes[2]; /* the last two different RANGE items, or NULL */
  uint32_t most;            /* locals */
  /* Index of a local + 1, by hash of the header. */
  uint16_t buckets[2 * (OMEN_CHAIN_LOCALS_MAX + 1)];
  uint16_t after[2 * (OMEN_CHAIN_LOCALS_MAX + 1)]; /* local, by context */
  omen_encoder_local locals[OMEN_CHAIN_LOCALS_MAX + 1];
  uint64_t last[OMEN_KEPT_WORDS + OMEN_BLOCK_WORDS + 3];
  uint8_t tags[OMEN_WORDS_MAX / 2 + 8]; /* of the chunk */
} omen_encoder;

/* Before the first chunk. `chains`: the file has OMEN_FEATURE_CHAINS; `chain`:
   how many chunks may continue one, if it has. */
static inline void
omen_encoder_init (omen_encoder *encoder, bool chains, uint32_t chain)
{
  encoder->chain = chain;
  encoder->most = chains ? OMEN_CHAIN_LOCALS_MAX : OMEN_LOCALS_MAX;
  encoder->left = 0;
}

/* Encodes at most OMEN_WORDS_MAX words, whole records; `out` has room for
   OMEN_CODE_MAX bytes. Returns the number of bytes; *notes: the number of
   records, counting members of blocks. */
size_t omen_encode (omen_encoder *encoder, const uint64_t *words, size_t count,
                    uint8_t *out, uint32_t *notes);

/* The compiled forms of the encoder, each OMEN_ENCODE; encode_choose.c picks
   one. */
typedef size_t omen_encode_form (omen_encoder *encoder, const uint64_t *words,
                                 size_t count, uint8_t *out, uint32_t *notes);
omen_encode_form omen_encode_any, omen_encode_v3;
/* The forms that this processor can run, the fastest first; NULL: no more. All
   produce the same bytes. */
omen_encode_form *omen_encode_form_at (unsigned i);

#endif
