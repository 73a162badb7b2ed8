/* Loads of which only the sum is known (abi.h, omen_code_block), and what they may
   have read.

     value   what is there now, after what the thread itself stores in between
     others  what was there before, or others write later

   rebuild_sums.c asks, rebuild_sums_search.c looks for a choice of values that
   gives the sum. Weights are odd numbers without pattern (times a power of two
   that leaves room for the value), so that a wrong choice gives the right sum
   once in 2^64 times. */
#ifndef OMEN_TRACE_REBUILD_SUMS_H
#define OMEN_TRACE_REBUILD_SUMS_H

#include "trace/rebuild_merge.h"

/* So many loads share a sum, and so many values of each are looked at. */
#define OMEN_SUM_LOADS 16
#define OMEN_SUM_OTHERS 48

typedef struct omen_sum_load {
  size_t at; /* in the cursor's notes */
  uint64_t address, weight, value;
  unsigned size, unknown; /* unknown: bytes, by bits */
  uint64_t others[OMEN_SUM_OTHERS];
  unsigned count;
} omen_sum_load;

typedef struct omen_sum {
  omen_sum_load loads[OMEN_SUM_LOADS];
  unsigned count, unknown; /* loads; of them with unknown bytes */
  uint64_t sum;            /* as noted */
  bool whole;              /* all its loads are among the notes */
} omen_sum;

/* sum - what the values add up to. */
uint64_t omen_sum_missing (const omen_sum *sum);
/* The value that load i must have if all others are right; false: none. */
bool omen_sum_solve (const omen_sum *sum, unsigned i, uint64_t *value);
/* Finds a choice among value and others that gives the sum, and makes it the
   values. Those with fewest changes first. */
bool omen_sum_search (omen_sum *sum);

#endif
