/* What the C++ library's functions and the heap tell each other. */
#ifndef OMEN_RUNTIME_HOOKS_CXX_H
#define OMEN_RUNTIME_HOOKS_CXX_H

#include "runtime/core/rt.h"

/* Who called new or delete, which call malloc and free next. Taken by that
   call, so that nothing has to be undone when new throws. 0: nobody. */
extern OMEN_TLS uint64_t omen_heap_caller;

#endif
