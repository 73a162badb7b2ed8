/* What hooks of the C++ library and of the heap pass to each other. */
#ifndef OMEN_RUNTIME_HOOKS_CXX_H
#define OMEN_RUNTIME_HOOKS_CXX_H

#include "runtime/core/rt.h"

/* The caller of new or delete, which call malloc and free next. That call
   consumes it, so that nothing has to be undone when new throws. 0: none. */
extern OMEN_TLS uint64_t omen_heap_caller;

#endif
