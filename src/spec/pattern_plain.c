#include "spec/pattern.h"

#include <string.h>

/* Nodes reached by empty edges: their other edges become this node's. */
static void
gather_edges (omen_pattern_plain *out, uint32_t from, uint8_t *seen,
              omen_ids *todo)
{
  const omen_pattern *p = out->p;
  memset (seen, 0, p->node_count);
  OMEN_VEC_CLEAR (*todo);
  OMEN_VEC_PUSH (*todo, from);
  seen[from] = 1;
  while (todo->count) {
    uint32_t at = OMEN_VEC_POP (*todo);
    out->flags.data[from] |= p->nodes[at] & OMEN_THREADS_END;
    for (uint32_t i = 0; i < p->edge_count; i++) {
      omen_pattern_edge e = p->edges[i];
      OMEN_ASSERT (e.from < p->node_count && e.to < p->node_count);
      if (e.from != at)
        continue;
      if (!e.empty) {
        e.from = from;
        OMEN_VEC_PUSH (out->edges, e);
      } else if (!seen[e.to]) {
        seen[e.to] = 1;
        OMEN_VEC_PUSH (*todo, e.to);
      }
    }
  }
}

void
omen_pattern_plain_init (omen_pattern_plain *out, const omen_pattern *p)
{
  uint8_t *seen = omen_zalloc (p->node_count, 1);
  omen_ids todo = { 0 };
  *out = (omen_pattern_plain){ .p = p };
  for (uint32_t n = 0; n < p->node_count; n++)
    OMEN_VEC_PUSH (out->flags, p->nodes[n]);
  for (uint32_t n = 0; n < p->node_count; n++) {
    OMEN_VEC_PUSH (out->first, (uint32_t)out->edges.count);
    gather_edges (out, n, seen, &todo);
  }
  OMEN_VEC_PUSH (out->first, (uint32_t)out->edges.count);
  OMEN_ASSERT (out->first.count == p->node_count + 1);
  OMEN_VEC_FINI (todo);
  omen_free (seen);
}

void
omen_pattern_plain_fini (omen_pattern_plain *out)
{
  OMEN_VEC_FINI (out->edges);
  OMEN_VEC_FINI (out->first);
  OMEN_VEC_FINI (out->flags);
}
