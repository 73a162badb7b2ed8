/* Items and their numbers (recording.h): a number is a place in the order of a
   stripe. A wait and a wake have two, the condition's and the lock's. */
#ifndef OMEN_TRACE_ITEM_NUMBERS_H
#define OMEN_TRACE_ITEM_NUMBERS_H

#include "trace/recording.h"

#include <stdbool.h>

/* Queues: the stripes, then those of atomics. */
#define OMEN_QUEUES (2 * OMEN_STRIPES)

typedef struct omen_need {
  uint32_t queue;
  uint64_t number;
} omen_need;

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
