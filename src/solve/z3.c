/* The same question as difference logic: a position for each node, a Boolean
   whether it is taken. Shares nothing with the native search but the problem;
   the second opinion of the tests, and the last resort of the engine. */
#include "solve/solver.h"

#include <stdlib.h>
#include <string.h>
#include <z3.h>

typedef struct encoder {
  const omen_problem *p;
  const omen_query *q;
  Z3_context c;
  Z3_solver solver;
  uint32_t *limit;  /* by chain */
  Z3_ast *taken;    /* by node; false beyond the limit */
  Z3_ast *at;       /* by node: position */
  Z3_ast *kept;     /* by access: the read is preserved; NULL: no read */
  Z3_ast yes, no;
  Z3_ast **uses;    /* by need: by provider of its pool, "is served by" */
  uint64_t terms;   /* how large it has become */
} encoder;

/* Beyond this Z3 would run out of memory before it ran out of time. */
#define TERMS_MAX 20000000u

typedef OMEN_VEC (Z3_ast) terms;

static Z3_ast
both (encoder *e, Z3_ast a, Z3_ast b)
{
  Z3_ast list[2] = { a, b };
  e->terms++;
  return Z3_mk_and (e->c, 2, list);
}

static Z3_ast
either (encoder *e, Z3_ast a, Z3_ast b)
{
  Z3_ast list[2] = { a, b };
  e->terms++;
  return Z3_mk_or (e->c, 2, list);
}

static Z3_ast
not (encoder *e, Z3_ast a)
{
  return Z3_mk_not (e->c, a);
}

static Z3_ast
implies (encoder *e, Z3_ast a, Z3_ast b)
{
  e->terms++;
  return Z3_mk_implies (e->c, a, b);
}

/* One of the terms; false if there is none. Empties the list. */
static Z3_ast
any (encoder *e, terms *list)
{
  Z3_ast result
      = list->count ? Z3_mk_or (e->c, (unsigned)list->count, list->data)
                    : e->no;
  e->terms += list->count;
  OMEN_VEC_CLEAR (*list);
  return result;
}

static Z3_ast
all (encoder *e, terms *list)
{
  Z3_ast result
      = list->count ? Z3_mk_and (e->c, (unsigned)list->count, list->data)
                    : e->yes;
  e->terms += list->count;
  OMEN_VEC_CLEAR (*list);
  return result;
}

static void
require (encoder *e, Z3_ast a)
{
  Z3_solver_assert (e->c, e->solver, a);
}

static Z3_ast
before (encoder *e, omen_node a, omen_node b)
{
  e->terms++;
  return Z3_mk_lt (e->c, e->at[a], e->at[b]);
}

static bool
reachable (const encoder *e, omen_node n)
{
  return e->p->index_of[n] < e->limit[e->p->chain_of[n]];
}

/* ---- nodes ---- */

static bool
is_next (const encoder *e, omen_node n)
{
  for (uint32_t i = 0; i < e->q->nexts; i++)
    if (e->q->next[i] == n)
      return true;
  return false;
}

static void
lower (encoder *e, omen_node n, uint32_t extra)
{
  uint32_t chain = e->p->chain_of[n], length = e->p->index_of[n] + extra;
  if (length < e->limit[chain])
    e->limit[chain] = length;
}

static void
make_nodes (encoder *e)
{
  Z3_sort integers = Z3_mk_int_sort (e->c), booleans = Z3_mk_bool_sort (e->c);
  for (uint32_t c = 0; c < e->p->chains; c++)
    e->limit[c] = omen_problem_length (e->p, c);
  for (uint32_t i = 0; i < e->q->nexts; i++)
    lower (e, e->q->next[i], 0);
  for (uint32_t i = 0; i < e->q->lasts; i++)
    lower (e, e->q->last[i], 1);
  for (uint32_t i = 0; i < e->q->withouts; i++)
    lower (e, e->q->without[i], 0);
  for (omen_node n = 0; n < e->p->nodes; n++) {
    e->at[n] = Z3_mk_const (e->c, Z3_mk_int_symbol (e->c, (int)n), integers);
    e->taken[n] = reachable (e, n)
                      ? Z3_mk_fresh_const (e->c, "taken", booleans)
                      : e->no;
  }
}

