/* All other runs that one run predicts: those in which some thread can continue
   and observes something else than it did, or in which no thread can continue.

     omen_cuts *cuts = omen_cuts_new (steps, &options);
     for each of cuts->forks: what a new run has to do

   A fork is a cut of the run (how many steps each thread has taken), reached by
   a reordering in which all observe what they did, and the thread that goes
   next. Of the cuts before one observation all maximal ones are there: a run
   that is forced to one of them extends all that the smaller ones begin.

   By search through all states, a state for each cut and memory: exact, and
   exponential in the number of threads, though a step that conflicts with
   nothing that is left is taken at once. Beyond `most_states` it stops, and
   says so. Memory: 4 bytes a word of a state. */
#ifndef OMEN_EXPLORE_CUTS_H
#define OMEN_EXPLORE_CUTS_H

#include "explore/replica.h"

typedef struct omen_cut_fork {
  uint32_t state;   /* the cut, and how to come there */
  omen_tid thread;  /* the next one; OMEN_NONE: none can continue */
  omen_other other; /* what it observes */
} omen_cut_fork;

typedef struct omen_cuts_options {
  uint32_t most_states;
  bool spurious;
} omen_cuts_options;

typedef struct omen_cuts {
  const omen_steps *steps;
  omen_replica *replica;
  OMEN_VEC (uint32_t) words; /* of states, one after the other */
  OMEN_VEC (uint64_t) came;  /* by state: from which, by which thread */
  OMEN_VEC (omen_cut_fork) forks;
  bool all; /* no state was left out */
} omen_cuts;

omen_cuts *omen_cuts_new (const omen_steps *steps,
                          const omen_cuts_options *options);
void omen_cuts_free (omen_cuts *cuts);

static inline const uint32_t *
omen_cuts_state (const omen_cuts *cuts, uint32_t state)
{
  return cuts->words.data + (size_t)state * cuts->replica->words;
}

/* The events of the steps that lead to a state, appended. */
void omen_cuts_path (const omen_cuts *cuts, uint32_t state, omen_ids *events);

#endif
