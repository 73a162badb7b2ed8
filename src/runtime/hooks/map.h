/* Mappings of memory: what other files have to know about them. */
#ifndef OMEN_RUNTIME_HOOKS_MAP_H
#define OMEN_RUNTIME_HOOKS_MAP_H

#include <stdbool.h>

/* Has the process mapped memory that others may see? */
bool omen_map_is_shared (void);

#endif