static void
encode_chains (encoder *e)
{
  for (uint32_t c = 0; c < e->p->chains; c++)
    for (uint32_t i = 1; i < e->limit[c]; i++) {
      omen_node a = omen_problem_node (e->p, c, i - 1);
      omen_node b = omen_problem_node (e->p, c, i);
      require (e, implies (e, e->taken[b], e->taken[a]));
      require (e, before (e, a, b));
    }
}

/* Is node n taken, or next? */
static Z3_ast
happens (const encoder *e, omen_node n)
{
  return is_next (e, n) ? e->yes : e->taken[n];
}

static void
encode_edges (encoder *e)
{
  for (size_t i = 0; i < e->p->edges.count; i++) {
    const omen_edge *edge = &e->p->edges.data[i];
    Z3_ast order = is_next (e, edge->to) ? e->yes
                                         : before (e, edge->from, edge->to);
    require (e, implies (e, happens (e, edge->to),
                         both (e, e->taken[edge->from], order)));
  }
}

static void
encode_query (encoder *e)
{
  const omen_query *q = e->q;
  for (uint32_t i = 0; i < q->nexts; i++) {
    uint32_t index = e->p->index_of[q->next[i]];
    if (index)
      require (e, e->taken[omen_problem_node (
                      e->p, e->p->chain_of[q->next[i]], index - 1)]);
  }
  for (uint32_t i = 0; i < q->takes; i++)
    require (e, e->taken[q->take[i]]);
  for (uint32_t i = 0; i < q->lasts; i++)
    require (e, e->taken[q->last[i]]);
  for (uint32_t i = 0; i < q->orders; i++) {
    require (e, e->taken[q->order[i].from]);
    require (e, e->taken[q->order[i].to]);
    require (e, before (e, q->order[i].from, q->order[i].to));
  }
}

/* ---- sections ---- */

static Z3_ast
ends_before (encoder *e, const omen_node_section *a,
             const omen_node_section *b)
{
  if (a->end == OMEN_NONE || b->start == OMEN_PAST)
    return e->no;
  return both (e, e->taken[a->end], before (e, a->end, b->start));
}

static void
encode_pair (encoder *e, const omen_node_section *a,
             const omen_node_section *b)
{
  Z3_ast started = both (e, a->start == OMEN_PAST ? e->yes : e->taken[a->start],
                         b->start == OMEN_PAST ? e->yes
                                               : e->taken[b->start]);
  require (e, implies (e, started,
                       either (e, ends_before (e, a, b),
                               ends_before (e, b, a))));
}

static void
encode_sections (encoder *e)
{
  const omen_problem *p = e->p;
  for (size_t i = 0; i < p->sections.count; i++)
    for (size_t j = i + 1; j < p->sections.count; j++) {
      const omen_node_section *a = &p->sections.data[i];
      const omen_node_section *b = &p->sections.data[j];
      if (a->resource != b->resource)
        break; /* sorted by resource */
      if (a->chain != b->chain && (a->exclusive || b->exclusive)
          && e->terms < TERMS_MAX)
        encode_pair (e, a, b);
    }
}

