/* Writes events as a Chrome trace (JSON) for Perfetto and about:tracing:
   functions and held locks as slices, other events as points, a microsecond
   apart.

     omen_perfetto_write (trace, order, count, out, err)

   `order` has the events to write, in order; NULL: all events of the trace. */
#ifndef OMEN_IO_PERFETTO_WRITE_H
#define OMEN_IO_PERFETTO_WRITE_H

#include "trace/trace.h"

#include <stdio.h>

bool omen_perfetto_write (const omen_trace *trace, const omen_eid *order,
                          size_t count, FILE *out, omen_err *err);

#endif
