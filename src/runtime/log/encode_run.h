/* A run of records with the same header, written column by column
   (wire/recording.h). For encode.c. */
#ifndef OMEN_RUNTIME_LOG_ENCODE_RUN_H
#define OMEN_RUNTIME_LOG_ENCODE_RUN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct omen_encode_repeat {
  const uint64_t *at;   /* the first record; the others follow */
  const uint64_t *last; /* the header's record before the run, or NULL */
  size_t words;         /* of each */
  unsigned addresses, loads;
  size_t count; /* at least 2 */
  bool summed;  /* the last word of `last` went into a sum */
} omen_encode_repeat;

/* Writes all columns; returns the end. run->summed says whether the last words
   went into sums. */
uint8_t *OMEN_ENCODE_COLUMNS (uint8_t *p, omen_encode_repeat *run);

static inline uint64_t
omen_zigzag (uint64_t n)
{
  return n << 1 ^ (uint64_t)((int64_t)n >> 63);
}

/* How many bytes a number needs. Without branches: widths cannot be
   predicted. */
static inline unsigned
omen_width (uint64_t n)
{
  return (unsigned)(63 ^ __builtin_clzll (n | 1)) / 8 + (n != 0);
}

/* Writes its low bytes, by a store of 8. */
static inline uint8_t *
omen_put_bytes (uint8_t *p, uint64_t n, unsigned width)
{
  __builtin_memcpy (p, &n, 8);
  return p + width;
}

#endif
