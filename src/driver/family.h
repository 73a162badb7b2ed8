/* What a run of a program has started, as /proc tells it.

     omen_family_adopt ();             orphans become ours, instead of init's
     omen_family_signal (child, SIGTERM);
     omen_family_end (child);          nothing of it is left

   A family is a child of ours, the children of ours that are younger (orphans
   that we adopted), and all that descend from these. */
#ifndef OMEN_DRIVER_FAMILY_H
#define OMEN_DRIVER_FAMILY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* When a process began, on a clock of its own; UINT64_MAX: it is not there.
   `first` below is that of the child. */
uint64_t omen_family_start (pid_t child);
void omen_family_adopt (void);
/* False: there is nobody. */
bool omen_family_signal (uint64_t first, int number);
/* SIGKILL, until all are gone; gives up after some seconds. The child itself
   has been waited for. */
void omen_family_end (uint64_t first);

#endif
