/* A crew: workers that do the same work in threads of their own, the first in
   the caller's.

     struct worker { … } workers[4];
     omen_crew_run (workers, sizeof *workers, 4, work);   work (&workers[i])

   Returns when all have ended. Where threads cannot be had, fewer workers run:
   what is to be done is not shared out by worker, each takes what is next. */
#ifndef OMEN_BASE_CREW_H
#define OMEN_BASE_CREW_H

#include "base/defs.h"

void omen_crew_run (void *workers, size_t size, unsigned count,
                    void *(*work) (void *worker));

#endif
