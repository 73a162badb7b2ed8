/* What the detectors foretell of a run, as plans: reads that can see another
   write, deadlocks and other hangs. For runs that are too large for all their
   cuts to be looked at (explore/cuts.h): one schedule each, so that not all
   combinations are found. */
#ifndef OMEN_DRIVER_EXPLORE_FORETELL_H
#define OMEN_DRIVER_EXPLORE_FORETELL_H

#include "driver/explore/frontier.h"

typedef OMEN_VEC (omen_explore_plan) omen_foretold;

/* Appends; plans are the caller's. Takes about a second at most. */
void omen_foretell (const omen_model *model, const omen_histories *histories,
                    omen_foretold *foretold);
/* The same for uses of what has ended by then, which are no observation: of any
   run. */
void omen_foretell_uses (const omen_model *model,
                         const omen_histories *histories,
                         omen_foretold *foretold);

#endif
