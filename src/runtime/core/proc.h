/* What the kernel says about threads of this process. */
#ifndef OMEN_RUNTIME_CORE_PROC_H
#define OMEN_RUNTIME_CORE_PROC_H

#include <stdbool.h>
#include <stdint.h>

/* R: runs, S: sleeps, D, T, …; '?' if it cannot be known. */
char omen_proc_state (uint32_t tid);
/* Does it sleep in a call of the kernel that has no limit of time? False if it
   cannot be known. */
bool omen_proc_sleeps_on (uint32_t tid);
/* How many there are; 0 if it cannot be known. */
unsigned omen_proc_threads (void);

#endif
