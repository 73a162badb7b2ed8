#include "predict/serial.h"
#include "base/vec.h"

#include <string.h>

typedef struct edge {
  omen_eid from, to;
} edge;

struct omen_serial_graph {
  const omen_model *m;
  uint32_t *node_of; /* by event */
  uint32_t nodes;
  OMEN_VEC (edge) edges; /* sorted by node of `from`, then in order */
  uint32_t *first;       /* by node: its first edge; one entry more */
};

/* ---- nodes ---- */

/* Number the transactions of one thread, as in serial.c; every event outside of
   blocks is a transaction of its own. */
static void
number_thread (omen_serial_graph *g, const uint8_t *chosen, omen_tid t)
{
  const omen_model *m = g->m;
  const omen_trace *trace = m->trace;
  uint32_t opener = OMEN_NONE;
  omen_ids open = { 0 };
  for (uint32_t i = 0; i < trace->threads.data[t].count; i++) {
    omen_eid e = omen_trace_nth (trace, t, i);
    unsigned kind = omen_model_event (m, e)->kind;
    uint32_t block = m->at[e];
    bool opens = (kind == OMEN_BEGIN || kind == OMEN_ENTER) && chosen[block];
    bool closes = (kind == OMEN_END || kind == OMEN_EXIT) && block != OMEN_NONE
                  && chosen[block];
    if (opens)
      OMEN_VEC_PUSH (open, block);
    if (opener == OMEN_NONE) {
      g->nodes++;
      opener = opens ? block : OMEN_NONE;
    }
    OMEN_ASSERT (g->nodes > 0);
    g->node_of[e] = g->nodes - 1;
    for (size_t k = 0; closes && k < open.count; k++)
      if (open.data[k] == block) {
        open.count--;
        memmove (open.data + k, open.data + k + 1,
                 (open.count - k) * sizeof *open.data);
        break;
      }
    if (closes && opener == block) {
      opener = open.count ? open.data[0] : OMEN_NONE;
      g->nodes += open.count > 0;
    }
  }
  OMEN_VEC_FINI (open);
}

/* ---- edges ---- */

static void
add_edge (omen_serial_graph *g, omen_eid from, omen_eid to)
{
  if (from != OMEN_NONE && g->node_of[from] != g->node_of[to])
    OMEN_VEC_PUSH (g->edges, ((edge){ from, to }));
}

/* An atom or lock: its last write, and the reads since. */
typedef struct cell {
  omen_eid write;
  omen_ids reads;
} cell;

static void
touch (omen_serial_graph *g, cell *c, omen_eid e, bool sees, bool leaves,
       bool writes)
{
  if (sees)
    add_edge (g, c->write, e);
  if (sees && writes)
    for (size_t i = 0; i < c->reads.count; i++)
      add_edge (g, c->reads.data[i], e);
  if (leaves && writes) {
    c->write = e;
    c->reads.count = 0;
  } else if (leaves
             && !(c->reads.count
                  && g->node_of[OMEN_VEC_LAST (c->reads)] == g->node_of[e]))
    OMEN_VEC_PUSH (c->reads, e);
}

static void
touch_atoms (omen_serial_graph *g, cell *cells, omen_eid e)
{
  const omen_model *m = g->m;
  unsigned kind = omen_model_event (m, e)->kind;
  omen_span atoms = omen_model_atoms (m, e);
  if (kind == OMEN_ALLOC || kind == OMEN_EXTERNAL)
    return;
  for (uint32_t a = atoms.first; a < atoms.first + atoms.count; a++)
    touch (g, &cells[a], e, true, true, omen_kind_writes (kind));
}

static void
touch_lock (omen_serial_graph *g, cell *locks, omen_eid e)
{
  const omen_event *event = omen_model_event (g->m, e);
  unsigned kind = event->kind;
  bool waits = kind == OMEN_WAIT || kind == OMEN_WAKE;
  uint32_t lock = waits ? (uint32_t)event->value : event->object;
  bool takes
      = kind == OMEN_ACQUIRE || kind == OMEN_READ_ACQUIRE || kind == OMEN_WAKE;
  bool gives
      = kind == OMEN_RELEASE || kind == OMEN_READ_RELEASE || kind == OMEN_WAIT;
  bool writes = kind != OMEN_READ_ACQUIRE && kind != OMEN_READ_RELEASE;
  if ((!takes && !gives) || lock == OMEN_NONE)
    return;
  if (g->m->irregular[lock])
    touch (g, &locks[lock], e, true, true, true);
  else
    touch (g, &locks[lock], e, takes, gives, writes);
}

static void
touch_threads (omen_serial_graph *g, omen_eid e)
{
  const omen_trace *trace = g->m->trace;
  const omen_event *event = omen_model_event (g->m, e);
  uint32_t index = trace->index[e], count;
  if (index)
    add_edge (g, omen_trace_nth (trace, event->thread, index - 1), e);
  if (event->kind != OMEN_FORK && event->kind != OMEN_JOIN)
    return;
  count = trace->threads.data[event->object].count;
  if (count && event->kind == OMEN_FORK)
    add_edge (g, e, omen_trace_nth (trace, event->object, 0));
  else if (count)
    add_edge (g, omen_trace_nth (trace, event->object, count - 1), e);
}

