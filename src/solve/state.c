/* The growing partial order: taking nodes, adding edges, undoing both. */
#include "solve/state.h"

#include <string.h>

static uint32_t *
slots (size_t count, int byte)
{
  uint32_t *p = omen_alloc (count * sizeof *p);
  memset (p, byte, count * sizeof *p);
  return p;
}

#define EACH_SLOT_ARRAY(X)                                                     \
  X (cut, p->chains, 0)                                                        \
  X (limit, p->chains, 0)                                                      \
  X (wanted, p->chains, 0)                                                     \
  X (active, p->nodes, 0)                                                      \
  X (relevant, p->sliced ? p->nodes : 0, 0)                                    \
  X (followed, p->sliced ? p->nodes : 0, 0)                                    \
  X (observed, p->sliced ? p->atoms : 0, 0)                                    \
  X (writer, p->accesses.count, 0xff)                                          \
  X (reader_head, p->accesses.count, 0xff)                                     \
  X (past_head, p->atoms, 0xff)                                                \
  X (reader_next, p->accesses.count, 0xff)                                     \
  X (out_head, p->nodes, 0xff)                                                 \
  X (in_head, p->nodes, 0xff)                                                  \
  X (server, p->needs.count, 0xff)                                             \
  X (client, p->providers.count, 0)                                            \
  X (token, p->counts.count, 0xff)                                             \
  X (token_used, p->counts.count, 0)                                           \
  X (past_used, p->semaphores, 0)                                              \
  X (host, p->insides.count, 0xff)

void
omen_state_init (omen_state *s, const omen_problem *p)
{
  memset (s, 0, sizeof *s);
  s->p = p;
#define INIT(name, count, byte) s->name = slots (count, byte);
  EACH_SLOT_ARRAY (INIT)
#undef INIT
  s->row = omen_alloc ((size_t)p->nodes * p->chains * sizeof *s->row);
  s->in_heap = omen_zalloc (p->nodes, 1);
  if (p->semaphores) {
    s->sum = omen_zalloc (p->chains, sizeof *s->sum);
    s->most = omen_zalloc (p->chains, sizeof *s->most);
  }
}

void
omen_state_fini (omen_state *s)
{
#define FINI(name, count, byte) omen_free (s->name);
  EACH_SLOT_ARRAY (FINI)
#undef FINI
  omen_free (s->row);
  omen_free (s->in_heap);
  omen_free (s->sum);
  omen_free (s->most);
  OMEN_VEC_FINI (s->links);
  OMEN_VEC_FINI (s->trail);
  OMEN_VEC_FINI (s->demands);
  OMEN_VEC_FINI (s->news);
  OMEN_VEC_FINI (s->heap);
}

void
omen_state_undo (omen_state *s, size_t mark)
{
  OMEN_REQUIRE (mark <= s->trail.count);
  while (s->trail.count > mark) {
    omen_undo undo = OMEN_VEC_POP (s->trail);
    *undo.slot = undo.old;
  }
  for (size_t i = 0; i < s->heap.count; i++)
    s->in_heap[s->heap.data[i]] = 0;
  for (size_t i = 0; i < s->demands.count; i++)
    s->wanted[s->demands.data[i]] = 0;
  OMEN_VEC_CLEAR (s->heap);
  OMEN_VEC_CLEAR (s->demands);
  s->conflict = false;
}

/* ---- changed nodes, least first ---- */

static void
push_changed (omen_state *s, omen_node n)
{
  size_t i = s->heap.count;
  OMEN_ASSERT (omen_taken (s, n));
  if (s->in_heap[n])
    return;
  s->in_heap[n] = 1;
  OMEN_VEC_PUSH (s->heap, n);
  while (i && s->heap.data[(i - 1) / 2] > n) {
    s->heap.data[i] = s->heap.data[(i - 1) / 2];
    i = (i - 1) / 2;
  }
  s->heap.data[i] = n;
}

