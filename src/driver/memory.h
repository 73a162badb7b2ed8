/* How much memory there is for omen. */
#ifndef OMEN_DRIVER_MEMORY_H
#define OMEN_DRIVER_MEMORY_H

#include <stddef.h>

/* Bytes: three quarters of what is free, by the system, the control group of
   this process and ulimit -v; 0: nobody says. */
size_t omen_memory_default (void);

#endif
