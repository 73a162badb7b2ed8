/* Which nodes are taken, in what order, and sections, which exclude each
   other. */
#include "solve/z3_encoder.h"

/* ---- nodes ---- */

static void
lower_limit (omen_z3_encoder *e, omen_node n, uint32_t extra)
{
  uint32_t chain = e->p->chain_of[n], length = e->p->index_of[n] + extra;
  OMEN_ASSERT (length <= omen_problem_length (e->p, chain));
  if (length < e->limit[chain])
    e->limit[chain] = length;
}

void
omen_z3_make_nodes (omen_z3_encoder *e)
{
  Z3_sort integers = Z3_mk_int_sort (e->c), booleans = Z3_mk_bool_sort (e->c);
  for (uint32_t c = 0; c < e->p->chains; c++)
    e->limit[c] = omen_problem_length (e->p, c);
  for (uint32_t i = 0; i < e->q->nexts; i++)
    lower_limit (e, e->q->next[i], 0);
  for (uint32_t i = 0; i < e->q->lasts; i++)
    lower_limit (e, e->q->last[i], 1);
  for (uint32_t i = 0; i < e->q->withouts; i++)
    lower_limit (e, e->q->without[i], 0);
  for (omen_node n = 0; n < e->p->nodes; n++) {
    e->at[n] = Z3_mk_const (e->c, Z3_mk_int_symbol (e->c, (int)n), integers);
    e->taken[n] = omen_z3_reachable (e, n)
                      ? Z3_mk_fresh_const (e->c, "taken", booleans)
                      : e->no;
  }
}

void
omen_z3_encode_chains (omen_z3_encoder *e)
{
  for (uint32_t c = 0; c < e->p->chains; c++)
    for (uint32_t i = 1; i < e->limit[c]; i++) {
      omen_node a = omen_problem_node (e->p, c, i - 1);
      omen_node b = omen_problem_node (e->p, c, i);
      omen_z3_require (e, omen_z3_implies (e, e->taken[b], e->taken[a]));
      omen_z3_require (e, omen_z3_before (e, a, b));
    }
}

void
omen_z3_encode_edges (omen_z3_encoder *e)
{
  for (size_t i = 0; i < e->p->edges.count; i++) {
    const omen_edge *edge = &e->p->edges.data[i];
    Z3_ast order = omen_z3_is_next (e, edge->to)
                       ? e->yes
                       : omen_z3_before (e, edge->from, edge->to);
    omen_z3_require (
        e, omen_z3_implies (e, omen_z3_happens (e, edge->to),
                            omen_z3_both (e, e->taken[edge->from], order)));
  }
}

void
omen_z3_encode_query (omen_z3_encoder *e)
{
  const omen_query *q = e->q;
  for (uint32_t i = 0; i < q->nexts; i++) {
    uint32_t index = e->p->index_of[q->next[i]];
    if (index)
      omen_z3_require (e, e->taken[omen_problem_node (
                              e->p, e->p->chain_of[q->next[i]], index - 1)]);
  }
  for (uint32_t i = 0; i < q->takes; i++)
    omen_z3_require (e, e->taken[q->take[i]]);
  for (uint32_t i = 0; i < q->lasts; i++)
    omen_z3_require (e, e->taken[q->last[i]]);
  for (uint32_t i = 0; i < q->orders; i++) {
    omen_z3_require (e, e->taken[q->order[i].from]);
    omen_z3_require (e, e->taken[q->order[i].to]);
    omen_z3_require (e, omen_z3_before (e, q->order[i].from, q->order[i].to));
  }
}

/* ---- sections ---- */

static Z3_ast
ends_before (omen_z3_encoder *e, const omen_node_section *a,
             const omen_node_section *b)
{
  if (a->end == OMEN_NONE || b->start == OMEN_PAST)
    return e->no;
  return omen_z3_both (e, e->taken[a->end],
                       omen_z3_before (e, a->end, b->start));
}

static void
encode_pair (omen_z3_encoder *e, const omen_node_section *a,
             const omen_node_section *b)
{
  Z3_ast started
      = omen_z3_both (e, a->start == OMEN_PAST ? e->yes : e->taken[a->start],
                      b->start == OMEN_PAST ? e->yes : e->taken[b->start]);
  OMEN_ASSERT (a->resource == b->resource && a->chain != b->chain);
  omen_z3_require (e, omen_z3_implies (e, started,
                                       omen_z3_either (e, ends_before (e, a, b),
                                                       ends_before (e, b, a))));
}

void
omen_z3_encode_sections (omen_z3_encoder *e)
{
  const omen_problem *p = e->p;
  for (size_t i = 0; i < p->sections.count; i++)
    for (size_t j = i + 1; j < p->sections.count; j++) {
      const omen_node_section *a = &p->sections.data[i];
      const omen_node_section *b = &p->sections.data[j];
      if (a->resource != b->resource)
        break; /* sorted by resource */
      if (a->chain != b->chain && (a->exclusive || b->exclusive) && !a->implied
          && !omen_z3_full (e))
        encode_pair (e, a, b);
    }
}

void
omen_z3_encode_insides (omen_z3_encoder *e)
{
  const omen_problem *p = e->p;
  omen_terms hosts = { 0 };
  for (size_t i = 0; i < p->insides.count; i++) {
    const omen_inside *in = &p->insides.data[i];
    OMEN_ASSERT (p->inside_of[in->node] == i);
    for (size_t s = 0; s < p->sections.count; s++) {
      const omen_node_section *sec = &p->sections.data[s];
      Z3_ast inside = e->yes;
      if (sec->resource != in->resource || sec->chain == p->chain_of[in->node]
          || (in->exclusive && !sec->exclusive))
        continue;
      if (sec->start != OMEN_PAST)
        inside = omen_z3_both (e, e->taken[sec->start],
                               omen_z3_before (e, sec->start, in->node));
      if (sec->end != OMEN_NONE)
        inside = omen_z3_both (
            e, inside,
            omen_z3_implies (e, e->taken[sec->end],
                             omen_z3_before (e, in->node, sec->end)));
      OMEN_VEC_PUSH (hosts, inside);
    }
    omen_z3_require (
        e, omen_z3_implies (e, e->taken[in->node], omen_z3_any (e, &hosts)));
  }
  OMEN_VEC_FINI (hosts);
}
