/* The binary form (doc/trace-format.md, section 2; layouts in format.h). */
#ifndef OMEN_IO_BINARY_H
#define OMEN_IO_BINARY_H

#include "trace/trace.h"

#include <stdio.h>

/* Is this the start of a binary trace? */
bool omen_binary_is (const void *data, size_t size);

/* A file of events. Sealed, or NULL: nothing can be made of it, or it is a
   recording (load/load.h reads both). A file that is cut or damaged loads up to
   there, with warnings in trace->warnings and OMEN_TRACE_PARTIAL. The bytes are
   not needed afterwards. Cost: one pass, about 12 ns an event; no allocation
   beyond what the size of the file justifies. */
omen_trace *omen_binary_parse (const char *path, const void *data, size_t size,
                               omen_err *err);

/* How to write; 0 is fine. */
enum {
  OMEN_BINARY_LZ4 = 1,      /* compress the chunks */
  OMEN_BINARY_BY_THREAD = 2 /* a stream a thread, and the order apart */
};
bool omen_binary_write_as (const omen_trace *trace, unsigned how, FILE *out,
                           omen_err *err);
/* As above, plain. False if `out` has an error. */
bool omen_binary_write (const omen_trace *trace, FILE *out, omen_err *err);

#endif
