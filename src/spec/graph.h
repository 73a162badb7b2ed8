/* What a machine's transitions imply for parameters: which events must make
   instances, which instances an event can extend, and which instances cannot
   report any more once an object is dead. For automata and for anything else
   whose steps form a graph; edges that do not really exist only make the
   answers less precise.

   For a category that is reached by words, of which w e w' is one:
   - e is a creation event if it can begin such a word and does not just stay
     in the start state, unless the caller gives the creation events;
   - the enable set of e has the parameters that the events of w bind, together,
     for every w that a creation event begins;
   - e is idle for a set of parameters if no word that binds these or fewer
     leads to a state that e changes, or that is in the category. An
     event that is idle for an instance, and for all that it may be extended
     to, need not extend it if the instance cannot reach the category before
     another event, not idle, binds the same parameters and extends it;
   - a state can land without the parameters d if a non-empty word whose events
     bind nothing of d leads from there into the category. */
#ifndef OMEN_SPEC_GRAPH_H
#define OMEN_SPEC_GRAPH_H

#include "base/vec.h"
#include "spec/family.h"

typedef struct omen_automaton_edge {
  uint32_t from, event, to;
} omen_automaton_edge;

typedef struct omen_graph {
  uint32_t states, start;
  OMEN_VEC (omen_automaton_edge) edges;
  uint8_t *goal; /* by state: in some category */
} omen_graph;

void omen_graph_init (omen_graph *graph, uint32_t states, uint32_t start);
void omen_graph_fini (omen_graph *graph);

/* `creation`, if 0, is computed. `idle` may be NULL: for graphs with edges that
   do not really exist, and where it matters which events an instance has
   read. */
void omen_graph_enable (const omen_graph *graph,
                        const omen_property_event *events, uint32_t count,
                        uint64_t *creation, omen_family *sources,
                        omen_family *idle);
/* Rows of omen_lands_words (parameters) words, one a state, for the engines'
   can_land. */
void omen_graph_lands (const omen_graph *graph,
                       const omen_property_event *events, uint32_t parameters,
                       uint32_t *lands);

#endif
