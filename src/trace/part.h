/* Truncation of a trace for lack of memory or time.

     omen_trace_fit (trace, limits);      keep as many events as fit
     omen_trace_warn_part (trace);        add a warning if it was truncated */
#ifndef OMEN_TRACE_PART_H
#define OMEN_TRACE_PART_H

#include "trace/trace.h"

/* Truncate to as many events as fit into limits->memory, if the analysis needs
   limits->event bytes for each. Sealed or not. No limit if NULL. */
void omen_trace_fit (omen_trace *trace, omen_limits *limits);
void omen_trace_warn_part (omen_trace *trace);
/* The fraction of the input that the trace holds; 1: all of it. */
double omen_trace_part (const omen_trace *trace);

#endif
