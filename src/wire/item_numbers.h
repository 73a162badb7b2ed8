/* Sequence numbers of items (recording.h): a number is a position in the order
   of a queue. A wait or wake has two, for the condition and the lock. */
#ifndef OMEN_WIRE_ITEM_NUMBERS_H
#define OMEN_WIRE_ITEM_NUMBERS_H

#include "wire/recording.h"

#include <stdbool.h>

/* Queues: the shards, then those of atomics. */
#define OMEN_QUEUES (2 * OMEN_SHARDS)

/* A shard and number as the key of a map. No recording has larger numbers. */
#define OMEN_NUMBERS (UINT64_C (1) << 50)

static inline uint64_t
omen_number_key (uint32_t shard, uint64_t number)
{
  return number << OMEN_SHARD_BITS | shard;
}

/* In a shard's queue, numbers are 0, 1, 2, …, each used once. In that of an
   atomic shard, writers have 2, 4, 6, …, each used once, and a reader has the
   number of the writer that it follows; it precedes the next writer. */
typedef struct omen_item_need {
  uint32_t queue;
  uint64_t number;
  bool reads; /* atomic read */
} omen_item_need;

static inline bool
omen_item_numbered (unsigned kind)
{
  static const bool numbered[] = { false,
#define OMEN_ITEM(name, has_number, parts) has_number,
                                   OMEN_ITEMS (OMEN_ITEM)
#undef OMEN_ITEM
  };
  return kind >= OMEN_ITEM_FIRST && numbered[kind - OMEN_ITEM_FIRST];
}

static inline bool
omen_item_is_wait (unsigned kind)
{
  return kind == OMEN_ITEM_WAIT || kind == OMEN_ITEM_WAKE;
}

#endif
