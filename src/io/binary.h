/* The binary form (doc/trace-format.md, section 2; layouts in format.h). */
#ifndef OMEN_IO_BINARY_H
#define OMEN_IO_BINARY_H

#include "trace/trace.h"

#include <stdio.h>

/* Is this the start of a binary trace? */
bool omen_binary_is (const void *data, size_t size);

/* Reads a file of events. Sealed; NULL if it cannot be read, or is a recording
   (load/load.h reads both). A truncated or damaged file is read up to there,
   with warnings in trace->warnings and the flag OMEN_TRACE_PARTIAL. The bytes
   are not needed afterwards. Cost: one pass, about 12 ns an event; allocates no
   more than the size of the file justifies. */
omen_trace *omen_binary_parse (const char *path, const void *data, size_t size,
                               omen_err *err);

/* How to write; 0 is the plain form. */
enum {
  OMEN_BINARY_LZ4 = 1,      /* compress the chunks */
  OMEN_BINARY_BY_THREAD = 2 /* a stream for each thread, and their order */
};
bool omen_binary_write_as (const omen_trace *trace, unsigned how, FILE *out,
                           omen_err *err);
/* The plain form. False on an error of `out`. */
bool omen_binary_write (const omen_trace *trace, FILE *out, omen_err *err);

#endif
