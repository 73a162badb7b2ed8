/* Finds any of four bytes in a block of 64: bit i of the result is set if p[i]
   is one of them. */
#ifndef OMEN_BASE_MARKS_H
#define OMEN_BASE_MARKS_H

#include "base/defs.h"

#include <string.h>

typedef uint8_t omen_bytes __attribute__ ((vector_size (16)));
typedef char omen_chars __attribute__ ((vector_size (16)));

static inline omen_bytes
omen_bytes_all (char c)
{
  return (omen_bytes){ 0 } + (uint8_t)c;
}

/* Compresses bytes of 0 and 255 into bits, byte 0 lowest. */
static inline uint64_t
omen_bytes_pack (omen_bytes hit)
{
#ifdef __SSE2__
  return (uint64_t)(unsigned)__builtin_ia32_pmovmskb128 ((omen_chars)hit);
#else
  uint64_t word[2];
  hit &= 1;
  memcpy (word, &hit, 16);
  return (word[0] * 0x0102040810204080u) >> 56
         | (word[1] * 0x0102040810204080u) >> 56 << 8;
#endif
}

static inline uint64_t
omen_marks (const char *p, char a, char b, char c, char d)
{
  uint64_t bits = 0;
  for (int i = 0; i < 4; i++) {
    omen_bytes v;
    memcpy (&v, p + 16 * i, 16);
    v = (omen_bytes)((v == omen_bytes_all (a)) | (v == omen_bytes_all (b))
                     | (v == omen_bytes_all (c)) | (v == omen_bytes_all (d)));
    bits |= omen_bytes_pack (v) << 16 * i;
  }
  return bits;
}

/* The same for a block of fewer than 64 bytes. */
static inline uint64_t
omen_marks_some (const char *p, size_t count, char a, char b, char c, char d)
{
  uint64_t bits = 0;
  for (size_t i = 0; i < count; i++)
    if (p[i] == a || p[i] == b || p[i] == c || p[i] == d)
      bits |= (uint64_t)1 << i;
  return bits;
}

#endif
