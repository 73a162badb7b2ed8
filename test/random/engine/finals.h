/* What the oracle says about final values: the trace gets one more thread that
   joins all others and lets further threads read one variable each; what these
   reads can see instead of what they see is what can be the last write. */
#ifndef OMEN_TEST_ENGINE_FINALS_H
#define OMEN_TEST_ENGINE_FINALS_H

#include "oracle.h"

/* The writes that can be last, ascending. False: the trace cannot be extended
   so (two variables of one name, values of byte ranges under value, too
   long). */
bool finals_of (const omen_trace *trace, omen_model_name model,
                omen_ids *writes);

#endif
