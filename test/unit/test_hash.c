/* runtime/log/hash.h: XXH3-64, of any length and at any address. */
#include "unit.h"

#include "splitmix.h"

#include "runtime/log/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <stdlib.h>

/* Short ones of each length: the code depends on it up to 240 bytes. */
enum { LONGEST = 50000, SHORT = 600 };

static void
it_is_xxh3 (void **state)
{
  uint8_t *bytes = malloc (LONGEST);
  uint64_t random = 1;
  for (size_t i = 0; i < LONGEST; i++)
    bytes[i] = (uint8_t)next_random (&random);
  for (size_t size = 0; size <= LONGEST - 3;
       size += size < SHORT ? 1 : 1 + size / 9) {
    const uint8_t *at = bytes + size % 3;
    assert_int_equal (omen_hash (at, size), XXH3_64bits (at, size));
  }
  free (bytes);
}

UNIT_MAIN (UNIT (it_is_xxh3))
