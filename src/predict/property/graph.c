#include "predict/property/graph.h"

#include <stdlib.h>
#include <string.h>

/* About the most nodes of a graph, and the least width of a level. */
#define NODES_MAX 400000u
#define WIDTH_MIN 16u

/* ---- the slice ---- */

static void
number_lanes (omen_lanes *s, const omen_model *model)
{
  omen_ids lane = { 0 };
  for (omen_tid t = 0; t < model->thread_count; t++)
    OMEN_VEC_PUSH (lane, OMEN_NONE);
  for (size_t i = 0; i < s->events.count; i++) {
    omen_tid t = omen_model_thread (model, s->events.data[i]);
    if (lane.data[t] == OMEN_NONE)
      lane.data[t] = s->lanes++;
    OMEN_VEC_PUSH (s->lane_of, lane.data[t]);
  }
  OMEN_VEC_FINI (lane);
  for (uint32_t l = 0; l < s->lanes; l++) {
    OMEN_VEC_PUSH (s->lane_first, (uint32_t)s->lane_events.count);
    for (uint32_t i = 0; i < s->events.count; i++)
      if (s->lane_of.data[i] == l)
        OMEN_VEC_PUSH (s->lane_events, i);
  }
  OMEN_VEC_PUSH (s->lane_first, (uint32_t)s->lane_events.count);
  OMEN_ASSERT (s->lane_events.count == s->events.count);
}

/* How many events of the lane must happen before event i (always a prefix). */
static uint32_t
needed (const omen_lanes *s, const omen_quick *quick, uint32_t i, uint32_t lane)
{
  uint32_t low = OMEN_FIRST_NOT (
      k, s->lane_first.data[lane], s->lane_first.data[lane + 1],
      omen_quick_must_before (quick, s->events.data[s->lane_events.data[k]],
                              s->events.data[i]));
  return low - s->lane_first.data[lane];
}

void
omen_lanes_init (omen_lanes *s, const omen_model *model,
                 const omen_quick *quick, const omen_ids *events)
{
  *s = (omen_lanes){ 0 };
  for (size_t i = 0; i < events->count; i++) {
    OMEN_REQUIRE (!i
                  || omen_model_position (model, events->data[i - 1])
                         < omen_model_position (model, events->data[i]));
    OMEN_VEC_PUSH (s->events, events->data[i]);
  }
  number_lanes (s, model);
  for (uint32_t i = 0; i < s->events.count; i++)
    for (uint32_t l = 0; l < s->lanes; l++)
      OMEN_VEC_PUSH (s->needs,
                     l == s->lane_of.data[i] ? 0 : needed (s, quick, i, l));
}

void
omen_lanes_fini (omen_lanes *s)
{
  OMEN_VEC_FINI (s->events);
  OMEN_VEC_FINI (s->lane_of);
  OMEN_VEC_FINI (s->lane_first);
  OMEN_VEC_FINI (s->lane_events);
  OMEN_VEC_FINI (s->needs);
}

/* ---- the graph ---- */

typedef struct builder {
  omen_property_graph *graph;
  const omen_lanes *slice;
  uint32_t first, end; /* nodes of the current level */
  uint32_t width;
  uint32_t *observed; /* by lane: events in the trace's cut of this level */
  omen_map by_hash;   /* of the next level: newest node with that hash */
  omen_ids older; /* by node of the next level: the next older one with the same
                     hash */
  uint32_t *cut;  /* scratch */
} builder;

static const uint32_t *
cut_of (const omen_property_graph *g, uint32_t node)
{
  return g->cuts.data + (size_t)node * g->slice->lanes;
}

static void
push_node (omen_property_graph *g, uint32_t state, uint32_t last,
           const uint32_t *cut)
{
  OMEN_VEC_PUSH (g->nodes, ((omen_graph_node){ .state = state, .last = last }));
  for (uint32_t l = 0; l < g->slice->lanes; l++)
    OMEN_VEC_PUSH (g->cuts, cut[l]);
}

/* Find or make the node of the next level with this cut, state and last
   event. */
