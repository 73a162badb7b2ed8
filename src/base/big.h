/* Unsigned integers of any size, as arrays of 64-bit words, least significant
   first; only addition and printing.

     uint64_t sum[2] = { UINT64_MAX, 0 }, one[2] = { 1, 0 };
     omen_big_add (sum, 2, one, 2);           false: no carry is left over
     char *text = omen_big_text (sum, 2);     "18446744073709551616"

   The caller extends the array if there is a carry. */
#ifndef OMEN_BASE_BIG_H
#define OMEN_BASE_BIG_H

#include "base/mem.h"

/* to += from, which has at most as many words. Returns the carry. */
static inline bool
omen_big_add (uint64_t *to, size_t words, const uint64_t *from,
              size_t from_words)
{
  unsigned char carry = 0;
  OMEN_ASSERT (from_words <= words);
  for (size_t i = 0; i < words; i++) {
    uint64_t more = i < from_words ? from[i] : 0, sum = to[i] + more;
    unsigned char over = sum < more;
    to[i] = sum + carry;
    carry = over | (to[i] < sum);
  }
  return carry;
}

/* Decimal digits; to be freed by the caller. */
char *omen_big_text (const uint64_t *number, size_t words);

#endif
