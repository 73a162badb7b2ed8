/* Large arrays on large pages: a trace of 10 M events is 320 MB, and at 4 kB a
   fault, making them present costs as much as decoding into them. */
#ifndef OMEN_TRACE_PAGES_H
#define OMEN_TRACE_PAGES_H

#include "base/defs.h"

/* Ask for large pages inside [p, p + bytes), just allocated and not yet
   touched. A request, not a promise; nothing happens for small arrays. */
void omen_pages_huge (void *p, size_t bytes);

#endif
