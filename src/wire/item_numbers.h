/* Items and their numbers (recording.h): a number is a place in the order of a
   queue. A wait and a wake have two, the condition's and the lock's. */
#ifndef OMEN_WIRE_ITEM_NUMBERS_H
#define OMEN_WIRE_ITEM_NUMBERS_H

#include "wire/recording.h"

#include <stdbool.h>

/* Queues: the shards, then those of atomics. */
#define OMEN_QUEUES (2 * OMEN_SHARDS)

/* A number of a shard as a key of a map. Larger ones are in no recording. */
#define OMEN_NUMBERS (UINT64_C (1) << 50)

static inline uint64_t
omen_number_key (uint32_t shard, uint64_t number)
{
  return number << OMEN_SHARD_BITS | shard;
}

/* In a shard's queue numbers are 0, 1, 2, …, each once. In that of an atomic
   shard writers have 2, 4, 6, …, each once, and a reader the number of the
   writer that it comes after: it comes before the next. */
typedef struct omen_item_need {
  uint32_t queue;
  uint64_t number;
  bool reads; /* an atomic */
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
