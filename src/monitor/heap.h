/* Memory for monitors that run in omen itself, where running out of it ends the
   process with a message. Not for the runtime, which shares its process with
   the program. */
#ifndef OMEN_MONITOR_HEAP_H
#define OMEN_MONITOR_HEAP_H

#include "base/mem.h"
#include "monitor/memory.h"

static inline void *
omen_heap_get (void *self, size_t bytes)
{
  (void)self;
  return omen_alloc (bytes);
}

static inline void
omen_heap_put (void *self, void *p, size_t bytes)
{
  (void)self, (void)bytes;
  omen_free (p);
}

static const omen_memory omen_heap = { omen_heap_get, omen_heap_put, NULL };

#endif
