#include "runtime/hooks/order_object.h"
#include "base/defs.h"

#include <stdbool.h>

enum { KEYS = 16384, PROBES = 64, SHIFT = 4 };
static uint64_t keys[KEYS];      /* 0: free */
static uint32_t ordinals[KEYS];  /* 0: being given */
static uint32_t known[KEYS + 1]; /* by ordinal */
static uint32_t ordinals_given;

static const uint64_t beyond = UINT64_C (0x8) << 60;

/* With a limit: in the child of a fork the thread that should set it may be
   missing. */
static uint64_t
wait_for_ordinal (unsigned slot, uint64_t key)
{
  uint32_t ordinal = 0;
  for (int i = 0; !ordinal && i < 1 << 20; i++)
    ordinal = __atomic_load_n (&ordinals[slot], __ATOMIC_ACQUIRE);
  return ordinal ? ordinal : key;
}

static uint64_t
ordinal_of (uint64_t key)
{
  for (unsigned i = 0; i < PROBES; i++) {
    unsigned slot = (unsigned)(key + i) % KEYS;
    uint64_t seen = 0;
    if (__atomic_compare_exchange_n (&keys[slot], &seen, key, false,
                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
      uint32_t next = __atomic_add_fetch (&ordinals_given, 1, __ATOMIC_RELAXED);
      OMEN_ASSERT (next <= KEYS);
      __atomic_store_n (&ordinals[slot], next, __ATOMIC_RELEASE);
      return next;
    }
    if (seen == key)
      return wait_for_ordinal (slot, key);
  }
  return key;
}

const void *
omen_order_object (enum omen_order_kind kind, uint64_t a, uint64_t b)
{
  uint64_t mix
      = (a * UINT64_C (0x9e3779b97f4a7c15)) ^ (b + ((uint64_t)kind << 56));
  mix *= UINT64_C (0xc2b2ae3d27d4eb4f);
  mix = ((mix ^ mix >> 29) >> 8) | KEYS << 1; /* no ordinal is as large */
  return (const void *)(uintptr_t)(ordinal_of (mix) << SHIFT | beyond);
}

uint32_t
omen_order_nth (const void *object)
{
  uint64_t ordinal = ((uintptr_t)object & ~beyond) >> SHIFT;
  OMEN_ASSERT ((uintptr_t)object & beyond);
  return ordinal <= KEYS ? (uint32_t)ordinal : 0;
}

const void *
omen_order_nth_object (uint32_t nth)
{
  OMEN_ASSERT (nth <= KEYS);
  return nth ? (const void *)(uintptr_t)((uint64_t)nth << SHIFT | beyond)
             : NULL;
}

uint32_t
omen_order_known (const void *object)
{
  uint32_t nth = omen_order_nth (object);
  return nth ? __atomic_load_n (&known[nth], __ATOMIC_ACQUIRE) : 0;
}

void
omen_order_know (const void *object, uint32_t since)
{
  uint32_t nth = omen_order_nth (object);
  if (nth)
    __atomic_store_n (&known[nth], since, __ATOMIC_RELEASE);
}
