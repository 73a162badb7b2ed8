#include "runtime/log/hash.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

uint64_t
omen_hash (const void *bytes, size_t size)
{
  return XXH3_64bits (bytes, size);
}
