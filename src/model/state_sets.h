/* The monitor states of each cut on a walk of the lattice: a set a cut, stepped
   by the events and joined where paths meet.

     omen_state_machine machine
         = { .letters = letters,   by event; OMEN_NONE: ignored
             .step = step,         (state, letter) -> state
             .starts = &start, .start_count = 1 };

   States and letters are small numbers that the owner assigns, e.g. a monitor's
   states, for any number of monitors. `step` must be a function: the same
   answer for the same state and letter, whatever the cut. OMEN_NONE as an
   answer drops the state (it cannot lead to a report).

   Machines of thousands of bindings have `step_all`, which steps a whole set:
   it looks for the few states that the letter moves, and a binding's state is
   added by the first letter that moves it, instead of starting with all of
   them.

   Sets are interned, so that a cut carries one number, and steps and joins are
   cached, until _keep discards them. */
#ifndef OMEN_MODEL_STATE_SETS_H
#define OMEN_MODEL_STATE_SETS_H

#include "base/map.h"
#include "base/vec.h"

typedef struct omen_state_machine {
  const uint32_t *letters; /* by event */
  uint32_t (*step) (void *context, uint32_t state, uint32_t letter);
  void *context;
  const uint32_t *starts;
  uint32_t start_count;
  /* Append the states that stay as they are, ascending as `states` are, and
     what the others become. NULL: `step` for each. */
  void (*step_all) (void *context, const uint32_t *states, uint32_t count,
                    uint32_t letter, omen_ids *stayed, omen_ids *moved);
} omen_state_machine;

typedef struct omen_state_set {
  uint32_t first, count; /* in pool, ascending */
} omen_state_set;

typedef struct omen_state_sets {
  const omen_state_machine *machine;
  OMEN_VEC (omen_state_set) sets;
  omen_ids pool;
  omen_map by_hash;         /* -> newest set of that hash */
  omen_ids older;           /* by set: the next of its hash, or OMEN_NONE */
  omen_map stepped;         /* (set, letter) -> set */
  omen_map joined;          /* (set, set) -> set */
  OMEN_VEC (uint8_t) asked; /* by set: already asked for news */
  omen_map seen;            /* states reported as news */
  size_t forget_at;         /* size from which _keep discards */
  omen_ids scratch, stayed, moved;
} omen_state_sets;

/* Set 0 holds the starting states. Without a machine all sets are 0. */
void omen_state_sets_init (omen_state_sets *state_sets,
                           const omen_state_machine *machine);
void omen_state_sets_fini (omen_state_sets *state_sets);
uint32_t omen_state_sets_step_slow (omen_state_sets *state_sets, uint32_t set,
                                    uint32_t letter);
uint32_t omen_state_sets_join_slow (omen_state_sets *state_sets, uint32_t a,
                                    uint32_t b);
/* A state of the set that the letter moves to `state`, or OMEN_NONE. */
uint32_t omen_state_sets_origin (const omen_state_sets *state_sets,
                                 uint32_t set, uint32_t letter, uint32_t state);
/* The states of the set that were in no set asked about before; appended. */
void omen_state_sets_news (omen_state_sets *state_sets, uint32_t set,
                           omen_ids *states);
/* Discard all sets but these if the tables are large, and renumber these. */
void omen_state_sets_keep (omen_state_sets *state_sets, uint32_t *sets,
                           uint32_t count);
size_t omen_state_sets_bytes (const omen_state_sets *state_sets);

static inline uint32_t
omen_state_sets_step (omen_state_sets *state_sets, uint32_t set,
                      uint32_t letter)
{
  uint32_t to;
  if (letter == OMEN_NONE)
    return set;
  to = omen_map_get (&state_sets->stepped, OMEN_PAIR (set, letter));
  return to != OMEN_NONE ? to
                         : omen_state_sets_step_slow (state_sets, set, letter);
}

static inline uint32_t
omen_state_sets_join (omen_state_sets *state_sets, uint32_t a, uint32_t b)
{
  uint32_t to;
  if (a == b)
    return a;
  to = omen_map_get (&state_sets->joined,
                     a < b ? OMEN_PAIR (a, b) : OMEN_PAIR (b, a));
  return to != OMEN_NONE ? to : omen_state_sets_join_slow (state_sets, a, b);
}

#endif
