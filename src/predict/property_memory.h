/* Memory for monitors that run in omen itself, where it never runs out without a
   word. */
#ifndef OMEN_PREDICT_PROPERTY_MEMORY_H
#define OMEN_PREDICT_PROPERTY_MEMORY_H

#include "monitor/memory.h"

extern const omen_memory omen_property_memory;

#endif
