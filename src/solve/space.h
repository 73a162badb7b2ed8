/* All reachable states of a problem, enumerated once: a question is then
   answered by a scan of them. For small problems that are hard for the search:
   many sections of one resource whose reads leave few orders, as around a
   buffer that twenty threads use.

     omen_space *space = omen_space_new (problem, &deadline);
     if (omen_space_can (space, &query))
       verdict = omen_space_ask (space, &query, &answer);

   A state is the progress of each chain and the last write of each atom (and
   the providers left for needs that are open). Only nodes whose reads see what
   they accept are run: any other is the last of its chain, and matters to the
   query only. So in a query with a reads-from constraint the read is the last
   node, and neither it nor the writes may be an rmw.

   Nodes that cannot block and on which no other state depends (ends of
   sections, say) are run at once: that disables nothing, so the states in which
   they are next are not needed.

   Not for sliced problems, failed tries, or edges from reads that need not be
   preserved. Cost: chains a node and state; at most 2^19 states. */
#ifndef OMEN_SOLVE_SPACE_H
#define OMEN_SOLVE_SPACE_H

#include "solve/solver.h"

typedef struct omen_space omen_space;

/* The problem must outlive it. */
/* Past the deadline it is incomplete and answers nothing. */
omen_space *omen_space_new (const omen_problem *problem,
                            const omen_deadline *deadline);
void omen_space_free (omen_space *space);
/* Are all states known, and can they answer the query: accesses or requests
   that are next, or a last read that sees a write? */
bool omen_space_can (const omen_space *space, const omen_query *query);
/* FOUND or ABSENT, after omen_space_can. The decisions counted in `answer`
   stay. */
omen_verdict omen_space_ask (omen_space *space, const omen_query *query,
                             omen_answer *answer);

#endif
