/* Does some read of the trace have a value? Then the default model is value. */
#ifndef OMEN_DRIVER_VALUES_H
#define OMEN_DRIVER_VALUES_H

#include "trace/trace.h"

bool omen_has_values (const omen_trace *trace);

#endif
