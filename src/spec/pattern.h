/* A pattern as a graph: which step follows which, with thread and region.

     a(t1) || b(t2) c        0 -a t1-> 1 -b t2-> 3, 0 -b t2-> 2 -a t1-> 3, 3
   -c-> 4

   Other events may stand between the steps, except where a node does not wait.
   Flags of nodes are those of monitor/threads.h. */
#ifndef OMEN_SPEC_PATTERN_H
#define OMEN_SPEC_PATTERN_H

#include "monitor/threads.h"
#include "spec/logic.h"

/* A step: an event, its thread, and the region that it begins or ends. */
typedef struct omen_pattern_step {
  uint32_t event, thread, region;
} omen_pattern_step;

typedef struct omen_pattern_edge {
  uint32_t from, to;
  omen_pattern_step step;
  bool empty; /* takes no event */
} omen_pattern_edge;

typedef struct omen_pattern {
  uint32_t *nodes; /* flags */
  omen_pattern_edge *edges;
  uint32_t *starts; /* alternatives x OMEN_THREADS_PARTS_MAX */
  uint32_t node_count, edge_count, alternatives, parts, names, regions;
  omen_written_node *written; /* as it was read */
  uint32_t written_count;
} omen_pattern;

/* pattern_parse.c: in the specification's arena; NULL with err set. */
const omen_pattern *omen_pattern_parse (omen_parser *parser);

/* pattern_plain.c: the same without empty edges. */
typedef struct omen_pattern_plain {
  const omen_pattern *p;
  OMEN_VEC (omen_pattern_edge) edges; /* by node they leave */
  omen_ids first;                     /* by node, and one more */
  omen_ids flags;
} omen_pattern_plain;

void omen_pattern_plain_init (omen_pattern_plain *out, const omen_pattern *p);
void omen_pattern_plain_fini (omen_pattern_plain *out);

#endif
