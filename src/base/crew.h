/* Runs the same function for each worker, in a thread each; the first one in
   the calling thread.

     struct worker { … } workers[4];
     omen_crew_run (workers, sizeof *workers, 4, work);   work (&workers[i])

   Returns when all have ended. If threads cannot be created, fewer workers run,
   so the work must not be divided among them in advance. */
#ifndef OMEN_BASE_CREW_H
#define OMEN_BASE_CREW_H

#include "base/defs.h"

void omen_crew_run (void *workers, size_t size, unsigned count,
                    void *(*work) (void *worker));

#endif
