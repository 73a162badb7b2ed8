/* How much memory omen may use by default. */
#ifndef OMEN_DRIVER_MEMORY_H
#define OMEN_DRIVER_MEMORY_H

#include <stddef.h>

/* In bytes: three quarters of what is free according to the system, the cgroup
   of this process and ulimit -v; 0: unknown. */
size_t omen_memory_default (void);

#endif
