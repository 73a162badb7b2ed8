/* Choices as the nondeterminism paper counts them; see choice_count.c. */
#ifndef OMEN_SOLVE_CHOICE_COUNT_H
#define OMEN_SOLVE_CHOICE_COUNT_H

#include "solve/state.h"

/* `s`: the state after propagation; `orders`: the orders that the query
   requires. */
uint32_t omen_choice_count (const omen_state *s, const omen_edge *orders,
                            uint32_t count);

#endif
