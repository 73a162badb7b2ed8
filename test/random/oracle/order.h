/* Races by order: σ in which a comes before b and no path of synchronised order
   (doc/semantics.md, end of section 4) leads from a to b.

   For one a, the search runs the machine together with the set of events that
   can be reached from a, and with what decides how that set grows: the order of
   ups and notifies, the notifies in use, release sequences that carry a's mark,
   and marks that wait for an acquire fence. */
#ifndef OMEN_TEST_ORACLE_ORDER_H
#define OMEN_TEST_ORACLE_ORDER_H

#include "machine.h"

/* Which events b of `targets` are such that race-order a b holds? All of them
   must be able to race with a. If `path` is given, it becomes the σ of the
   first one found, and the search ends there. */
event_set order_search (const machine *m, unsigned a, event_set targets,
                        omen_ids *path);

#endif
