#ifndef OMEN_PREDICT_NONDET_KEPT_H
#define OMEN_PREDICT_NONDET_KEPT_H

#include "model/model.h"

/* Does the rival, if it is an rmw of a recording, read the same in this
   sequence as in the trace? True for all other rivals. */
bool omen_challenger_kept (const omen_model *model, const omen_ids *sequence,
                           omen_eid challenger, bool by_value);

#endif
