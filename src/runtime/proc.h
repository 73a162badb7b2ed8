/* What the kernel says about threads of this process. */
#ifndef OMEN_RUNTIME_PROC_H
#define OMEN_RUNTIME_PROC_H

#include <stdint.h>

/* R: runs, S: sleeps, D, T, …; '?' if it cannot be known. */
char omen_proc_state (uint32_t tid);
/* How many there are; 0 if it cannot be known. */
unsigned omen_proc_threads (void);

#endif
