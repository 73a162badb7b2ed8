/* What the kernel knows about threads of this process. */
#ifndef OMEN_RUNTIME_CORE_PROC_H
#define OMEN_RUNTIME_CORE_PROC_H

#include <stdbool.h>
#include <stdint.h>

/* R running, S sleeping, D, T, …; '?' if it cannot be read. */
char omen_proc_state (uint32_t tid);
/* Is it asleep in a system call without a timeout? False if it cannot be
   read. */
bool omen_proc_sleeps_on (uint32_t tid);
/* The number of threads; 0 if it cannot be read. */
unsigned omen_proc_threads (void);
/* SIGKILL to the children of the calling thread, the only one. False: it
   reached none. */
bool omen_proc_kill_children (void);

#endif
