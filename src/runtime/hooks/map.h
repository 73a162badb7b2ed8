/* Mappings of memory: what other files have to know about them. */
#ifndef OMEN_RUNTIME_HOOKS_MAP_H
#define OMEN_RUNTIME_HOOKS_MAP_H

#include <stdbool.h>
#include <stdint.h>

/* Has the process mapped memory that others may see? */
bool omen_map_is_shared (void);
/* The file is written through a descriptor: if it is mapped, that changes
   memory. False: no file is mapped. */
bool omen_map_written (uint64_t device, uint64_t inode);
/* From now on other processes have what is shared. */
void omen_map_spread (void);

#endif
