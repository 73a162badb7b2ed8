#include "recording/scan/barriers.h"

#include <stdlib.h>

static int
compare (const void *left, const void *right)
{
  const omen_arrival *a = left, *b = right;
  if (a->address != b->address)
    return a->address < b->address ? -1 : 1;
  return a->number < b->number ? -1 : a->number > b->number;
}

/* Builds the barrier at one address from the arrivals [first, end), compacting
   them at the front; size 0 if its rounds are inconsistent. */
static omen_barrier
judge (omen_arrival *list, size_t first, size_t end)
{
  omen_barrier barrier = { first, 0, 0 };
  bool good = true;
  for (size_t i = first; i < end; i++) {
    omen_arrival one = list[i];
    bool between = !barrier.size || barrier.count % barrier.size == 0;
    if (!one.size) {
      good &= between;
      continue;
    }
    good &= !barrier.size || one.size == barrier.size;
    barrier.size = one.size;
    list[first + barrier.count++] = one;
  }
  if (!good)
    barrier.size = 0;
  return barrier;
}

void
omen_barriers_init (omen_barriers *barriers, omen_arrivals *arrivals)
{
  omen_arrival *list = arrivals->data;
  *barriers = (omen_barriers){ .arrivals = arrivals };
  omen_map_init (&barriers->index);
  if (arrivals->count)
    qsort (list, arrivals->count, sizeof *list, compare);
  for (size_t i = 0, end; i < arrivals->count; i = end) {
    uint64_t address = list[i].address;
    for (end = i; end < arrivals->count && list[end].address == address;)
      end++;
    *omen_map_at (&barriers->index, address) = (uint32_t)barriers->list.count;
    OMEN_VEC_PUSH (barriers->list, judge (list, i, end));
  }
}

void
omen_barriers_fini (omen_barriers *barriers)
{
  OMEN_VEC_FINI (barriers->list);
  omen_map_fini (&barriers->index);
}

uint32_t
omen_barriers_round (const omen_barriers *barriers, uint64_t address,
                     uint64_t number, uint32_t *size)
{
  uint32_t b = omen_map_get (&barriers->index, address);
  const omen_barrier *barrier;
  size_t low = 0, high, round;
  if (b == OMEN_NONE || !barriers->list.data[b].size)
    return OMEN_NONE;
  barrier = &barriers->list.data[b];
  high = barrier->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (barriers->arrivals->data[barrier->first + middle].number < number)
      low = middle + 1;
    else
      high = middle;
  }
  *size = barrier->size;
  round = low / barrier->size * barrier->size;
  return low == barrier->count || round + barrier->size > barrier->count
             ? OMEN_NONE
             : (uint32_t)(barrier->first + round);
}
