/* A process that outlives omen for a moment: when omen ends in whatever way
   (SIGKILL, say), all that a run of ours has started ends, too.

     omen_guard guard = omen_guard_start ("OMEN_OPTIONS=…", folder);
     omen_guard_watch (&guard, child);
     omen_guard_end (&guard);             the run is over

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

#define OMEN_NO_GUARD ((omen_guard){ 0, -1 })

/* To be called while omen may have threads: it does only what is safe then. If
   `folder` is not NULL, it goes with the run, with the files in it. */
omen_guard omen_guard_start (const char *assignment, const char *folder);
void omen_guard_watch (omen_guard *guard, pid_t child);
void omen_guard_end (omen_guard *guard);
/* The same, and what is left of the run ends as if omen did. */
void omen_guard_end_run (omen_guard *guard);

#endif
