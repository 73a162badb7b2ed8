/* The cuts of the events that one binding sees, with the state of its monitor:
   an over-approximation that respects only program order and
   must-happen-before. The engine is then asked which paths through it are
   possible.

     events of the slice   T1: a b   T2: c         a must come before c
     levels    ({},s0)   ({a},s1)   ({ab},s2) ({ac},s3)   …

   Each node has the categories that can still be reached from it; those that
   the first node cannot reach are impossible. A level has at most `width`
   nodes, the nearest to the observed order; if any were left out, `capped` is
   set.

   If the formula has `||`, nodes also differ by their last event, and an event
   that may be parallel to that has two edges: directly after it, or later. */
#ifndef OMEN_PREDICT_PROPERTY_GRAPH_H
#define OMEN_PREDICT_PROPERTY_GRAPH_H

#include "base/map.h"
#include "model/quick.h"
#include "predict/property/track.h"

/* The events that one binding sees in a window, in the order of the trace; a
   lane has those of one thread. */
typedef struct omen_lanes {
  omen_ids events;
  omen_ids lane_of;     /* by event: its lane */
  omen_ids lane_first;  /* by lane: its first in lane_events; one entry more */
  omen_ids lane_events; /* indices in events, by lane */
  uint32_t lanes;
  omen_ids needs; /* by event and lane: number of the lane's events that must
                     come before */
} omen_lanes;

typedef struct omen_graph_node {
  uint32_t state;
  uint32_t last;       /* index in the slice, or OMEN_NONE if irrelevant */
  uint32_t goals;      /* categories reached here or later */
  uint32_t first_edge; /* in edges, up to that of the next node */
} omen_graph_node;

typedef struct omen_graph_edge {
  uint32_t event; /* index in the slice */
  uint32_t to;
  bool together; /* comes directly after the last event */
} omen_graph_edge;

typedef struct omen_property_graph {
  const omen_lanes *slice;
  omen_tracks *tracks;
  OMEN_VEC (omen_graph_node) nodes; /* by level; one entry more */
  omen_ids cuts;                    /* by node, one number for each lane */
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
