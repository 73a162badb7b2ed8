/* Does a read of the trace have a value? Then the model is value unless the
   user says otherwise. */
#ifndef OMEN_DRIVER_VALUES_H
#define OMEN_DRIVER_VALUES_H

#include "trace/trace.h"

bool omen_has_values (const omen_trace *trace);

#endif
