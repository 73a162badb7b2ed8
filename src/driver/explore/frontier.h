/* Plans: what new runs have to do. Those that reach something that no run did
   come first, then in the order in which they were found. */
#ifndef OMEN_DRIVER_EXPLORE_FRONTIER_H
#define OMEN_DRIVER_EXPLORE_FRONTIER_H

#include "explore/known.h"

#include <stdio.h>

typedef struct omen_explore_plan {
  char *text; /* for the runtime (runtime/sched/replay.h) */
  size_t length;
  omen_beginning *threads; /* what they will have observed */
  uint32_t count;
  uint32_t mover;   /* in threads: who observes something new; OMEN_NONE: all
                       are to be stuck */
  uint64_t instead; /* hash of its past if it observes the other thing */
  bool known;       /* the hash of the mover's past is the one to come */
  bool unseen;      /* what is to happen is no observation (a use of what has
                       ended): that some run began so does not matter */
  uint64_t pair;    /* what it reaches: of two places in the source */
} omen_explore_plan;

typedef struct omen_frontier {
  OMEN_VEC (omen_explore_plan) plans; /* a queue: from `first` on */
  size_t first;
} omen_frontier;

void omen_explore_plan_fini (omen_explore_plan *plan);
void omen_frontier_fini (omen_frontier *frontier);
size_t omen_frontier_count (const omen_frontier *frontier);

void omen_explore_plan_tape (omen_explore_plan *plan, omen_tape *tape);
/* Those that wait. Reading: into an empty one. */
void omen_frontier_tape (omen_frontier *frontier, omen_tape *tape);

/* Has some run begun (or ended) so? */
bool omen_explore_plan_is_done (const omen_explore_plan *plan,
                                const omen_known *known);

#endif