static void
encode_insides (encoder *e)
{
  const omen_problem *p = e->p;
  terms hosts = { 0 };
  for (size_t i = 0; i < p->insides.count; i++) {
    const omen_inside *in = &p->insides.data[i];
    for (size_t s = 0; s < p->sections.count; s++) {
      const omen_node_section *sec = &p->sections.data[s];
      Z3_ast inside = e->yes;
      if (sec->resource != in->resource || sec->chain == p->chain_of[in->node]
          || (in->exclusive && !sec->exclusive))
        continue;
      if (sec->start != OMEN_PAST)
        inside = both (e, e->taken[sec->start],
                       before (e, sec->start, in->node));
      if (sec->end != OMEN_NONE)
        inside = both (e, inside,
                       implies (e, e->taken[sec->end],
                                before (e, in->node, sec->end)));
      OMEN_VEC_PUSH (hosts, inside);
    }
    require (e, implies (e, e->taken[in->node], any (e, &hosts)));
  }
  OMEN_VEC_FINI (hosts);
}

/* ---- reads ---- */

/* Read k sees write w (an access, or OMEN_PAST); `firm`: which, if it reads
   too, saw the right thing. */
static Z3_ast
sees (encoder *e, uint32_t k, uint32_t w, bool firm, terms *list)
{
  const omen_problem *p = e->p;
  const omen_node_access *read = &p->accesses.data[k];
  omen_node seen = w == OMEN_PAST ? OMEN_PAST : p->accesses.data[w].node;
  OMEN_VEC_CLEAR (*list);
  if (w != OMEN_PAST) {
    OMEN_VEC_PUSH (*list, e->taken[seen]);
    OMEN_VEC_PUSH (*list, before (e, seen, read->node));
    for (uint32_t i = p->access_first[seen]; i < p->access_first[seen + 1];
         i++)
      if (e->kept[i] && firm)
        OMEN_VEC_PUSH (*list, e->kept[i]);
  }
  for (uint32_t i = p->group_first[read->atom];
       i < p->group_first[read->atom + 1]; i++)
    for (uint32_t j = 0; j < p->groups[i].count; j++) {
      omen_node other
          = p->accesses.data[p->writes[p->groups[i].first + j]].node;
      Z3_ast away;
      if (other == seen || other == read->node || !reachable (e, other))
        continue;
      away = before (e, read->node, other);
      if (seen != OMEN_PAST)
        away = either (e, away, before (e, other, seen));
      OMEN_VEC_PUSH (*list, implies (e, e->taken[other], away));
    }
  return all (e, list);
}

/* Read k sees a write it accepts. */
static Z3_ast
sees_accepted (encoder *e, uint32_t k)
{
  const omen_problem *p = e->p;
  const omen_node_access *read = &p->accesses.data[k];
  uint32_t saw = p->saw_access[k];
  terms list = { 0 }, ways = { 0 };
  Z3_ast result;
  OMEN_VEC_PUSH (ways, sees (e, k, saw, true, &list));
  if (read->want != OMEN_NONE) {
    if (saw != OMEN_PAST && p->past_value[read->atom] == read->want)
      OMEN_VEC_PUSH (ways, sees (e, k, OMEN_PAST, true, &list));
    for (uint32_t i = p->class_first[read->want];
         i < p->class_first[read->want + 1] && e->terms < TERMS_MAX; i++) {
      uint32_t w = p->class_writes[i];
      if (w != saw && p->accesses.data[w].atom == read->atom
          && p->accesses.data[w].node != read->node
          && reachable (e, p->accesses.data[w].node))
        OMEN_VEC_PUSH (ways, sees (e, k, w, true, &list));
    }
  }
  result = any (e, &ways);
  OMEN_VEC_FINI (list);
  OMEN_VEC_FINI (ways);
  return result;
}

/* When the reads of a node must be preserved. */
static Z3_ast
has_successor (encoder *e, omen_node n)
{
  const omen_problem *p = e->p;
  uint32_t chain = p->chain_of[n], next = p->index_of[n] + 1;
  Z3_ast result = e->no;
  if (next < omen_problem_length (p, chain))
    result = happens (e, omen_problem_node (p, chain, next));
  for (uint32_t i = p->out_first[n]; i < p->out_first[n + 1]; i++)
    if (p->edges.data[p->out_edges[i]].firm)
      result = either (e, result,
                       happens (e, p->edges.data[p->out_edges[i]].to));
  return result;
}

