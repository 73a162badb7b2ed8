/* Waits whose threads must stay blocked: in a sequence, each notify of their
   conditions must wake another thread or find no thread waiting. A notify wakes
   exactly one waiter, a notifyall all of them (doc/semantics.md, "Stuck").

     T1|wait(c)   T2|notify(c)        T1 stays blocked only if the notify is
   first

   Passed to the solver as a refine function, for questions that fix how far
   each thread runs: all sequences then have the same operations on the
   condition, so an acceptable one differs from the current one by swaps of
   neighbours. */
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