static void
find_edges (omen_serial_graph *g)
{
  const omen_model *m = g->m;
  size_t count = m->atom_count + (size_t)m->lock_count;
  cell *cells = omen_zalloc (count + 1, sizeof *cells);
  for (size_t i = 0; i < count; i++)
    cells[i].write = OMEN_NONE;
  for (uint32_t i = 0; i < m->event_count; i++) {
    omen_eid e = omen_model_nth (m, i);
    touch_threads (g, e);
    if (omen_kind_class (omen_model_event (m, e)->kind) == OMEN_CLASS_ACCESS)
      touch_atoms (g, cells, e);
    else
      touch_lock (g, cells + m->atom_count, e);
  }
  for (size_t i = 0; i < count; i++)
    OMEN_VEC_FINI (cells[i].reads);
  omen_free (cells);
}

static void
sort_edges (omen_serial_graph *g)
{
  size_t count = g->edges.count;
  edge *sorted = omen_alloc ((count + 1) * sizeof *sorted);
  uint32_t *next = omen_zalloc (g->nodes + 1, sizeof *next);
  g->first = omen_zalloc (g->nodes + 2, sizeof *g->first);
  for (size_t i = 0; i < count; i++)
    g->first[g->node_of[g->edges.data[i].from] + 1]++;
  for (uint32_t n = 0; n < g->nodes; n++)
    g->first[n + 1] += g->first[n];
  OMEN_ASSERT (g->first[g->nodes] == count);
  memcpy (next, g->first, g->nodes * sizeof *next);
  for (size_t i = 0; i < count; i++)
    sorted[next[g->node_of[g->edges.data[i].from]]++] = g->edges.data[i];
  omen_free (next);
  omen_free (g->edges.data);
  g->edges.data = sorted;
}

omen_serial_graph *
omen_serial_graph_new (const omen_model *m, const uint8_t *chosen)
{
  omen_serial_graph *g = omen_zalloc (1, sizeof *g);
  g->m = m;
  g->node_of = omen_alloc ((m->event_count + (size_t)1) * sizeof *g->node_of);
  for (omen_tid t = 0; t < m->thread_count; t++)
    number_thread (g, chosen, t);
  find_edges (g);
  sort_edges (g);
  return g;
}

void
omen_serial_graph_free (omen_serial_graph *g)
{
  if (!g)
    return;
  omen_free (g->node_of);
  omen_free (g->first);
  OMEN_VEC_FINI (g->edges);
  omen_free (g);
}

/* ---- cycles ---- */

/* Which edges a search may use. */
typedef struct bounds {
  bool accesses;
  uint32_t limit; /* greatest position of an edge's end */
} bounds;

static bool
is_within (const omen_serial_graph *g, const bounds *b, const edge *x)
{
  const omen_event *from = omen_model_event (g->m, x->from);
  const omen_event *to = omen_model_event (g->m, x->to);
  if (b->accesses)
    return from->thread == to->thread
           || omen_kind_class (from->kind) == OMEN_CLASS_ACCESS;
  return omen_model_position (g->m, x->to) <= b->limit;
}

bool
omen_serial_cycle (const omen_serial_graph *g, omen_eid e, bool accesses,
                   omen_ids *out)
{
  bounds within = { accesses, omen_model_position (g->m, e) };
  uint32_t start = g->node_of[e];
  uint32_t *by = omen_alloc ((g->nodes + (size_t)1) * sizeof *by);
  uint32_t last = OMEN_NONE, length = 0;
  omen_ids queue = { 0 };
  OMEN_REQUIRE (e < g->m->event_count);
  memset (by, 0xff, g->nodes * sizeof *by);
  OMEN_VEC_PUSH (queue, start);
  for (size_t i = 0; i < queue.count && last == OMEN_NONE; i++)
    for (uint32_t k = g->first[queue.data[i]];
         k < g->first[queue.data[i] + 1] && last == OMEN_NONE; k++) {
      uint32_t to = g->node_of[g->edges.data[k].to];
      if (!is_within (g, &within, &g->edges.data[k]))
        continue;
      if (to == start)
        last = accesses || g->edges.data[k].to == e ? k : OMEN_NONE;
      else if (by[to] == OMEN_NONE) {
        by[to] = k;
        OMEN_VEC_PUSH (queue, to);
      }
    }
  for (uint32_t k = last; k != OMEN_NONE; length++) {
    OMEN_ASSERT (length < g->nodes);
    OMEN_VEC_PUSH (*out, g->edges.data[k].to);
    OMEN_VEC_PUSH (*out, g->edges.data[k].from);
    k = by[g->node_of[g->edges.data[k].from]];
  }
  for (size_t a = out->count - 2 * length, b = out->count; a + 1 < b; a++) {
    uint32_t swap = out->data[a];
    out->data[a] = out->data[--b];
    out->data[b] = swap;
  }
  omen_free (by);
  OMEN_VEC_FINI (queue);
  return last != OMEN_NONE;
}
