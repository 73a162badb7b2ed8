/* A read that has a successor sees a write that it accepts. */
#include "solve/z3_encoder.h"

/* Read k sees write w (an access, or OMEN_PAST); `firm`: if w is an rmw, its
   own read is preserved. */
static Z3_ast
read_sees_write (omen_z3_encoder *e, uint32_t k, uint32_t w, bool firm,
                 omen_terms *list)
{
  const omen_problem *p = e->p;
  const omen_node_access *read = &p->accesses.data[k];
  omen_node seen = w == OMEN_PAST ? OMEN_PAST : p->accesses.data[w].node;
  OMEN_ASSERT (read->reads && seen != read->node);
  OMEN_VEC_CLEAR (*list);
  if (w != OMEN_PAST) {
    OMEN_VEC_PUSH (*list, e->taken[seen]);
    OMEN_VEC_PUSH (*list, omen_z3_before (e, seen, read->node));
    for (uint32_t i = p->access_first[seen]; i < p->access_first[seen + 1]; i++)
      if (e->kept[i] && firm)
        OMEN_VEC_PUSH (*list, e->kept[i]);
  }
  for (uint32_t i = p->group_first[read->atom];
       i < p->group_first[read->atom + 1]; i++)
    for (uint32_t j = 0; j < p->groups[i].count; j++) {
      omen_node other
          = p->accesses.data[p->writes[p->groups[i].first + j]].node;
      Z3_ast away;
      if (other == seen || other == read->node || !omen_z3_reachable (e, other))
        continue;
      away = omen_z3_before (e, read->node, other);
      if (seen != OMEN_PAST)
        away = omen_z3_either (e, away, omen_z3_before (e, other, seen));
      OMEN_VEC_PUSH (*list, omen_z3_implies (e, e->taken[other], away));
    }
  return omen_z3_all (e, list);
}

/* Read k sees a write it accepts. */
static Z3_ast
sees_accepted (omen_z3_encoder *e, uint32_t k)
{
  const omen_problem *p = e->p;
  const omen_node_access *read = &p->accesses.data[k];
  uint32_t saw = p->saw_access[k];
  omen_terms list = { 0 }, ways = { 0 };
  Z3_ast result;
  OMEN_VEC_PUSH (ways, read_sees_write (e, k, saw, true, &list));
  if (read->want != OMEN_NONE) {
    if (saw != OMEN_PAST && p->past_value[read->atom] == read->want)
      OMEN_VEC_PUSH (ways, read_sees_write (e, k, OMEN_PAST, true, &list));
    for (uint32_t i = p->class_first[read->want];
         i < p->class_first[read->want + 1] && !omen_z3_full (e); i++) {
      uint32_t w = p->class_writes[i];
      if (w != saw && p->accesses.data[w].atom == read->atom
          && p->accesses.data[w].node != read->node
          && omen_z3_reachable (e, p->accesses.data[w].node))
        OMEN_VEC_PUSH (ways, read_sees_write (e, k, w, true, &list));
    }
  }
  result = omen_z3_any (e, &ways);
  OMEN_VEC_FINI (list);
  OMEN_VEC_FINI (ways);
  return result;
}

/* When the reads of a node must be preserved. */
static Z3_ast
has_successor (omen_z3_encoder *e, omen_node n)
{
  const omen_problem *p = e->p;
  uint32_t chain = p->chain_of[n], next = p->index_of[n] + 1;
  Z3_ast result = e->no;
  OMEN_ASSERT (omen_z3_reachable (e, n));
  if (next < omen_problem_length (p, chain))
    result = omen_z3_happens (e, omen_problem_node (p, chain, next));
  for (uint32_t i = p->out_first[n]; i < p->out_first[n + 1]; i++)
    if (p->edges.data[p->out_edges[i]].firm)
      result = omen_z3_either (
          e, result, omen_z3_happens (e, p->edges.data[p->out_edges[i]].to));
  return result;
}

void
omen_z3_encode_reads (omen_z3_encoder *e)
{
  const omen_problem *p = e->p;
  Z3_sort booleans = Z3_mk_bool_sort (e->c);
  for (size_t k = 0; k < p->accesses.count; k++)
    e->kept[k] = p->accesses.data[k].reads
                     ? Z3_mk_fresh_const (e->c, "kept", booleans)
                     : NULL;
  for (uint32_t k = 0; k < p->accesses.count && !omen_z3_full (e); k++) {
    const omen_node_access *read = &p->accesses.data[k];
    if (!read->reads || !omen_z3_reachable (e, read->node))
      continue;
    omen_z3_require (e, omen_z3_implies (e, e->kept[k], sees_accepted (e, k)));
    omen_z3_require (
        e, omen_z3_implies (e,
                            omen_z3_both (e, e->taken[read->node],
                                          has_successor (e, read->node)),
                            e->kept[k]));
  }
}

static uint32_t
access_at (const omen_problem *p, omen_node node, uint32_t atom)
{
  uint32_t k = p->access_first[node];
  while (p->accesses.data[k].atom != atom)
    k++;
  OMEN_ASSERT (k < p->access_first[node + 1]);
  return k;
}

void
omen_z3_encode_rf (omen_z3_encoder *e)
{
  omen_terms list = { 0 };
  for (uint32_t i = 0; i < e->q->rf_count; i++) {
    const omen_rf_constraint *rf = &e->q->rf[i];
    uint32_t k = access_at (e->p, rf->read, rf->atom), w = OMEN_PAST;
    if (rf->writer != OMEN_PAST)
      w = access_at (e->p, rf->writer, rf->atom);
    omen_z3_require (e, e->taken[rf->read]);
    omen_z3_require (e, read_sees_write (e, k, w, false, &list));
  }
  OMEN_VEC_FINI (list);
}

static void
keep_reads (omen_z3_encoder *e, omen_node n)
{
  for (uint32_t k = e->p->access_first[n]; k < e->p->access_first[n + 1]; k++)
    if (e->kept[k])
      omen_z3_require (e, e->kept[k]);
}

void
omen_z3_encode_whole (omen_z3_encoder *e)
{
  for (uint32_t i = 0; i < e->q->kepts; i++)
    keep_reads (e, e->q->kept[i]);
  for (omen_node n = 0; e->q->whole && n < e->p->nodes; n++)
    omen_z3_require (e, e->taken[n]);
  for (uint32_t k = 0; e->q->whole && k < e->p->accesses.count; k++)
    if (e->kept[k])
      omen_z3_require (e, e->kept[k]);
}
