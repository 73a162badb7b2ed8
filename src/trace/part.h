/* A first part of a trace, for want of memory or time.

     omen_trace_fit (trace, limits);      as many events as there is room for
     omen_trace_tell_part (trace);        a warning, if not all is there */
#ifndef OMEN_TRACE_PART_H
#define OMEN_TRACE_PART_H

#include "trace/trace.h"

/* Keep as many of the first events as fit into its memory, limits->event bytes
   for each. Before seal or after it. `limits` NULL: all. */
void omen_trace_fit (omen_trace *trace, omen_limits *limits);
void omen_trace_tell_part (omen_trace *trace);
/* What part it is; 1: all of it. */
double omen_trace_part (const omen_trace *trace);

#endif
