/* The cuts of the events that one binding sees, with the monitor's state: what
   could happen if only the thread orders and what must come before counted. The
   search then asks the engine about the ways through it.

     events of the slice   T1: a b   T2: c         a must come before c
     levels    ({},s0)   ({a},s1)   ({ab},s2) ({ac},s3)   …

   Each node knows which categories can still be reached from it; what the first
   node cannot reach is impossible. A level has at most `width` nodes, those
   nearest to the observed order; `capped` says that some were left out.

   If the formula has `||`, a node knows its last event too, and an event that
   may be parallel to it has two edges: at once with it, or just some time
   after. */
#ifndef OMEN_PREDICT_PROPERTY_GRAPH_H
#define OMEN_PREDICT_PROPERTY_GRAPH_H

#include "base/map.h"
#include "model/quick.h"
#include "predict/property/track.h"

/* The part of a slice that lies in a window, in the order of the trace. */
typedef struct omen_lanes {
  omen_ids events;
  omen_ids lane_of;     /* by event: its thread, numbered from 0 */
  omen_ids lane_first;  /* by lane, and one more: in lane_events */
  omen_ids lane_events; /* numbers of events, by lane */
  uint32_t lanes;
  omen_ids needs; /* by event and lane: so many of the lane come before */
} omen_lanes;

typedef struct omen_graph_node {
  uint32_t state;
  uint32_t last;       /* number in the slice, or OMEN_NONE: does not matter */
  uint32_t goals;      /* categories landed in here or later */
  uint32_t first_edge; /* in edges; ends where the next node's begin */
} omen_graph_node;

typedef struct omen_graph_edge {
  uint32_t event; /* number in the slice */
  uint32_t to;
  bool together; /* nothing comes between the last event and this one */
} omen_graph_edge;

typedef struct omen_property_graph {
  const omen_lanes *slice;
  omen_tracks *tracks;
  OMEN_VEC (omen_graph_node) nodes; /* by level; one more at the end */
  omen_ids cuts;                    /* by node: lanes numbers */
  OMEN_VEC (omen_graph_edge) edges;
  bool parallel; /* the formula has `||` */
  bool capped;
} omen_property_graph;

void omen_lanes_init (omen_lanes *slice, const omen_model *model,
                      const omen_quick *quick, const omen_ids *events);
void omen_lanes_fini (omen_lanes *slice);

void omen_property_graph_init (omen_property_graph *graph, omen_tracks *tracks,
                               const omen_lanes *slice, uint32_t start);
void omen_property_graph_fini (omen_property_graph *graph);

#endif
