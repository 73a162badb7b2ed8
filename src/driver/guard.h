/* A process that ends everything that a run has started, or removes a temporary
   folder, when omen ends in any way (SIGKILL, for example).

     omen_guard guard = omen_guard_start ("OMEN_OPTIONS=…", NULL);
     omen_guard_watch (&guard, child);
     omen_guard_end (&guard);             the run is over

   Processes of the run are recognised by their process group and by an entry of
   their environment that is unique to the run; so those with a group or session
   of their own are found, too. */
#ifndef OMEN_DRIVER_GUARD_H
#define OMEN_DRIVER_GUARD_H

#include <stdbool.h>
#include <sys/types.h>

typedef struct omen_guard {
  pid_t pid; /* 0: none */
  int to_it; /* omen's end of a pipe; it closes when omen ends */
} omen_guard;

#define OMEN_NO_GUARD ((omen_guard){ 0, -1 })

/* May be called when omen has threads: it only calls what is safe in a forked
   child. `folder`, unless NULL, is removed with its files if omen ends;
   `assignment`, unless NULL, marks the processes of a run. */
omen_guard omen_guard_start (const char *assignment, const char *folder);
void omen_guard_watch (omen_guard *guard, pid_t child);
void omen_guard_end (omen_guard *guard);
bool omen_guard_is (pid_t pid);
/* As end, but terminates the rest of the run as if omen had ended. */
void omen_guard_end_run (omen_guard *guard);

#endif
