/* Plans from the detectors' predictions for a run: reads that can see another
   write, deadlocks and other hangs. For runs with too many cuts to examine
   (explore/cuts.h): one schedule for each prediction, so combinations may be
   missed. */
#ifndef OMEN_DRIVER_EXPLORE_FORETELL_H
#define OMEN_DRIVER_EXPLORE_FORETELL_H

#include "driver/explore/frontier.h"
#include "driver/spec_list.h"

typedef OMEN_VEC (omen_explore_plan) omen_foretold;

/* Appends plans, owned by the caller. Takes about a second at most. */
void omen_foretell (const omen_model *model, const omen_histories *histories,
                    omen_foretold *foretold);
/* The same for uses after the end of a lifetime, which are no observations; for
   runs of any size. */
void omen_foretell_uses (const omen_model *model,
                         const omen_histories *histories,
                         omen_foretold *foretold);

/* The same for verdicts of properties; `pair` is the omen_violation_key. False:
   not all were decided. */
bool omen_foretell_verdicts (const omen_model *model,
                             const omen_histories *histories,
                             const omen_spec_list *specs,
                             omen_foretold *foretold);

#endif
