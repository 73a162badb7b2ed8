/* Events as a Chrome trace (JSON), which Perfetto and about:tracing show:
   functions and held locks as slices, the rest as moments a microsecond apart.

     omen_perfetto_write (trace, order, count, out, err)

   `order` are the events to show, in the order to show; NULL: all of the trace
   as it is. */
#ifndef OMEN_IO_PERFETTO_WRITE_H
#define OMEN_IO_PERFETTO_WRITE_H

#include "trace/trace.h"

#include <stdio.h>

bool omen_perfetto_write (const omen_trace *trace, const omen_eid *order,
                          size_t count, FILE *out, omen_err *err);

#endif