static void
encode_reads (encoder *e)
{
  const omen_problem *p = e->p;
  Z3_sort booleans = Z3_mk_bool_sort (e->c);
  for (size_t k = 0; k < p->accesses.count; k++)
    e->kept[k] = p->accesses.data[k].reads
                     ? Z3_mk_fresh_const (e->c, "kept", booleans)
                     : NULL;
  for (uint32_t k = 0; k < p->accesses.count && e->terms < TERMS_MAX; k++) {
    const omen_node_access *read = &p->accesses.data[k];
    if (!read->reads || !reachable (e, read->node))
      continue;
    require (e, implies (e, e->kept[k], sees_accepted (e, k)));
    require (e, implies (e,
                         both (e, e->taken[read->node],
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
  return k;
}

static void
encode_sights (encoder *e)
{
  terms list = { 0 };
  for (uint32_t i = 0; i < e->q->sights; i++) {
    const omen_sight *sight = &e->q->sight[i];
    uint32_t k = access_at (e->p, sight->read, sight->atom), w = OMEN_PAST;
    if (sight->writer != OMEN_PAST)
      w = access_at (e->p, sight->writer, sight->atom);
    require (e, e->taken[sight->read]);
    require (e, sees (e, k, w, false, &list));
  }
  OMEN_VEC_FINI (list);
}

static void
encode_whole (encoder *e)
{
  for (omen_node n = 0; e->q->whole && n < e->p->nodes; n++)
    require (e, e->taken[n]);
  for (uint32_t k = 0; e->q->whole && k < e->p->accesses.count; k++)
    if (e->kept[k])
      require (e, e->kept[k]);
}

/* ---- needs ---- */

static Z3_ast
serves (encoder *e, const omen_need *need, const omen_provider *has,
        bool target)
{
  Z3_ast result;
  if (has->node == OMEN_PAST)
    return need->opening == OMEN_PAST && has->past_order >= need->past_order
               ? e->yes
               : e->no;
  result = e->taken[has->node];
  if (need->opening != OMEN_PAST)
    result = both (e, result, before (e, need->opening, has->node));
  return target ? result : both (e, result, before (e, has->node, need->node));
}

/* Two needs do not use the same provider. */
static void
exclude_uses (encoder *e, uint32_t need, uint32_t i)
{
  const omen_problem *p = e->p;
  uint32_t pool = p->needs.data[need].pool;
  for (uint32_t other = 0; other < need; other++)
    if (p->needs.data[other].pool == pool)
      require (e, not (e, both (e, e->uses[need][i], e->uses[other][i])));
}

static void
encode_need (encoder *e, uint32_t id)
{
  const omen_problem *p = e->p;
  const omen_need *need = &p->needs.data[id];
  uint32_t first = p->pool_first[need->pool];
  uint32_t count = p->pool_first[need->pool + 1] - first;
  bool target = is_next (e, need->node);
  terms ways = { 0 };
  e->uses[id] = omen_alloc (count * sizeof **e->uses);
  for (uint32_t i = 0; i < count; i++) {
    const omen_provider *has
        = &p->providers.data[p->pool_providers[first + i]];
    e->uses[id][i] = Z3_mk_fresh_const (e->c, "uses", Z3_mk_bool_sort (e->c));
    require (e, implies (e, e->uses[id][i],
                         both (e, happens (e, need->node),
                               serves (e, need, has, target))));
    OMEN_VEC_PUSH (ways, e->uses[id][i]);
    if (!has->many)
      exclude_uses (e, id, i);
  }
  require (e, implies (e, happens (e, need->node), any (e, &ways)));
  OMEN_VEC_FINI (ways);
}

/* ---- semaphores: each down has a token of its own ---- */

typedef struct tokens {
  omen_ids ups, downs, zeros; /* counts */
  uint32_t past;              /* tokens there are before, as many as matter */
  Z3_ast *match;              /* downs x (past + ups) */
} tokens;

static Z3_ast *
match_of (const tokens *t, size_t down, size_t token)
{
  return &t->match[down * (t->past + t->ups.count) + token];
}

static void
encode_matches (encoder *e, tokens *t)
{
  const omen_count *counts = e->p->counts.data;
  size_t all_tokens = t->past + t->ups.count;
  terms ways = { 0 };
  for (size_t d = 0; d < t->downs.count; d++) {
    omen_node down = counts[t->downs.data[d]].node;
    for (size_t i = 0; i < all_tokens; i++) {
      Z3_ast *match = match_of (t, d, i);
      *match = Z3_mk_fresh_const (e->c, "match", Z3_mk_bool_sort (e->c));
      require (e, implies (e, *match, e->taken[down]));
      if (i >= t->past) {
        omen_node up = counts[t->ups.data[i - t->past]].node;
        require (e, implies (e, *match,
                             both (e, e->taken[up], before (e, up, down))));
      }
      for (size_t other = 0; other < d; other++)
        require (e, not (e, both (e, *match, *match_of (t, other, i))));
      OMEN_VEC_PUSH (ways, *match);
    }
    require (e, implies (e, e->taken[down], any (e, &ways)));
  }
  OMEN_VEC_FINI (ways);
}

/* At a zero every token that is there has been used by a down before it. */
static void
encode_zero (encoder *e, const tokens *t, omen_node zero)
{
  const omen_count *counts = e->p->counts.data;
  terms ways = { 0 };
  for (size_t i = 0; i < t->past + t->ups.count; i++) {
    Z3_ast used;
    for (size_t d = 0; d < t->downs.count; d++)
      OMEN_VEC_PUSH (ways, both (e, *match_of (t, d, i),
                                 before (e, counts[t->downs.data[d]].node,
                                         zero)));
    used = any (e, &ways);
    if (i >= t->past) {
      omen_node up = counts[t->ups.data[i - t->past]].node;
      used = implies (e, both (e, e->taken[up], before (e, up, zero)), used);
    }
    require (e, implies (e, e->taken[zero], used));
  }
  OMEN_VEC_FINI (ways);
}

static void
encode_semaphore (encoder *e, uint32_t id)
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
  t.past = (uint32_t)p->past_count[id];
  if (t.past > t.downs.count + 1) /* one more than can be used is plenty */
    t.past = (uint32_t)t.downs.count + 1;
  t.match = omen_alloc (t.downs.count * (t.past + t.ups.count)
                        * sizeof *t.match);
  encode_matches (e, &t);
  for (size_t i = 0; i < t.zeros.count; i++)
    encode_zero (e, &t, p->counts.data[t.zeros.data[i]].node);
  OMEN_VEC_FINI (t.ups);
  OMEN_VEC_FINI (t.downs);
  OMEN_VEC_FINI (t.zeros);
  omen_free (t.match);
}

/* ---- asking ---- */

static void
encode (encoder *e)
{
  make_nodes (e);
  encode_chains (e);
  encode_edges (e);
  encode_query (e);
  encode_sections (e);
  encode_insides (e);
  encode_reads (e);
  encode_sights (e);
  encode_whole (e);
  for (uint32_t i = 0; i < e->p->needs.count; i++)
    encode_need (e, i);
  for (uint32_t i = 0; i < e->p->semaphores; i++)
    encode_semaphore (e, i);
}

typedef struct placed {
  int64_t at;
  omen_node node;
} placed;

static int
by_place (const void *a, const void *b)
{
  const placed *x = a, *y = b;
  if (x->at != y->at)
    return x->at < y->at ? -1 : 1;
  return x->node < y->node ? -1 : x->node > y->node;
}

/* The taken nodes by their positions. */
static void
read_model (encoder *e, omen_ids *sequence)
{
  Z3_model model = Z3_solver_get_model (e->c, e->solver);
  placed *list = omen_alloc (e->p->nodes * sizeof *list);
  size_t count = 0;
  Z3_model_inc_ref (e->c, model);
  for (omen_node n = 0; n < e->p->nodes; n++) {
    Z3_ast taken, at;
    int64_t position = 0;
    if (!Z3_model_eval (e->c, model, e->taken[n], true, &taken)
        || Z3_get_bool_value (e->c, taken) != Z3_L_TRUE
        || !Z3_model_eval (e->c, model, e->at[n], true, &at))
      continue;
    Z3_get_numeral_int64 (e->c, at, &position);
    list[count++] = (placed){ position, n };
  }
  if (count)
    qsort (list, count, sizeof *list, by_place);
  for (size_t i = 0; i < count; i++)
    OMEN_VEC_PUSH (*sequence, list[i].node);
  omen_free (list);
  Z3_model_dec_ref (e->c, model);
}

static void
set_timeout (encoder *e, double seconds)
{
  Z3_params params = Z3_mk_params (e->c);
  Z3_params_inc_ref (e->c, params);
  if (seconds > 0 && seconds < 4e6)
    Z3_params_set_uint (e->c, params,
                        Z3_mk_string_symbol (e->c, "timeout"),
                        (unsigned)(seconds * 1000) + 1);
  Z3_solver_set_params (e->c, e->solver, params);
  Z3_params_dec_ref (e->c, params);
}

static void
encoder_init (encoder *e, const omen_problem *problem, const omen_query *query)
{
  Z3_config config = Z3_mk_config ();
  memset (e, 0, sizeof *e);
  e->p = problem;
  e->q = query;
  e->c = Z3_mk_context (config);
  Z3_del_config (config);
  e->solver = Z3_mk_solver_for_logic (
      e->c, Z3_mk_string_symbol (e->c, "QF_IDL"));
  Z3_solver_inc_ref (e->c, e->solver);
  e->yes = Z3_mk_true (e->c);
  e->no = Z3_mk_false (e->c);
  e->limit = omen_alloc (problem->chains * sizeof *e->limit);
  e->taken = omen_alloc (problem->nodes * sizeof *e->taken);
  e->at = omen_alloc (problem->nodes * sizeof *e->at);
  e->kept = omen_alloc (problem->accesses.count * sizeof *e->kept);
  e->uses = omen_zalloc (problem->needs.count, sizeof *e->uses);
}

static void
encoder_fini (encoder *e)
{
  for (size_t i = 0; i < e->p->needs.count; i++)
    omen_free (e->uses[i]);
  omen_free (e->limit);
  omen_free (e->taken);
  omen_free (e->at);
  omen_free (e->kept);
  omen_free (e->uses);
  Z3_solver_dec_ref (e->c, e->solver);
  Z3_del_context (e->c);
}

omen_verdict
omen_z3_ask (const omen_problem *problem, const omen_query *query,
             const omen_budget *budget, omen_answer *answer)
{
  encoder e;
  omen_verdict verdict = OMEN_UNKNOWN;
  OMEN_REQUIRE (!query->refine);
  memset (answer, 0, sizeof *answer);
  answer->stage = OMEN_STAGE_Z3;
  encoder_init (&e, problem, query);
  encode (&e);
  if (e.terms < TERMS_MAX) {
    set_timeout (&e, budget->seconds);
    switch (Z3_solver_check (e.c, e.solver)) {
    case Z3_L_TRUE:
      verdict = OMEN_FOUND;
      read_model (&e, &answer->sequence);
      break;
    case Z3_L_FALSE:
      verdict = OMEN_ABSENT;
      break;
    default:
      break;
    }
  }
  encoder_fini (&e);
  return verdict;
}
