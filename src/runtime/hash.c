/* Compiled several times, for what processors have (hash_choose.c). */
#include "runtime/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t
OMEN_HASH (const void *bytes, size_t size)
{
  return XXH3_64bits (bytes, size);
}
