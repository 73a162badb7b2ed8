/* Huge pages for large arrays: a trace of 10 M events takes 320 MB, and with
   pages of 4 kB the page faults cost as much as decoding into it. */
#ifndef OMEN_TRACE_PAGES_H
#define OMEN_TRACE_PAGES_H

#include "base/defs.h"

/* Ask for huge pages within [p, p + bytes), which was just allocated and not
   touched yet. Only a hint; small arrays are left alone. */
void omen_pages_huge (void *p, size_t bytes);

#endif
