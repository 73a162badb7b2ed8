/* Private to model_valid*.c: parts of omen_model_valid. Each recomputes a table
   the slow way, from the trace, and says whether the model has the same. */
#ifndef OMEN_MODEL_MODEL_VALID_H
#define OMEN_MODEL_MODEL_VALID_H

#include "model/model_build.h"

bool omen_valid_memory (const omen_model *model);
bool omen_valid_locks (const omen_model *model);
bool omen_valid_clocks (const omen_model *model);
bool omen_valid_servers (const omen_model *model);

/* Is a before b in the order of the trace? */
static inline bool
omen_valid_earlier (const omen_model *model, omen_eid a, omen_eid b)
{
  return omen_model_position (model, a) < omen_model_position (model, b);
}

static inline bool
omen_valid_is_access (const omen_model *model, omen_eid e)
{
  return omen_kind_class (omen_model_event (model, e)->kind)
         == OMEN_CLASS_ACCESS;
}

#endif
