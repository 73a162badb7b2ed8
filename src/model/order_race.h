/* Races by order (doc/semantics.md, section 4, race-order): is a before b in a
   sequence without being ordered by anything that synchronises? And if not,
   what would have to be different. Given to the solver as a refine function. */
#ifndef OMEN_MODEL_ORDER_RACE_H
#define OMEN_MODEL_ORDER_RACE_H

#include "model/window.h"

typedef struct omen_order_race omen_order_race;

omen_order_race *omen_order_race_new (const omen_window *window);
void omen_order_race_free (omen_order_race *race);
/* The pair to judge from now on. */
void omen_order_race_aim (omen_order_race *race, omen_eid a, omen_eid b);
/* omen_query.refine; context is an omen_order_race. */
bool omen_order_race_refine (void *context, const omen_node *sequence,
                             uint32_t count, omen_ways *ways, bool *complete);

/* Does something order without synchronising: a try, or a down, that failed
   and before which something must have happened, or a try of an irregular lock,
   which has its place? Without, what must come before an event (model.h) is
   synchronised with it. */
bool omen_order_race_tries (const omen_model *model);

/* Which atomic access is too weak to order a before b in this sequence, as a
   sentence ("release store at f.c:10 is relaxed"); NULL if that is not the
   reason. The caller frees it. */
char *omen_order_race_note (const omen_model *model, const omen_ids *sequence,
                            omen_eid a, omen_eid b);

#endif
