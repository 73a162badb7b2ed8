/* Where monitors get memory from. They may run inside a program that is not
   ours, so they never call malloc themselves:

     omen_memory memory = { get, put, self };
     state = memory.get (memory.self, 64);

   `get` returns NULL when there is none left: the monitor then reports that and
   is unchanged. The caller of a monitor locks; nothing here is thread-safe. */
#ifndef OMEN_MONITOR_MEMORY_H
#define OMEN_MONITOR_MEMORY_H

#include "base/defs.h"

typedef struct omen_memory {
  void *(*get) (void *self, size_t bytes); /* 16-aligned, uninitialised */
  void (*put) (void *self, void *p, size_t bytes); /* the bytes of its get */
  void *self;
} omen_memory;

static inline void *
omen_memory_get (const omen_memory *memory, size_t bytes)
{
  return memory->get (memory->self, bytes);
}

static inline void
omen_memory_put (const omen_memory *memory, void *p, size_t bytes)
{
  if (p)
    memory->put (memory->self, p, bytes);
}

#endif
