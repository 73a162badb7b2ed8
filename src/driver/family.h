/* The processes that a run of a program has started, according to /proc.

     omen_family_adopt ();             orphans become ours, instead of init's
     omen_family_signal (child, SIGTERM);
     omen_family_end (child);          nothing of it is left

   A family is a child process, our younger children (adopted orphans) but for
   guards, and all descendants of these. */
#ifndef OMEN_DRIVER_FAMILY_H
#define OMEN_DRIVER_FAMILY_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/* The start time of a process; UINT64_MAX if it does not exist. `first` below
   is that of the child. */
uint64_t omen_family_start (pid_t child);
void omen_family_adopt (void);
/* False if the family is empty. */
bool omen_family_signal (uint64_t first, int number);
/* Sends SIGKILL until all have ended, for some seconds at most. The child
   itself has been waited for. */
void omen_family_end (uint64_t first);

#endif