static omen_node
pop_changed (omen_state *s)
{
  omen_node least = s->heap.data[0], last = OMEN_VEC_POP (s->heap);
  size_t i = 0, child;
  OMEN_ASSERT (s->in_heap[least]);
  while ((child = 2 * i + 1) < s->heap.count) {
    if (child + 1 < s->heap.count
        && s->heap.data[child + 1] < s->heap.data[child])
      child++;
    if (s->heap.data[child] >= last)
      break;
    s->heap.data[i] = s->heap.data[child];
    i = child;
  }
  if (s->heap.count)
    s->heap.data[i] = last;
  OMEN_ASSERT (!s->heap.count || least < s->heap.data[0]);
  s->in_heap[least] = 0;
  return least;
}

void
omen_touch (omen_state *s, omen_node n)
{
  if (omen_taken (s, n))
    push_changed (s, n);
}

/* ---- rows ---- */

/* row(to) >= row(from) + from */
static void
join_rows (omen_state *s, omen_node from, omen_node to)
{
  const uint32_t *f = omen_row (s, from);
  uint32_t *t = omen_row (s, to);
  uint32_t chains = s->p->chains, own = s->p->chain_of[from];
  bool changed = false;
  OMEN_ASSERT (from != to && omen_taken (s, from) && omen_taken (s, to));
  s->work++;
  for (uint32_t c = 0; c < chains; c++) {
    uint32_t count = c == own ? s->p->index_of[from] + 1 : f[c];
    if (t[c] < count) {
      omen_set (s, &t[c], count);
      changed = true;
    }
  }
  if (!changed)
    return;
  if (t[s->p->chain_of[to]] > s->p->index_of[to])
    s->conflict = true;
  push_changed (s, to);
}

static void
link_to (omen_state *s, uint32_t *head, omen_node other)
{
  OMEN_ASSERT (*head == OMEN_NONE || *head < s->links.count);
  OMEN_VEC_PUSH (s->links, ((omen_link){ other, *head }));
  omen_set (s, head, (uint32_t)s->links.count - 1);
}

void
omen_order_if (omen_state *s, omen_node a, omen_node b)
{
  OMEN_ASSERT (a != b && a < s->p->nodes && b < s->p->nodes);
  if (!omen_taken (s, b)) {
    link_to (s, &s->in_head[b], a);
    return;
  }
  omen_demand_node (s, a);
  if (s->conflict || (omen_taken (s, a) && omen_before (s, a, b)))
    return;
  link_to (s, &s->out_head[a], b);
  if (omen_taken (s, a))
    join_rows (s, a, b);
}

void
omen_order (omen_state *s, omen_node a, omen_node b)
{
  omen_demand_node (s, b);
  omen_order_if (s, a, b);
  omen_demand_node (s, a);
}

/* ---- taking nodes ---- */

void
omen_demand (omen_state *s, uint32_t chain, uint32_t length)
{
  OMEN_ASSERT (s->limit[chain] <= omen_problem_length (s->p, chain));
  OMEN_ASSERT (length <= omen_problem_length (s->p, chain));
  if (length <= s->cut[chain] || length <= s->wanted[chain])
    return;
  if (length > s->limit[chain]) {
    s->conflict = true;
    return;
  }
  if (s->wanted[chain] <= s->cut[chain])
    OMEN_VEC_PUSH (s->demands, chain);
  s->wanted[chain] = length;
}

void
omen_demand_node (omen_state *s, omen_node n)
{
  omen_demand (s, s->p->chain_of[n], s->p->index_of[n] + 1);
}

static void
first_row (omen_state *s, omen_node n, uint32_t chain, uint32_t index)
{
  uint32_t *row = omen_row (s, n);
  size_t size = s->p->chains * sizeof *row;
  if (index)
    memcpy (row, omen_row (s, omen_problem_node (s->p, chain, index - 1)),
            size);
  else
    memset (row, 0, size);
  row[chain] = index;
  push_changed (s, n);
}

/* Edges into a node that has just been taken: static, and decided before. */
static void
enter_edges (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  for (uint32_t i = p->edge_first[n]; i < p->edge_first[n + 1]; i++) {
    omen_node f = p->edges.data[i].from;
    omen_demand_node (s, f);
    if (omen_taken (s, f))
      join_rows (s, f, n);
    if (p->edges.data[i].firm)
      omen_keep (s, f);
  }
  for (uint32_t l = s->in_head[n]; l != OMEN_NONE; l = s->links.data[l].next)
    omen_order_if (s, s->links.data[l].other, n);
}

