/* The words of one record as tags and bytes (wire/recording.h). For encode.c.

     p = omen_put_words (p, at, last, words, sum, leapt);

   `at` and `last`: the record, and the previous one with the same header, of
   which a reader does not know word `sum`. `leapt`: the second prediction of
   word 1; the second prediction of all others is word 1. Writes up to eight
   bytes past the end.

   Widths cannot be predicted, so nothing branches on them. */
#ifndef OMEN_RUNTIME_LOG_ENCODE_WORDS_H
#define OMEN_RUNTIME_LOG_ENCODE_WORDS_H

#include "runtime/log/encode_run.h"

#define OMEN_ALWAYS_INLINE inline __attribute__ ((always_inline))

/* By leading zeros. */
typedef struct omen_length {
  uint8_t bytes, tag;
} omen_length;

#define EIGHT(bytes, tag)                                                      \
  { bytes, tag }, { bytes, tag }, { bytes, tag }, { bytes, tag },              \
      { bytes, tag }, { bytes, tag }, { bytes, tag },                          \
  {                                                                            \
    bytes, tag                                                                 \
  }

static const omen_length omen_lengths[65]
    = { EIGHT (8, 7), EIGHT (8, 7), EIGHT (6, 6), EIGHT (5, 5), EIGHT (4, 4),
        EIGHT (3, 3), EIGHT (2, 2), EIGHT (1, 1), { 0, 0 } };
#undef EIGHT

/* Writes one word as the difference to the nearer of two predictions; returns
   the tag. */
static OMEN_ALWAYS_INLINE unsigned
omen_put_word (uint8_t **p, uint64_t word, uint64_t guess, uint64_t other)
{
  uint64_t a = omen_zigzag (word - guess), b = omen_zigzag (word - other);
  bool second = b < a;
  uint64_t n = second ? b : a;
  omen_length length = omen_lengths[n ? __builtin_clzll (n) : 64];
  *p = omen_put_bytes (*p, n, length.bytes);
  return length.tag | (unsigned)second << 3;
}

static OMEN_ALWAYS_INLINE uint8_t *
omen_put_words (uint8_t *p, const uint64_t *at, const uint64_t *last,
                unsigned words, unsigned sum, uint64_t leapt)
{
  uint8_t *tags = p;
  unsigned i = 2, low;
  p += words / 2;
  low = omen_put_word (&p, at[1], last[1], leapt);
  for (; i + 1 < words; i += 2) {
    unsigned high = omen_put_word (&p, at[i], last[i], at[1]);
    *tags++ = (uint8_t)(low | high << 4);
    low = omen_put_word (&p, at[i + 1], i + 1 == sum ? 0 : last[i + 1], at[1]);
  }
  if (i < words)
    low |= omen_put_word (&p, at[i], i == sum ? 0 : last[i], at[1]) << 4;
  *tags = (uint8_t)low;
  return p;
}

#endif
