/* The binary form (doc/trace-format.md, section 2). */
#ifndef OMEN_TRACE_BINARY_H
#define OMEN_TRACE_BINARY_H

#include "trace/trace.h"

#include <stdio.h>

/* Is this the start of a binary trace? */
bool omen_binary_is (const void *data, size_t size);
/* A file that is cut or damaged loads up to there, with a warning in
   trace->warnings; NULL only if nothing can be made of it. */
omen_trace *omen_binary_parse (const char *path, const void *data, size_t size,
                               omen_err *err);
bool omen_binary_write (const omen_trace *trace, FILE *out, omen_err *err);

#endif