static void
take_next (omen_state *s, uint32_t chain)
{
  uint32_t index = s->cut[chain];
  omen_node n = omen_problem_node (s->p, chain, index);
  OMEN_ASSERT (index < s->limit[chain]);
  omen_set (s, &s->cut[chain], index + 1);
  first_row (s, n, chain, index);
  if (index)
    omen_follow (s, omen_problem_node (s->p, chain, index - 1));
  omen_take_relevant (s, n);
  enter_edges (s, n);
}

#define CLOCK_EVERY 1024u /* nodes */

/* Check the deadline now and then. */
static void
check_deadline (omen_state *s)
{
  if (OMEN_LIKELY (++s->ticks % CLOCK_EVERY) || !s->deadline
      || !omen_is_past (s->deadline))
    return;
  s->late = s->conflict = true;
}

static void
meet_demands (omen_state *s)
{
  while (s->demands.count && !s->conflict) {
    uint32_t chain = OMEN_VEC_LAST (s->demands);
    if (s->cut[chain] < s->wanted[chain]) {
      take_next (s, chain);
      check_deadline (s);
      continue;
    }
    /* other chains may have been pushed since: find the entry */
    for (size_t i = s->demands.count; i-- > 0;)
      if (s->demands.data[i] == chain) {
        s->demands.data[i] = OMEN_VEC_LAST (s->demands);
        s->demands.count--;
        break;
      }
    s->wanted[chain] = 0;
  }
}

void
omen_activate (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  if (s->active[n])
    return;
  omen_set (s, &s->active[n], 1);
  if (p->start_of[n] != OMEN_NONE)
    omen_touch (s, n); /* its section counts now */
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++) {
    const omen_node_access *a = &p->accesses.data[k];
    if (!a->reads)
      continue;
    if (s->writer[k] != OMEN_NONE) /* constrained by the query */
      omen_insist (s, k);
    else if (a->want == OMEN_NONE)
      omen_choose (s, k, p->saw_access[k]);
    else
      omen_touch (s, n);
  }
}

/* ---- what follows from a changed row ---- */

static void
push_on (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  uint32_t chain = p->chain_of[n], next = p->index_of[n] + 1;
  if (next < s->cut[chain])
    join_rows (s, n, omen_problem_node (p, chain, next));
  for (uint32_t i = p->out_first[n]; i < p->out_first[n + 1]; i++) {
    omen_node to = p->edges.data[p->out_edges[i]].to;
    if (omen_taken (s, to))
      join_rows (s, n, to);
  }
  for (uint32_t l = s->out_head[n]; l != OMEN_NONE; l = s->links.data[l].next)
    if (omen_taken (s, s->links.data[l].other))
      join_rows (s, n, s->links.data[l].other);
}

bool
omen_propagate (omen_state *s)
{
  meet_demands (s);
  while (s->heap.count && !s->conflict) {
    omen_node n = pop_changed (s);
    check_deadline (s);
    push_on (s, n);
    omen_check_sections (s, n);
    omen_check_reads (s, n);
    omen_check_writes (s, n);
    meet_demands (s);
  }
  if (!s->conflict && !omen_semaphores_possible (s))
    s->conflict = true;
  OMEN_ASSERT (s->conflict || (!s->heap.count && !s->demands.count));
  OMEN_CHECK (s->conflict || omen_state_valid (s));
  return !s->conflict;
}

bool
omen_state_valid (const omen_state *s)
{
  const omen_problem *p = s->p;
  for (uint32_t c = 0; c < p->chains; c++)
    for (uint32_t i = 0; i < s->cut[c]; i++) {
      omen_node n = omen_problem_node (p, c, i);
      const uint32_t *row = omen_row (s, n);
      if (row[c] != i)
        return false;
      for (uint32_t d = 0; d < p->chains; d++) {
        const uint32_t *below;
        if (!row[d])
          continue;
        if (row[d] > s->cut[d])
          return false;
        below = omen_row (s, omen_problem_node (p, d, row[d] - 1));
        for (uint32_t e = 0; e < p->chains; e++)
          if (below[e] > row[e])
            return false;
      }
    }
  return true;
}
