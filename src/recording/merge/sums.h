/* Loads that are stored as a checksum (abi.h, omen_code_block). Weights are odd
   numbers without pattern (times a power of two that leaves room for the
   value), so that wrong values give the right sum once in 2^64 times. */
#ifndef OMEN_RECORDING_MERGE_SUMS_H
#define OMEN_RECORDING_MERGE_SUMS_H

#include "recording/merge/merge.h"

/* So many loads share a sum. */
#define OMEN_SUM_LOADS 16

typedef struct omen_sum_load {
  size_t at; /* in the cursor's notes */
  uint64_t address, weight;
  uint64_t value; /* in memory now, after what the thread stores in between */
  unsigned size, unknown; /* unknown: bytes, by bits */
} omen_sum_load;

typedef struct omen_sum {
  omen_sum_load loads[OMEN_SUM_LOADS];
  unsigned count, unknown; /* loads; and those with unknown bytes */
  uint64_t sum;            /* as noted */
  bool whole;              /* all its loads are in the records read so far */
  bool exposed;            /* an unknown one is of exposed memory */
} omen_sum;

#endif
