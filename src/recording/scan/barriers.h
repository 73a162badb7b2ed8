/* Which arrivals at a barrier make a round: by their numbers, as many as the
   barrier is for.

     numbers   3  5  7 | 9  12  14        a barrier of 3 threads, two rounds

   A barrier whose rounds do not come out so (it was made anew in the middle of
   one, or is for another number of threads later) orders nothing here. */
#ifndef OMEN_RECORDING_SCAN_BARRIERS_H
#define OMEN_RECORDING_SCAN_BARRIERS_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>

/* An arrival; size 0: the object is made or destroyed. */
typedef struct omen_arrival {
  uint64_t address, number;
  uint32_t size;
} omen_arrival;

typedef OMEN_VEC (omen_arrival) omen_arrivals;

typedef struct omen_barrier {
  size_t first, count; /* in the arrivals */
  uint32_t size;       /* 0: it orders nothing */
} omen_barrier;

typedef struct omen_barriers {
  const omen_arrivals *arrivals;
  OMEN_VEC (omen_barrier) list;
  omen_map index; /* address -> barrier */
} omen_barriers;

/* Sorts the arrivals, which are borrowed. */
void omen_barriers_init (omen_barriers *barriers, omen_arrivals *arrivals);
void omen_barriers_fini (omen_barriers *barriers);

/* The first arrival of the round of this one, as a number that rounds are told
   apart by; OMEN_NONE: it is in no complete round. *size: how many. */
uint32_t omen_barriers_round (const omen_barriers *barriers, uint64_t address,
                              uint64_t number, uint32_t *size);

#endif