static uint32_t
reach_node (builder *b, uint32_t state, uint32_t last, const uint32_t *cut)
{
  omen_property_graph *g = b->graph;
  size_t bytes = b->slice->lanes * sizeof *cut;
  uint64_t hash = omen_mix (state, last);
  uint32_t *slot, i;
  for (uint32_t l = 0; l < b->slice->lanes; l++)
    hash = omen_mix (hash, cut[l]);
  slot = omen_map_at (&b->by_hash, hash >> 1);
  for (i = *slot; i != OMEN_NONE; i = b->older.data[i - b->end])
    if (g->nodes.data[i].state == state && g->nodes.data[i].last == last
        && !memcmp (cut_of (g, i), cut, bytes))
      return i;
  i = (uint32_t)g->nodes.count;
  push_node (g, state, last, cut);
  OMEN_ASSERT (i >= b->end && b->older.count == i - b->end);
  OMEN_VEC_PUSH (b->older, *slot);
  *slot = i;
  return i;
}

/* The next event of the lane if everything that must happen before it is in the
   cut, or OMEN_NONE. */
static uint32_t
next_of (const builder *b, const uint32_t *cut, uint32_t lane)
{
  const omen_lanes *s = b->slice;
  uint32_t at = s->lane_first.data[lane] + cut[lane], i;
  OMEN_ASSERT (at <= s->lane_first.data[lane + 1]);
  if (at == s->lane_first.data[lane + 1])
    return OMEN_NONE;
  i = s->lane_events.data[at];
  for (uint32_t l = 0; l < s->lanes; l++)
    if (cut[l] < s->needs.data[(size_t)i * s->lanes + l])
      return OMEN_NONE;
  return i;
}

/* May event i come directly after the node's last one, in parallel with it? */
static bool
may_come_together (const builder *b, uint32_t node, uint32_t i)
{
  const omen_lanes *s = b->slice;
  const omen_tracks *tracks = b->graph->tracks;
  uint32_t last = b->graph->nodes.data[node].last, lane;
  if (last == OMEN_NONE)
    return false;
  lane = s->lane_of.data[last];
  return omen_tracks_parallel (tracks, s->events.data[last], s->events.data[i])
         && cut_of (b->graph, node)[lane]
                > s->needs.data[(size_t)i * s->lanes + lane];
}

static void
add_edge (builder *b, uint32_t node, uint32_t i, bool together)
{
  omen_property_graph *g = b->graph;
  const omen_lanes *s = b->slice;
  uint32_t last = g->nodes.data[node].last, state, to;
  memcpy (b->cut, cut_of (g, node), s->lanes * sizeof *b->cut);
  b->cut[s->lane_of.data[i]]++;
  state = omen_tracks_step (g->tracks, g->nodes.data[node].state,
                            s->events.data[i],
                            together ? s->events.data[last] : OMEN_NONE);
  to = reach_node (b, state, g->parallel ? i : OMEN_NONE, b->cut);
  OMEN_VEC_PUSH (g->edges, ((omen_graph_edge){ i, to, together }));
}

static void
add_successors (builder *b, uint32_t node)
{
  omen_property_graph *g = b->graph;
  g->nodes.data[node].first_edge = (uint32_t)g->edges.count;
  for (uint32_t l = 0; l < b->slice->lanes; l++) {
    uint32_t i = next_of (b, cut_of (g, node), l);
    if (i == OMEN_NONE)
      continue;
    add_edge (b, node, i, false);
    if (may_come_together (b, node, i))
      add_edge (b, node, i, true);
  }
}

/* ---- too wide ---- */

static uint32_t
node_distance (const builder *b, uint32_t node)
{
  const uint32_t *cut = cut_of (b->graph, node);
  uint32_t sum = 0;
  for (uint32_t l = 0; l < b->slice->lanes; l++)
    sum += cut[l] > b->observed[l] ? cut[l] - b->observed[l]
                                   : b->observed[l] - cut[l];
  return sum;
}

/* Remove edges into dropped nodes; renumber the targets of the others. */
static void
redirect (builder *b, size_t first_edge, const uint32_t *new)
{
  omen_property_graph *g = b->graph;
  size_t kept = first_edge, edge = first_edge;
  for (uint32_t n = b->first; n < b->end; n++) {
    size_t last
        = n + 1 < b->end ? g->nodes.data[n + 1].first_edge : g->edges.count;
    g->nodes.data[n].first_edge = (uint32_t)kept;
    for (; edge < last; edge++) {
      omen_graph_edge e = g->edges.data[edge];
      OMEN_ASSERT (e.to >= b->end);
      e.to = new[e.to - b->end];
      if (e.to != OMEN_NONE)
        g->edges.data[kept++] = e;
    }
  }
  g->edges.count = kept;
}

