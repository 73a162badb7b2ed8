/* Plans of new runs. Plans that reach something new come first, otherwise they
   are in the order in which they were found. */
#ifndef OMEN_DRIVER_EXPLORE_FRONTIER_H
#define OMEN_DRIVER_EXPLORE_FRONTIER_H

#include "explore/known.h"

#include <stdio.h>

typedef struct omen_explore_plan {
  char *text; /* for the runtime (runtime/sched/replay.h) */
  size_t length;
  omen_beginning *threads; /* their observations after the plan */
  uint32_t count;
  uint32_t mover; /* the thread that observes something new; OMEN_NONE: all are
                     expected to be stuck */
  uint64_t instead; /* hash of the mover's past if it observes otherwise */
  bool known;       /* the hash of the mover's past is certain */
  bool unseen;      /* the target (a use after the end of a lifetime) is no
                       observation, so runs that began like this do not cover it */
  uint64_t pair;    /* what it reaches: a pair of source locations */
} omen_explore_plan;

typedef struct omen_frontier {
  OMEN_VEC (omen_explore_plan) plans; /* a queue, from `first` on */
  size_t first;
} omen_frontier;

void omen_explore_plan_fini (omen_explore_plan *plan);
void omen_frontier_fini (omen_frontier *frontier);
size_t omen_frontier_count (const omen_frontier *frontier);

void omen_explore_plan_archive (omen_explore_plan *plan, omen_archive *archive);
/* Saves the waiting plans, or reads them into an empty frontier. */
void omen_frontier_archive (omen_frontier *frontier, omen_archive *archive);

/* Has some run begun (or ended) like this? */
bool omen_explore_plan_is_done (const omen_explore_plan *plan,
                                const omen_known *known);

#endif
