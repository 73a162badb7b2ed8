#include "solve/problem.h"

#include <stdlib.h>
#include <string.h>

#define NEW(type, count) OMEN_ARENA_NEW (&problem->arena, type, count)

void
omen_problem_init (omen_problem *problem, uint32_t nodes, uint32_t chains)
{
  memset (problem, 0, sizeof *problem);
  omen_arena_init (&problem->arena);
  problem->nodes = nodes;
  problem->chains = chains;
  problem->chain_of = NEW (uint32_t, nodes);
  problem->index_of = NEW (uint32_t, nodes);
  problem->chain_first = NEW (uint32_t, chains + 1);
  problem->chain_nodes = NEW (omen_node, nodes);
}

void
omen_problem_fini (omen_problem *problem)
{
  OMEN_VEC_FINI (problem->edges);
  OMEN_VEC_FINI (problem->depends);
  OMEN_VEC_FINI (problem->accesses);
  OMEN_VEC_FINI (problem->sections);
  OMEN_VEC_FINI (problem->needs);
  OMEN_VEC_FINI (problem->providers);
  OMEN_VEC_FINI (problem->counts);
  OMEN_VEC_FINI (problem->insides);
  omen_arena_fini (&problem->arena);
}

static void
seal_chains (omen_problem *problem)
{
  uint32_t *fill = NEW (uint32_t, problem->chains);
  for (omen_node n = 0; n < problem->nodes; n++) {
    OMEN_REQUIRE (problem->chain_of[n] < problem->chains);
    problem->chain_first[problem->chain_of[n] + 1]++;
  }
  for (uint32_t c = 0; c < problem->chains; c++)
    problem->chain_first[c + 1] += problem->chain_first[c];
  for (omen_node n = 0; n < problem->nodes; n++) {
    uint32_t c = problem->chain_of[n];
    problem->index_of[n] = fill[c];
    problem->chain_nodes[problem->chain_first[c] + fill[c]++] = n;
  }
  OMEN_ASSERT (problem->chain_first[problem->chains] == problem->nodes);
}

static int
by_target (const void *a, const void *b)
{
  const omen_edge *x = a, *y = b;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return x->from < y->from ? -1 : x->from > y->from;
}

static void
seal_edges (omen_problem *problem)
{
  size_t count = problem->edges.count;
  omen_edge *edges = problem->edges.data;
  uint32_t *fill;
  if (count)
    qsort (edges, count, sizeof *edges, by_target);
  problem->edge_first = NEW (uint32_t, problem->nodes + 1);
  problem->out_first = NEW (uint32_t, problem->nodes + 1);
  problem->out_edges = NEW (uint32_t, count);
  fill = NEW (uint32_t, problem->nodes);
  for (size_t i = 0; i < count; i++) {
    OMEN_REQUIRE (edges[i].from < problem->nodes
                  && edges[i].to < problem->nodes);
    problem->edge_first[edges[i].to + 1]++;
    problem->out_first[edges[i].from + 1]++;
  }
  for (omen_node n = 0; n < problem->nodes; n++) {
    problem->edge_first[n + 1] += problem->edge_first[n];
    problem->out_first[n + 1] += problem->out_first[n];
  }
  for (uint32_t i = 0; i < count; i++) {
    omen_node f = edges[i].from;
    problem->out_edges[problem->out_first[f] + fill[f]++] = i;
  }
}

static int
by_node (const void *a, const void *b)
{
  const omen_node_access *x = a, *y = b;
  if (x->node != y->node)
    return x->node < y->node ? -1 : 1;
  return x->atom < y->atom ? -1 : x->atom > y->atom;
}

/* The access of `node` to `atom`. */
static uint32_t
access_at (const omen_problem *p, omen_node node, uint32_t atom)
{
  for (uint32_t k = p->access_first[node]; k < p->access_first[node + 1]; k++)
    if (p->accesses.data[k].atom == atom)
      return k;
  OMEN_ASSERT (!"a read saw a node that does not write its atom");
  return OMEN_NONE;
}

