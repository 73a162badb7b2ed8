/* Events that must be adjacent: in a sequence, the second right after the
   first. Passed to the solver as a refine function: an event between two of
   them must come before both, after both, or not at all. */
#ifndef OMEN_MODEL_TOGETHER_H
#define OMEN_MODEL_TOGETHER_H

#include "model/window.h"

typedef struct omen_together {
  OMEN_VEC (omen_edge) pairs; /* `from` right before `to` */
} omen_together;

/* omen_query.refine; context is an omen_together. */
bool omen_together_refine (void *context, const omen_node *sequence,
                           uint32_t count, omen_ways *ways, bool *complete);

/* The events that a window leaves out are put right before the next node of
   their thread, so maybe between the two: the first is moved behind them, which
   no rule forbids. */
void omen_together_close (const omen_eid *pairs, uint32_t count,
                          omen_ids *events);

#endif
