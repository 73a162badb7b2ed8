/* Functions that begin alike, each inlined into one branch: the optimiser would
   like to make their beginnings one, and nobody would know which was entered.
 */
#include "listen.h"

#include <stdint.h>
#include <stdio.h>

static uint64_t cells[4] = { 1, 2, 3, 4 };

static inline uint64_t
read_two (const uint64_t *p)
{
  return p[0] + p[1];
}

static inline uint64_t
six (const uint64_t *p, unsigned bits)
{
  return (read_two (p) << 16) * 227718039650203u >> (64 - bits);
}

static inline uint64_t
eight (const uint64_t *p, unsigned bits)
{
  return read_two (p) * 0xcf1bbcdcb7a56463u >> (64 - bits);
}

__attribute__ ((noinline)) static uint64_t
hash (const uint64_t *p, unsigned bits, unsigned how)
{
  if (how == 6)
    return six (p, bits);
  return eight (p, bits);
}

int
main (void)
{
  uint64_t sum = 0;
  NAME (cells);
  LISTEN (MARKERS);
  for (unsigned i = 0; i < 2; i++)
    sum += hash (&cells[i], 20, 6 + 2 * i);
  LISTEN (NOTHING);
  printf ("%llu\n", (unsigned long long)sum);
  return 0;
}

/*LOG
enter hash
enter six
enter read_two
exit read_two
exit six
exit hash
enter hash
enter eight
enter read_two
exit read_two
exit eight
exit hash
*/
