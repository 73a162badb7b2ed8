/* Shared by the detectors of atomicity violations. */
#ifndef OMEN_PREDICT_ATOMICITY_H
#define OMEN_PREDICT_ATOMICITY_H

#include "predict/predict.h"

/* The accesses e1, e1', e2', e2 in the order of the sequence, a letter each:
   R, W, U (rmw) or F (free). To be freed.

     R-W-R           one variable, one event between
     W1-W1'-W2'-W2   e1 is on variable 1, e2 on variable 2; ' is the other
                     thread */
char *omen_atomicity_pattern (const omen_trace *trace, const omen_ids *sequence,
                              const omen_eid *cross);

#endif
