/* Any trace file into memory: told apart by content, "-" is standard input. */
#ifndef OMEN_TRACE_LOAD_H
#define OMEN_TRACE_LOAD_H

#include "trace/trace.h"

/* Sealed, or NULL with err filled in. Not checked for well-formedness. */
omen_trace *omen_trace_load (const char *path, omen_err *err);

#endif
