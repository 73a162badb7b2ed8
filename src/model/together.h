/* Events that are to come at once: in a sequence, the second right after the
   first. Given to the solver as a refine function: what lies between two of
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

/* The events that a window leaves out stand right before the next node of their
   thread, so between the two if they are the second one's: the first is moved
   over them, which no rule minds. */
void omen_together_close (const omen_eid *pairs, uint32_t count,
                          omen_ids *events);

#endif
