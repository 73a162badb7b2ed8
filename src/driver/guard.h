/* A process that outlives omen for a moment: when omen ends in whatever way
   (SIGKILL, say), all that a run of ours has started ends, too.

     omen_guard guard = omen_guard_start ("OMEN_OPTIONS=…");
     omen_guard_watch (&guard, child);
     omen_guard_end (&guard);             nothing of the run is left

   What belongs to the run is known by its process group and by its environment,
   which is the run's alone; so what made a group or a session of its own is
   found as well. */
#ifndef OMEN_DRIVER_GUARD_H
#define OMEN_DRIVER_GUARD_H

#include <sys/types.h>

typedef struct omen_guard {
  pid_t pid; /* 0: there is none */
  int to_it; /* omen's end of the pipe: it closes when omen ends */
} omen_guard;

/* To be called while omen may have threads: it does only what is safe then. */
omen_guard omen_guard_start (const char *assignment);
void omen_guard_watch (omen_guard *guard, pid_t child);
void omen_guard_end (omen_guard *guard);

#endif
