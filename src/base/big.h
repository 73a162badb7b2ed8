/* Whole numbers without limit, as arrays of 64-bit words, least first: enough
   to count with, and to print.

     uint64_t sum[2] = { UINT64_MAX, 0 }, one[2] = { 1, 0 };
     omen_big_add (sum, 2, one, 2);           false: no carry is left over
     char *text = omen_big_text (sum, 2);     "18446744073709551616"

   Who adds makes the arrays longer when a carry is left over. */
#ifndef OMEN_BASE_BIG_H
#define OMEN_BASE_BIG_H

#include "base/mem.h"

/* to += from, which has no more words; true: a carry is left over, which would
   be 1 in the word after the last. */
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

/* In decimal; the caller frees it. */
char *omen_big_text (const uint64_t *number, size_t words);

#endif
