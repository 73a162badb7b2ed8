/* The words of one record as bytes and tags (wire/recording.h). For encode.c.

     tags = omen_put_words (&p, at, last, words, sum, leapt);

   At most OMEN_TAGS_WORDS words. `at` and `last`: the record, and the previous
   one with the same header, of which a reader does not know word `sum`; it
   becomes a copy of this one, with up to three words behind it. `leapt`: the
   second prediction of word 1; the second prediction of all others is word 1.
   Writes up to eight bytes past the end, and may read three words past that of
   the record.

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
   the tag. If it takes 8 bytes anyway, the first one is taken, so that tags
   repeat. */
static OMEN_ALWAYS_INLINE unsigned
omen_put_word (uint8_t **p, uint64_t word, uint64_t guess, uint64_t other)
{
  uint64_t a = omen_zigzag (word - guess), b = omen_zigzag (word - other);
  bool second = b / 2 < a / 2 && b < UINT64_C (1) << 48;
  uint64_t n = second ? b : a;
  omen_length length = omen_lengths[n ? __builtin_clzll (n) : 64];
  *p = omen_put_bytes (*p, n, length.bytes);
  return length.tag | (unsigned)second << 3;
}

/* Words i to i + 3, as far as the record goes: the others are as predicted. At
   most 16 words are left, from i on. `other`: the second prediction of the
   first of them; that of the rest is word 1. */
#ifdef __AVX2__
typedef uint64_t omen_four __attribute__ ((vector_size (32))); /* wraps */
typedef int64_t omen_signed_four __attribute__ ((vector_size (32)));

static OMEN_ALWAYS_INLINE omen_four
omen_four_at (const void *at)
{
  omen_four four;
  __builtin_memcpy (&four, at, sizeof four);
  return four;
}

static OMEN_ALWAYS_INLINE unsigned
omen_put_four (uint8_t **p, const uint64_t *at, uint64_t *last, unsigned i,
               unsigned words, unsigned sum, uint64_t other)
{
  static const int64_t there[20]
      = { -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1, -1 };
  const omen_signed_four zero = { 0 };
  static const uint16_t seconds[16]
      = { 0x0000, 0x0008, 0x0080, 0x0088, 0x0800, 0x0808, 0x0880, 0x0888,
          0x8000, 0x8008, 0x8080, 0x8088, 0x8800, 0x8808, 0x8880, 0x8888 };
  const uint64_t first = at[1];
  const int64_t far = INT64_C (1) << 47;
  omen_four mask = omen_four_at (&there[16 - (words - i)]);
  omen_four word = omen_four_at (at + i) & mask, guess;
  omen_four near = { other, first, first, first };
  guess = omen_four_at (last + i);
  if (sum - i < 4)
    guess[sum - i] = 0;
  omen_four a = word - guess, b = word - near;
  omen_four below_a = (omen_four)((omen_signed_four)a < zero);
  omen_four below_b = (omen_four)((omen_signed_four)b < zero);
  omen_four size_a = a ^ below_a, size_b = b ^ below_b; /* zigzag / 2 */
  omen_signed_four as_signed_a = (omen_signed_four)size_a;
  omen_signed_four as_signed_b = (omen_signed_four)size_b;
  omen_four second
      = (omen_four)((as_signed_b < as_signed_a) & (as_signed_b < far)) & mask;
  omen_four size = (size_a & ~second) | (size_b & second);
  omen_four below = (below_a & ~second) | (below_b & second);
  omen_four n = (size + size - below) & mask;
  unsigned tags = seconds[__builtin_ia32_movmskpd256 (
      (__attribute__ ((vector_size (32))) double)second)];
  __builtin_memcpy (last + i, &word, sizeof word);
  for (unsigned k = 0; k < 4; k++) {
    uint64_t one = n[k];
    omen_length length = omen_lengths[one ? __builtin_clzll (one) : 64];
    *p = omen_put_bytes (*p, one, length.bytes);
    tags |= (unsigned)length.tag << 4 * k;
  }
  return tags;
}
#else
static OMEN_ALWAYS_INLINE unsigned
omen_put_four (uint8_t **p, const uint64_t *at, uint64_t *last, unsigned i,
               unsigned words, unsigned sum, uint64_t other)
{
  unsigned tags = 0;
  for (unsigned shift = 0; shift < 16 && i < words; i++, shift += 4) {
    uint64_t word = at[i];
    tags |= omen_put_word (p, word, i == sum ? 0 : last[i], other) << shift;
    last[i] = word;
    other = at[1];
  }
  return tags;
}
#endif

/* Words i … end - 1, at most 16. */
static OMEN_ALWAYS_INLINE uint64_t
omen_put_rest (uint8_t **p, const uint64_t *at, uint64_t *last, unsigned i,
               unsigned end, unsigned sum)
{
  uint64_t tags = 0;
  for (unsigned shift = 0; i < end; i += 4, shift += 16)
    tags |= (uint64_t)omen_put_four (p, at, last, i, end, sum, at[1]) << shift;
  return tags;
}

static OMEN_ALWAYS_INLINE uint64_t
omen_put_words (uint8_t **p, const uint64_t *at, uint64_t *last, unsigned words,
                unsigned sum, uint64_t leapt)
{
  uint64_t tags = omen_put_four (p, at, last, 1, words, sum, leapt);
  if (words > 5)
    tags |= omen_put_rest (p, at, last, 5, words, sum) << 16;
  return tags;
}

#endif
