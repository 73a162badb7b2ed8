/* What rides along on a walk of the lattice: sets of states, one set a cut,
   moved on by the events and joined where paths meet.

     omen_rider rider = { .letters = letters,       by event, OMEN_NONE: ignored
                          .step = step,             (state, letter) -> state
                          .starts = &start, .start_count = 1 };

   States and letters are small numbers of the owner's: a monitor's states, of
   as many monitors as there are. `step` must be a function: the same answer for
   the same state and letter, whatever the cut. OMEN_NONE as an answer drops the
   state (nothing can come of it any more).

   Sets are interned, so that a cut carries one number, and what was worked out
   once (set and letter, set and set) is looked up. */
#ifndef OMEN_MODEL_RIDER_H
#define OMEN_MODEL_RIDER_H

#include "base/map.h"
#include "base/vec.h"

typedef struct omen_rider {
  const uint32_t *letters; /* by event */
  uint32_t (*step) (void *context, uint32_t state, uint32_t letter);
  void *context;
  const uint32_t *starts;
  uint32_t start_count;
} omen_rider;

typedef struct omen_rider_set {
  uint32_t first, count; /* in pool, ascending */
} omen_rider_set;

typedef struct omen_riders {
  const omen_rider *rider;
  OMEN_VEC (omen_rider_set) sets;
  omen_ids pool;
  omen_map by_hash;         /* -> newest set of that hash */
  omen_ids older;           /* by set: the next of its hash, or OMEN_NONE */
  omen_map stepped;         /* (set, letter) -> set */
  omen_map joined;          /* (set, set) -> set */
  OMEN_VEC (uint8_t) asked; /* by set: for news … */
  omen_map seen;            /* … and states that were news */
  omen_ids scratch;
} omen_riders;

/* Set 0 is that of the starts. Without a rider all sets are 0. */
void omen_riders_init (omen_riders *riders, const omen_rider *rider);
void omen_riders_fini (omen_riders *riders);
uint32_t omen_riders_step_slow (omen_riders *riders, uint32_t set,
                                uint32_t letter);
uint32_t omen_riders_join_slow (omen_riders *riders, uint32_t a, uint32_t b);
/* A state of the set that the letter moves to `state`, or OMEN_NONE. */
uint32_t omen_riders_origin (const omen_riders *riders, uint32_t set,
                             uint32_t letter, uint32_t state);
/* The states of the set that were in no set asked about before; appended. */
void omen_riders_news (omen_riders *riders, uint32_t set, omen_ids *states);
size_t omen_riders_bytes (const omen_riders *riders);

static inline uint32_t
omen_riders_step (omen_riders *riders, uint32_t set, uint32_t letter)
{
  uint32_t to;
  if (letter == OMEN_NONE)
    return set;
  to = omen_map_get (&riders->stepped, OMEN_PAIR (set, letter));
  return to != OMEN_NONE ? to : omen_riders_step_slow (riders, set, letter);
}

static inline uint32_t
omen_riders_join (omen_riders *riders, uint32_t a, uint32_t b)
{
  uint32_t to;
  if (a == b)
    return a;
  to = omen_map_get (&riders->joined,
                     a < b ? OMEN_PAIR (a, b) : OMEN_PAIR (b, a));
  return to != OMEN_NONE ? to : omen_riders_join_slow (riders, a, b);
}

#endif
