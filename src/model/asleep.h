/* Waits whose threads are to sleep on: in a sequence, each notify of their
   conditions has to go to another thread, or to find nobody asleep. Exactly one
   of those asleep wakes by a notify, all by a notifyall (doc/semantics.md,
   "Stuck").

     T1|wait(c)   T2|notify(c)        T1 sleeps on only if the notify is first

   Given to the solver as a refine function, for questions that fix how far each
   thread is: then all sequences have the same operations on the condition, and
   one that is acceptable turns two neighbours of the one at hand around. */
#ifndef OMEN_MODEL_ASLEEP_H
#define OMEN_MODEL_ASLEEP_H

#include "model/window.h"

typedef struct omen_asleep {
  const omen_window *window;
  omen_ids waits; /* events */
} omen_asleep;

/* omen_query.refine; context is an omen_asleep. */
bool omen_asleep_refine (void *context, const omen_node *sequence,
                         uint32_t count, omen_ways *ways, bool *complete);

#endif
