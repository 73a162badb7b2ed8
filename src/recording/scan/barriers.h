/* Groups arrivals at a barrier into rounds: in the order of their sequence
   numbers, as many per round as the barrier has participants.

     numbers   3  5  7 | 9  12  14        a barrier of 3 threads, two rounds

   A barrier that is reinitialized within a round, or for another number of
   threads, yields no rounds and orders nothing. */
#ifndef OMEN_RECORDING_SCAN_BARRIERS_H
#define OMEN_RECORDING_SCAN_BARRIERS_H

#include "base/map.h"
#include "base/vec.h"

#include <stdbool.h>

/* An arrival; size 0: the barrier is initialized or destroyed. */
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

/* Sorts `arrivals`, which must outlive the barriers. */
void omen_barriers_init (omen_barriers *barriers, omen_arrivals *arrivals);
void omen_barriers_fini (omen_barriers *barriers);

/* The index of the first arrival of the round that this arrival belongs to, as
   the id of the round; OMEN_NONE if it is in no complete round. *size: the
   number of threads in a round. */
uint32_t omen_barriers_round (const omen_barriers *barriers, uint64_t address,
                              uint64_t number, uint32_t *size);

#endif
