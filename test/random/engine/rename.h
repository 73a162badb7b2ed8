/* The same trace with other numbers and names for its threads, variables, locks
   and so on: the last one becomes the first. Events and locations stay. */
#ifndef OMEN_TEST_ENGINE_RENAME_H
#define OMEN_TEST_ENGINE_RENAME_H

#include "trace/trace.h"

/* Sealed; the caller frees it. */
omen_trace *renamed_trace (const omen_trace *trace);

#endif