static void
narrow (builder *b, size_t first_edge)
{
  omen_property_graph *g = b->graph;
  uint32_t count = (uint32_t)g->nodes.count - b->end, lanes = b->slice->lanes;
  uint64_t *order = omen_alloc (count * sizeof *order);
  uint32_t *new = omen_alloc (count * sizeof *new);
  uint32_t kept = b->end;
  OMEN_ASSERT (count > b->width);
  g->capped = true;
  for (uint32_t i = 0; i < count; i++) {
    order[i] = OMEN_PAIR (node_distance (b, b->end + i), i);
    new[i] = OMEN_NONE;
  }
  qsort (order, count, sizeof *order, omen_compare_u64);
  for (uint32_t i = 0; i < b->width; i++)
    new[(uint32_t)order[i]] = 0;
  for (uint32_t i = 0; i < count; i++)
    if (new[i] != OMEN_NONE) {
      g->nodes.data[kept] = g->nodes.data[b->end + i];
      memmove (g->cuts.data + (size_t)kept * lanes, cut_of (g, b->end + i),
               lanes * sizeof *g->cuts.data);
      new[i] = kept++;
    }
  g->nodes.count = kept;
  g->cuts.count = (size_t)kept * lanes;
  redirect (b, first_edge, new);
  omen_free (order);
  omen_free (new);
}

/* ---- all of it ---- */

/* Propagate reachable categories backwards from the last level. */
static void
find_goals (omen_property_graph *g)
{
  size_t count = g->nodes.count;
  OMEN_VEC_PUSH (g->nodes,
                 ((omen_graph_node){ .first_edge = (uint32_t)g->edges.count }));
  for (size_t n = count; n-- > 0;) {
    omen_graph_node *node = &g->nodes.data[n];
    node->goals = n ? omen_tracks_landed (g->tracks, node->state) : 0;
    for (uint32_t e = node[0].first_edge; e < node[1].first_edge; e++) {
      OMEN_ASSERT (g->edges.data[e].to > n);
      node->goals |= g->nodes.data[g->edges.data[e].to].goals;
    }
  }
}

static void
build_level (builder *b)
{
  omen_property_graph *g = b->graph;
  size_t first_edge = g->edges.count;
  omen_map_init (&b->by_hash);
  OMEN_VEC_CLEAR (b->older);
  for (uint32_t n = b->first; n < b->end; n++)
    add_successors (b, n);
  omen_map_fini (&b->by_hash);
  if (g->nodes.count - b->end > b->width)
    narrow (b, first_edge);
  OMEN_ASSERT (g->cuts.count == g->nodes.count * b->slice->lanes);
  b->first = b->end;
  b->end = (uint32_t)g->nodes.count;
}

void
omen_property_graph_init (omen_property_graph *g, omen_tracks *tracks,
                          const omen_lanes *slice, uint32_t start)
{
  builder b = { .graph = g, .slice = slice, .end = 1 };
  *g = (omen_property_graph){ .slice = slice, .tracks = tracks };
  g->parallel = omen_tracks_asks_parallel (tracks);
  b.cut = omen_zalloc (slice->lanes, sizeof *b.cut);
  b.observed = omen_zalloc (slice->lanes, sizeof *b.observed);
  b.width = (uint32_t)(NODES_MAX / (slice->events.count + 1));
  if (b.width < WIDTH_MIN)
    b.width = WIDTH_MIN;
  push_node (g, start, OMEN_NONE, b.cut);
  for (size_t level = 0; level < slice->events.count; level++) {
    b.observed[slice->lane_of.data[level]]++;
    build_level (&b);
  }
  for (uint32_t n = b.first; n < b.end; n++)
    g->nodes.data[n].first_edge = (uint32_t)g->edges.count;
  find_goals (g);
  OMEN_VEC_FINI (b.older);
  omen_free (b.cut);
  omen_free (b.observed);
}

void
omen_property_graph_fini (omen_property_graph *g)
{
  OMEN_VEC_FINI (g->nodes);
  OMEN_VEC_FINI (g->cuts);
  OMEN_VEC_FINI (g->edges);
}
