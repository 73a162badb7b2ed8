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