static void
seal_accesses (omen_problem *problem)
{
  size_t count = problem->accesses.count;
  omen_node_access *accesses = problem->accesses.data;
  if (count)
    qsort (accesses, count, sizeof *accesses, by_node);
  problem->access_first = NEW (uint32_t, problem->nodes + 1);
  problem->saw_access = NEW (uint32_t, count);
  for (size_t k = 0; k < count; k++)
    problem->access_first[accesses[k].node + 1]++;
  for (omen_node n = 0; n < problem->nodes; n++)
    problem->access_first[n + 1] += problem->access_first[n];
  for (size_t k = 0; k < count; k++)
    problem->saw_access[k]
        = !accesses[k].reads || accesses[k].saw == OMEN_PAST
              ? OMEN_PAST
              : access_at (problem, accesses[k].saw, accesses[k].atom);
}

/* Sort keys: comparison functions of qsort cannot look up chains. */
typedef struct write_key {
  uint32_t major, chain, node, access;
} write_key;

static int
by_key (const void *a, const void *b)
{
  const write_key *x = a, *y = b;
  if (x->major != y->major)
    return x->major < y->major ? -1 : 1;
  if (x->chain != y->chain)
    return x->chain < y->chain ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

static void
sort_keys (write_key *keys, size_t count)
{
  if (count)
    qsort (keys, count, sizeof *keys, by_key);
}

/* Sorted keys -> groups of one (major, chain); first[major] delimits them. */
static omen_group *
group_keys (omen_problem *problem, const write_key *keys, size_t count,
            uint32_t majors, uint32_t **first)
{
  omen_group *groups = NEW (omen_group, count);
  uint32_t used = 0;
  *first = NEW (uint32_t, majors + 1);
  for (uint32_t i = 0; i < count; i++) {
    if (!i || keys[i].major != keys[i - 1].major
        || keys[i].chain != keys[i - 1].chain) {
      groups[used++] = (omen_group){ keys[i].chain, i, 0 };
      (*first)[keys[i].major + 1]++;
    }
    OMEN_ASSERT (keys[i].major < majors
                 && (!i || by_key (&keys[i - 1], &keys[i]) <= 0));
    groups[used - 1].count++;
  }
  for (uint32_t m = 0; m < majors; m++)
    (*first)[m + 1] += (*first)[m];
  return groups;
}

static void
seal_writes (omen_problem *problem)
{
  write_key *keys = omen_alloc (problem->accesses.count * sizeof *keys);
  size_t count = 0;
  for (uint32_t k = 0; k < problem->accesses.count; k++) {
    const omen_node_access *a = &problem->accesses.data[k];
    if (a->writes)
      keys[count++]
          = (write_key){ a->atom, problem->chain_of[a->node], a->node, k };
  }
  sort_keys (keys, count);
  problem->groups = group_keys (problem, keys, count, problem->atoms,
                                &problem->group_first);
  problem->writes = NEW (uint32_t, count);
  for (size_t i = 0; i < count; i++)
    problem->writes[i] = keys[i].access;
  omen_free (keys);
}

static void
seal_classes (omen_problem *problem)
{
  size_t count = problem->accesses.count;
  const omen_node_access *accesses = problem->accesses.data;
  uint32_t *fill;
  for (size_t k = 0; k < count; k++) {
    if (accesses[k].writes && accesses[k].gives != OMEN_NONE
        && accesses[k].gives >= problem->classes)
      problem->classes = accesses[k].gives + 1;
    if (accesses[k].reads && accesses[k].want != OMEN_NONE
        && accesses[k].want >= problem->classes)
      problem->classes = accesses[k].want + 1;
  }
  problem->class_first = NEW (uint32_t, problem->classes + 1);
  problem->class_writes = NEW (uint32_t, count);
  fill = NEW (uint32_t, problem->classes);
  for (size_t k = 0; k < count; k++)
    if (accesses[k].writes && accesses[k].gives != OMEN_NONE)
      problem->class_first[accesses[k].gives + 1]++;
  for (uint32_t v = 0; v < problem->classes; v++)
    problem->class_first[v + 1] += problem->class_first[v];
  for (uint32_t k = 0; k < count; k++)
    if (accesses[k].writes && accesses[k].gives != OMEN_NONE) {
      uint32_t v = accesses[k].gives;
      problem->class_writes[problem->class_first[v] + fill[v]++] = k;
    }
}

static int
by_resource (const void *a, const void *b)
{
  const omen_node_section *x = a, *y = b;
  /* a past start comes before node 0 */
  uint32_t xs = x->start == OMEN_PAST ? 0 : x->start + 1;
  uint32_t ys = y->start == OMEN_PAST ? 0 : y->start + 1;
  if (x->resource != y->resource)
    return x->resource < y->resource ? -1 : 1;
  if (x->chain != y->chain)
    return x->chain < y->chain ? -1 : 1;
  return xs < ys ? -1 : xs > ys;
}

static uint32_t *
none_by_node (omen_problem *problem)
{
  uint32_t *ids = NEW (uint32_t, problem->nodes);
  memset (ids, 0xff, problem->nodes * sizeof *ids);
  return ids;
}

static void
seal_sections (omen_problem *problem)
{
  size_t count = problem->sections.count;
  omen_node_section *sections = problem->sections.data;
  write_key *keys = omen_alloc (count * sizeof *keys);
  if (count)
    qsort (sections, count, sizeof *sections, by_resource);
  problem->start_of = none_by_node (problem);
  problem->end_of = none_by_node (problem);
  for (uint32_t s = 0; s < count; s++) {
    keys[s] = (write_key){ sections[s].resource, sections[s].chain, s, s };
    if (sections[s].start != OMEN_PAST)
      problem->start_of[sections[s].start] = s;
    if (sections[s].end != OMEN_NONE)
      problem->end_of[sections[s].end] = s;
  }
  problem->section_groups = group_keys (
      problem, keys, count, problem->resources, &problem->resource_first);
  omen_free (keys);
}

/* Update the sections that are open; does the node start or end one? */
static bool
open_at (const omen_problem *problem, omen_node n, omen_ids *open)
{
  uint32_t end = problem->end_of[n], start = problem->start_of[n];
  if (end != OMEN_NONE) {
    OMEN_ASSERT (open->count > 0);
    for (size_t j = 0; j < open->count; j++)
      if (open->data[j] == end)
        open->data[j] = OMEN_VEC_LAST (*open);
    open->count--;
  }
  if (start != OMEN_NONE)
    OMEN_VEC_PUSH (*open, start);
  return end != OMEN_NONE || start != OMEN_NONE;
}

/* Lists of open sections; a new list only where a section starts or ends. */
static void
seal_holds (omen_problem *problem)
{
  omen_ids holds = { 0 }, open = { 0 };
  problem->hold_of = NEW (uint32_t, problem->nodes);
  for (uint32_t c = 0; c < problem->chains; c++) {
    uint32_t at = OMEN_NONE;
    /* The sections that are open before the first node of the chain. */
    OMEN_VEC_CLEAR (open);
    for (uint32_t s = 0; s < problem->sections.count; s++)
      if (problem->sections.data[s].chain == c
          && problem->sections.data[s].start == OMEN_PAST)
        OMEN_VEC_PUSH (open, s);
    for (uint32_t i = 0; i < omen_problem_length (problem, c); i++) {
      omen_node n = omen_problem_node (problem, c, i);
      if (open_at (problem, n, &open) || at == OMEN_NONE) {
        at = (uint32_t)holds.count;
        OMEN_VEC_PUSH (holds, (uint32_t)open.count);
        for (size_t j = 0; j < open.count; j++)
          OMEN_VEC_PUSH (holds, open.data[j]);
      }
      problem->hold_of[n] = at;
    }
  }
  problem->holds = NEW (uint32_t, holds.count + 1);
  if (holds.count)
    memcpy (problem->holds, holds.data, holds.count * sizeof (uint32_t));
  OMEN_VEC_FINI (holds);
  OMEN_VEC_FINI (open);
}

static void
seal_pools (omen_problem *problem)
{
  size_t count = problem->providers.count;
  write_key *keys = omen_alloc (count * sizeof *keys);
  problem->need_of = none_by_node (problem);
  problem->provider_of = none_by_node (problem);
  for (uint32_t i = 0; i < problem->needs.count; i++) {
    OMEN_REQUIRE (problem->needs.data[i].pool < problem->pools);
    problem->need_of[problem->needs.data[i].node] = i;
  }
  for (uint32_t i = 0; i < count; i++) {
    const omen_provider *v = &problem->providers.data[i];
    bool past = v->node == OMEN_PAST;
    keys[i] = (write_key){ v->pool, !past, past ? v->past_order : v->node, i };
    if (!past)
      problem->provider_of[v->node] = i;
  }
  sort_keys (keys, count);
  problem->pool_first = NEW (uint32_t, problem->pools + 1);
  problem->pool_providers = NEW (uint32_t, count);
  for (size_t i = 0; i < count; i++) {
    problem->pool_first[keys[i].major + 1]++;
    problem->pool_providers[i] = keys[i].access;
  }
  for (uint32_t i = 0; i < problem->pools; i++)
    problem->pool_first[i + 1] += problem->pool_first[i];
  omen_free (keys);
}

static void
seal_counts (omen_problem *problem)
{
  size_t count = problem->counts.count;
  write_key *keys = omen_alloc (count * sizeof *keys);
  problem->count_of = none_by_node (problem);
  for (uint32_t i = 0; i < count; i++) {
    const omen_count *c = &problem->counts.data[i];
    OMEN_REQUIRE (c->change >= -1 && c->change <= 1);
    problem->count_of[c->node] = i;
    keys[i] = (write_key){ c->semaphore, 0, c->node, i };
  }
  sort_keys (keys, count);
  problem->sem_first = NEW (uint32_t, problem->semaphores + 1);
  problem->sem_counts = NEW (uint32_t, count);
  for (size_t i = 0; i < count; i++) {
    problem->sem_first[keys[i].major + 1]++;
    problem->sem_counts[i] = keys[i].access;
  }
  for (uint32_t i = 0; i < problem->semaphores; i++)
    problem->sem_first[i + 1] += problem->sem_first[i];
  omen_free (keys);
}

static int
by_dependent (const void *a, const void *b)
{
  const omen_edge *x = a, *y = b;
  if (x->from != y->from)
    return x->from < y->from ? -1 : 1;
  return x->to < y->to ? -1 : x->to > y->to;
}

static void
seal_depends (omen_problem *p)
{
  uint32_t *first;
  if (!p->sliced)
    return;
  OMEN_VEC_SORT (p->depends, by_dependent);
  first = p->depend_first = OMEN_ARENA_NEW (&p->arena, uint32_t, p->nodes + 1);
  memset (first, 0, (p->nodes + 1) * sizeof *first);
  for (size_t i = 0; i < p->depends.count; i++)
    first[p->depends.data[i].from + 1]++;
  for (uint32_t n = 0; n < p->nodes; n++)
    first[n + 1] += first[n];
}

void
omen_problem_seal (omen_problem *problem)
{
  OMEN_REQUIRE (!problem->edge_first);
  seal_chains (problem);
  seal_edges (problem);
  seal_depends (problem);
  seal_accesses (problem);
  seal_writes (problem);
  seal_classes (problem);
  seal_sections (problem);
  seal_holds (problem);
  seal_pools (problem);
  seal_counts (problem);
  problem->inside_of = none_by_node (problem);
  for (uint32_t i = 0; i < problem->insides.count; i++)
    problem->inside_of[problem->insides.data[i].node] = i;
  OMEN_CHECK (omen_problem_valid (problem));
}

static bool
node_valid (const omen_problem *p, omen_node n)
{
  return n < p->nodes;
}

static bool
sections_valid (const omen_problem *p)
{
  for (size_t s = 0; s < p->sections.count; s++) {
    const omen_node_section *section = &p->sections.data[s];
    omen_node start = section->start, end = section->end;
    if ((start != OMEN_PAST
         && (!node_valid (p, start) || p->chain_of[start] != section->chain))
        || (end != OMEN_NONE
            && (!node_valid (p, end) || p->chain_of[end] != section->chain))
        || (start != OMEN_PAST && end != OMEN_NONE
            && p->index_of[start] >= p->index_of[end])
        || section->resource >= p->resources)
      return false;
  }
  return true;
}

bool
omen_problem_valid (const omen_problem *p)
{
  for (size_t i = 0; i < p->edges.count; i++)
    if (!node_valid (p, p->edges.data[i].from)
        || !node_valid (p, p->edges.data[i].to)
        || p->edges.data[i].from == p->edges.data[i].to)
      return false;
  for (size_t k = 0; k < p->accesses.count; k++) {
    const omen_node_access *a = &p->accesses.data[k];
    if (!node_valid (p, a->node) || a->atom >= p->atoms
        || (!a->reads && !a->writes))
      return false;
  }
  for (size_t i = 0; i < p->needs.count; i++)
    if (!node_valid (p, p->needs.data[i].node)
        || p->needs.data[i].pool >= p->pools)
      return false;
  return sections_valid (p);
}
