#ifndef OMEN_PREDICT_NONDET_KEPT_H
#define OMEN_PREDICT_NONDET_KEPT_H

#include "model/model.h"

/* In a recording: has the challenger, if it is an rmw, read in this sequence
   what it had read in the trace? True for all others. */
bool omen_challenger_kept (const omen_model *model, const omen_ids *sequence,
                           omen_eid challenger, bool by_value);

#endif
