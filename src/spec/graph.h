/* What a machine's transitions say about parameters: which events must make
   instances, which instances an event can extend, and which instances are
   beyond hope once an object is dead. For automata and for anything else whose
   steps can be drawn as a graph; more edges than there really are only make the
   answers more generous.

   For a category that is reached by words, of which w e w' is one:
   - e is a creation event if it can begin such a word and does not just stay
     where the start is, unless who asks says otherwise;
   - the enable set of e has the parameters that the events of w bind, together,
     for every w that a creation event begins;
   - e is idle for a set of parameters if no word that binds these or fewer
   leads to a state that e moves, or in which it lands. An instance need not be
     extended by an event that is idle for it, and for what it may grow to, if
     it cannot land before a moving event binds the same: that one will do it;
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

/* `creation` is given; where that is 0, it is worked out. `idle` may
   be NULL: for graphs with more edges than there really are, and where it
   matters which events an instance has seen. */
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
