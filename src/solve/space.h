/* All states that a problem's nodes can lead to, explored once: then a question
   is a look at each of them. For small problems that the search finds hard:
   many sections of one resource whose reads leave few orders, as around a
   buffer that twenty threads use.

     omen_space *space = omen_space_new (problem, &deadline);
     if (omen_space_can (space, &query))
       verdict = omen_space_ask (space, &query, &answer);

   A state is how far each chain is and what was written last to each atom (and
   which providers are left for the needs that are open). Only nodes whose reads
   see what they accept are run: one that does not is the last of its chain, and
   no use but to the query itself. So of a query with a reads-from constraint
   the read is the last node, and neither it nor the writes may be an rmw.

   Nodes that wait for nobody and that nobody's state depends on (ends of
   sections, say) are run at once: that disables nothing, so the states in which
   they are next are not needed.

   Not for sliced problems, failed tries, or edges from reads that need not be
   preserved. Cost: chains a node and state; most 2^16 states. */
#ifndef OMEN_SOLVE_SPACE_H
#define OMEN_SOLVE_SPACE_H

#include "solve/solver.h"

typedef struct omen_space omen_space;

/* The problem must outlive it. */
/* Past the deadline it is given up: it can tell nothing. */
omen_space *omen_space_new (const omen_problem *problem,
                            const omen_deadline *deadline);
void omen_space_free (omen_space *space);
/* Are all states known, and does the query ask for something that they show:
   accesses or requests that are next, or a last read that sees a write? */
bool omen_space_can (const omen_space *space, const omen_query *query);
/* FOUND or ABSENT, after omen_space_can. `answer` keeps its decisions. */
omen_verdict omen_space_ask (omen_space *space, const omen_query *query,
                             omen_answer *answer);

#endif
