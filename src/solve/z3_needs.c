/* Things that are used up: each need has a provider of its own, each down a
   token of its own. */
#include "solve/z3_encoder.h"

/* ---- needs ---- */

static Z3_ast
serves (omen_z3_encoder *e, const omen_need *need, const omen_provider *has,
        bool target)
{
  Z3_ast result;
  if (has->node == OMEN_PAST)
    return need->opening == OMEN_PAST && has->past_order >= need->past_order
               ? e->yes
               : e->no;
  result = e->taken[has->node];
  if (need->opening != OMEN_PAST)
    result = omen_z3_both (e, result,
                           omen_z3_before (e, need->opening, has->node));
  return target ? result
                : omen_z3_both (e, result,
                                omen_z3_before (e, has->node, need->node));
}

/* Two needs do not use the same provider. */
static void
exclude_uses (omen_z3_encoder *e, uint32_t need, uint32_t i)
{
  const omen_problem *p = e->p;
  uint32_t pool = p->needs.data[need].pool;
  for (uint32_t other = 0; other < need; other++)
    if (p->needs.data[other].pool == pool)
      omen_z3_require (e, omen_z3_not (e, omen_z3_both (e, e->uses[need][i],
                                                        e->uses[other][i])));
}

void
omen_z3_encode_need (omen_z3_encoder *e, uint32_t id)
{
  const omen_problem *p = e->p;
  const omen_need *need = &p->needs.data[id];
  uint32_t first = p->pool_first[need->pool];
  uint32_t count = p->pool_first[need->pool + 1] - first;
  bool target = omen_z3_is_next (e, need->node);
  omen_terms ways = { 0 };
  OMEN_ASSERT (!e->uses[id] && p->need_of[need->node] == id);
  e->uses[id] = omen_alloc (count * sizeof **e->uses);
  for (uint32_t i = 0; i < count; i++) {
    const omen_provider *has = &p->providers.data[p->pool_providers[first + i]];
    e->uses[id][i] = Z3_mk_fresh_const (e->c, "uses", Z3_mk_bool_sort (e->c));
    omen_z3_require (
        e, omen_z3_implies (e, e->uses[id][i],
                            omen_z3_both (e, omen_z3_happens (e, need->node),
                                          serves (e, need, has, target))));
    OMEN_VEC_PUSH (ways, e->uses[id][i]);
    if (!has->many)
      exclude_uses (e, id, i);
  }
  omen_z3_require (e, omen_z3_implies (e, omen_z3_happens (e, need->node),
                                       omen_z3_any (e, &ways)));
  OMEN_VEC_FINI (ways);
}

/* ---- semaphores: each down has a token of its own ---- */

typedef struct tokens {
  omen_ids ups, downs, zeros; /* counts */
  uint32_t past;              /* initial tokens, as many as can matter */
  Z3_ast *match;              /* downs x (past + ups) */
} tokens;

static Z3_ast *
match_of (const tokens *t, size_t down, size_t token)
{
  OMEN_ASSERT (down < t->downs.count && token < t->past + t->ups.count);
  return &t->match[down * (t->past + t->ups.count) + token];
}

static void
encode_matches (omen_z3_encoder *e, tokens *t)
{
  const omen_count *counts = e->p->counts.data;
  size_t all_tokens = t->past + t->ups.count;
  omen_terms ways = { 0 };
  for (size_t d = 0; d < t->downs.count; d++) {
    omen_node down = counts[t->downs.data[d]].node;
    for (size_t i = 0; i < all_tokens; i++) {
      Z3_ast *match = match_of (t, d, i);
      *match = Z3_mk_fresh_const (e->c, "match", Z3_mk_bool_sort (e->c));
      omen_z3_require (e, omen_z3_implies (e, *match, e->taken[down]));
      if (i >= t->past) {
        omen_node up = counts[t->ups.data[i - t->past]].node;
        omen_z3_require (
            e, omen_z3_implies (e, *match,
                                omen_z3_both (e, e->taken[up],
                                              omen_z3_before (e, up, down))));
      }
      for (size_t other = 0; other < d; other++)
        omen_z3_require (
            e,
            omen_z3_not (e, omen_z3_both (e, *match, *match_of (t, other, i))));
      OMEN_VEC_PUSH (ways, *match);
    }
    omen_z3_require (
        e, omen_z3_implies (e, e->taken[down], omen_z3_any (e, &ways)));
  }
  OMEN_VEC_FINI (ways);
}

/* At a zero, every token present has been used by a down before it. An up
   counts as present unless it comes after the zero: positions may be equal. */
static void
encode_zero (omen_z3_encoder *e, const tokens *t, omen_node zero)
{
  const omen_count *counts = e->p->counts.data;
  omen_terms ways = { 0 };
  for (size_t i = 0; i < t->past + t->ups.count; i++) {
    Z3_ast used;
    for (size_t d = 0; d < t->downs.count; d++)
      OMEN_VEC_PUSH (
          ways, omen_z3_both (
                    e, *match_of (t, d, i),
                    omen_z3_before (e, counts[t->downs.data[d]].node, zero)));
    used = omen_z3_any (e, &ways);
    if (i >= t->past) {
      omen_node up = counts[t->ups.data[i - t->past]].node;
      used = omen_z3_either (e, used, omen_z3_before (e, zero, up));
      used = omen_z3_implies (e, e->taken[up], used);
    }
    omen_z3_require (e, omen_z3_implies (e, e->taken[zero], used));
  }
  OMEN_VEC_FINI (ways);
}

void
omen_z3_encode_semaphore (omen_z3_encoder *e, uint32_t id)
{
  const omen_problem *p = e->p;
  tokens t = { 0 };
  for (uint32_t i = p->sem_first[id]; i < p->sem_first[id + 1]; i++) {
    uint32_t count = p->sem_counts[i];
    switch (p->counts.data[count].change) {
    case 1:
      OMEN_VEC_PUSH (t.ups, count);
      break;
    case -1:
      OMEN_VEC_PUSH (t.downs, count);
      break;
    default:
      OMEN_VEC_PUSH (t.zeros, count);
      break;
    }
  }
  OMEN_ASSERT (p->past_count[id] >= 0);
  t.past = (uint32_t)p->past_count[id];
  if (t.past > t.downs.count + 1) /* one more than can be used is plenty */
    t.past = (uint32_t)t.downs.count + 1;
  t.match
      = omen_alloc (t.downs.count * (t.past + t.ups.count) * sizeof *t.match);
  encode_matches (e, &t);
  for (size_t i = 0; i < t.zeros.count; i++)
    encode_zero (e, &t, p->counts.data[t.zeros.data[i]].node);
  OMEN_VEC_FINI (t.ups);
  OMEN_VEC_FINI (t.downs);
  OMEN_VEC_FINI (t.zeros);
  omen_free (t.match);
}
