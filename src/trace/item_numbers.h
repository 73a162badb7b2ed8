/* Items and their numbers (recording.h): a number is a place in the order of a
   queue. A wait and a wake have two, the condition's and the lock's. */
#ifndef OMEN_TRACE_ITEM_NUMBERS_H
#define OMEN_TRACE_ITEM_NUMBERS_H

#include "trace/recording.h"

#include <stdbool.h>

/* Queues: the stripes, then those of atomics, then those of locks that have
   stripes for themselves. */
#define OMEN_QUEUES (3 * OMEN_STRIPES)

/* In a stripe's queue numbers are 0, 1, 2, …, each once. In the others who changes
   the object has 2, 4, 6, …, each once, and who looks at it the number that it
   comes after: it comes before the next. */
typedef struct omen_need {
  uint32_t queue;
  bool looks;
  uint64_t number;
} omen_need;

/* Of what is no atomic. */
static inline omen_need
omen_need_of (uint64_t object, uint64_t number)
{
  uint32_t stripe = omen_stripe (object);
  bool looks = number & OMEN_NUMBER_LOOKS;
  uint64_t count = number & (OMEN_NUMBER_LOOKS - 1);
  if (!(number & OMEN_NUMBER_OWN))
    return (omen_need){ stripe, false, number };
  return (omen_need){ 2 * OMEN_STRIPES + stripe, looks,
                      2 * (looks ? count : count + 1) };
}

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
