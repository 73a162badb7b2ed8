#include "model/together.h"

#include <string.h>

bool
omen_together_refine (void *context, const omen_node *sequence, uint32_t count,
                      omen_ways *ways, bool *complete)
{
  const omen_together *t = context;
  *complete = true;
  for (size_t i = 0; i < t->pairs.count; i++) {
    omen_edge pair = t->pairs.data[i];
    uint32_t at = 0;
    omen_node between;
    while (at < count && sequence[at] != pair.from)
      at++;
    OMEN_ASSERT (at + 1 < count); /* the second is taken, after it */
    between = sequence[at + 1];
    if (between == pair.to)
      continue;
    OMEN_VEC_PUSH (*ways, ((omen_way){ OMEN_WAY_ORDER, between, pair.from }));
    OMEN_VEC_PUSH (*ways, ((omen_way){ OMEN_WAY_ORDER, pair.to, between }));
    OMEN_VEC_PUSH (*ways, ((omen_way){ OMEN_WAY_WITHOUT, between, OMEN_NONE }));
    return false;
  }
  return true;
}

static void
close_pair (omen_eid first, omen_eid second, omen_ids *events)
{
  size_t from = 0, to;
  while (from < events->count && events->data[from] != first)
    from++;
  for (to = from; to < events->count && events->data[to] != second;)
    to++;
  OMEN_ASSERT (from < to && to < events->count);
  memmove (events->data + from, events->data + from + 1,
           (to - from - 1) * sizeof *events->data);
  events->data[to - 1] = first;
}

/* If the first of a pair is the second of another one, moving it separates that
   pair, which the next round closes: as many rounds as a chain can have
   links. */
void
omen_together_close (const omen_eid *pairs, uint32_t count, omen_ids *events)
{
  for (uint32_t round = 0; round < count; round++)
    for (uint32_t i = 0; i < count; i++)
      close_pair (pairs[2 * i], pairs[2 * i + 1], events);
}
