#include "base/vec.h"

void *
omen_vec_grow (void *data, size_t size, size_t want, size_t *room)
{
  size_t next = OMEN_HARD_OR (*room + 1, *room ? 2 * *room : 8);
  if (next < want)
    next = want;
  OMEN_REQUIRE (next <= SIZE_MAX / 2 / size);
  *room = next;
  return omen_realloc (data, next * size);
}

int
omen_compare_u32 (const void *left, const void *right)
{
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

int
omen_compare_u64 (const void *left, const void *right)
{
  uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
  return (a > b) - (a < b);
}
