/* Races by order (doc/semantics.md, section 4, race-order): does a come before
   b in a sequence without being ordered by synchronisation? If synchronisation
   orders them, what would have to change? Passed to the solver as a refine
   function. */
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

/* Does something order events without synchronising them: a failed try or down
   that needs an event before it, or a try of an irregular lock, whose
   operations keep their order? If not, an event synchronises with all that must
   come before it (model.h). */
bool omen_order_race_tries (const omen_model *model);

/* Which atomic access is too weak to order a before b in this sequence, as a
   sentence ("release store at f.c:10 is relaxed"); NULL if that is not the
   reason. The caller frees it. */
char *omen_order_race_note (const omen_model *model, const omen_ids *sequence,
                            omen_eid a, omen_eid b);

#endif
