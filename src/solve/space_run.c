/* States: what a node needs, and what it does. */
#include "solve/space_state.h"

#include <string.h>

/* ---- what a node needs ---- */

bool
omen_space_edges (const omen_space *s, const uint32_t *state, omen_node n)
{
  const omen_problem *p = s->p;
  for (uint32_t i = p->edge_first[n]; i < p->edge_first[n + 1]; i++)
    if (!omen_space_done (s, state, p->edges.data[i].from))
      return false;
  return true;
}

static bool
section_free (const omen_space *s, omen_node n)
{
  const omen_node_section *sec = omen_space_section (s, s->p->start_of[n]);
  return !sec || s->held[sec->resource] < (sec->exclusive ? 1 : 2);
}

static bool
sees_right (const omen_space *s, uint32_t k)
{
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  uint32_t last = s->now[s->at.last + read->atom];
  if (last == p->saw_access[k])
    return true;
  return read->want != OMEN_NONE
         && read->want
                == (last == OMEN_PAST ? p->past_value[read->atom]
                                      : p->accesses.data[last].gives);
}

bool
omen_space_reads (const omen_space *s, omen_node n)
{
  const omen_problem *p = s->p;
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    if (p->accesses.data[k].reads && !sees_right (s, k))
      return false;
  return true;
}

/* The first token that serves the need; OMEN_NONE. */
static uint32_t
token_for (const omen_space *s, uint32_t need)
{
  for (uint32_t i = 0; i < s->p->needs.count; i++)
    if (s->now[s->at.tokens + i] >> need & 1)
      return i;
  return OMEN_NONE;
}

static bool
need_served (const omen_space *s, omen_node n)
{
  uint32_t need = s->p->need_of[n];
  return need == OMEN_NONE || s->now[s->at.served] >> need & 1
         || token_for (s, need) != OMEN_NONE;
}

static bool
count_fits (const omen_space *s, omen_node n)
{
  uint32_t id = s->p->count_of[n];
  const omen_count *c;
  if (id == OMEN_NONE)
    return true;
  c = &s->p->counts.data[id];
  return c->change ? c->change > 0 || s->counts[c->semaphore] > 0
                   : !s->counts[c->semaphore];
}

bool
omen_space_runs (const omen_space *s, omen_node n)
{
  return omen_space_edges (s, s->now, n) && section_free (s, n)
         && omen_space_reads (s, n) && need_served (s, n) && count_fits (s, n);
}

/* ---- providers ---- */

static uint32_t
open_needs (const omen_space *s, uint32_t pool)
{
  const omen_problem *p = s->p;
  uint32_t set = 0;
  for (uint32_t i = 0; i < p->needs.count; i++) {
    const omen_need *need = &p->needs.data[i];
    if (need->pool == pool && !omen_space_done (s, s->now, need->node)
        && (need->opening == OMEN_PAST
            || omen_space_done (s, s->now, need->opening)))
      set |= 1u << i;
  }
  return set & ~s->now[s->at.served];
}

/* Drop tokens that serve no need. If a pool has more tokens than needs that
   they can serve, drop the one that serves the fewest: the others suffice. */
static void
tidy_tokens (omen_space *s)
{
  uint32_t *tokens = s->now + s->at.tokens, all = (uint32_t)s->p->needs.count;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < all; i++) {
    uint32_t more = 0, rest = 0;
    for (uint32_t j = i; j < all; j++)
      if (tokens[j] & tokens[i]) { /* of one pool */
        more++;
        rest |= tokens[j];
      }
    if (tokens[i] && more <= (uint32_t)__builtin_popcount (rest))
      tokens[kept++] = tokens[i];
  }
  while (kept < all)
    tokens[kept++] = 0;
}

/* The needs of the set are served: no token serves them any more. */
static void
forget_needs (omen_space *s, uint32_t set)
{
  for (uint32_t i = 0; i < s->p->needs.count; i++)
    s->now[s->at.tokens + i] &= ~set;
  tidy_tokens (s);
}

static void
provide (omen_space *s, uint32_t set, bool many)
{
  uint32_t *tokens = s->now + s->at.tokens, all = (uint32_t)s->p->needs.count;
  uint32_t i = 0;
  if (!set)
    return;
  if (many) {
    s->now[s->at.served] |= set;
    forget_needs (s, set);
    return;
  }
  while (i < all && tokens[i])
    i++;
  if (i == all) {
    /* there are as many tokens as needs: one of this pool is too many */
    for (i = 0; i < all && !(tokens[i] & set); i++)
      ;
    OMEN_ASSERT (i < all);
    memmove (tokens + i, tokens + i + 1, (all - i - 1) * sizeof *tokens);
    i = all - 1;
  }
  tokens[i] = set;
  tidy_tokens (s);
}

/* ---- running ---- */

static void
serve_need (omen_space *s, uint32_t need)
{
  uint32_t bit = 1u << need;
  if (s->now[s->at.served] & bit)
    s->now[s->at.served] &= ~bit; /* it is over */
  else
    s->now[s->at.tokens + token_for (s, need)] = 0;
  forget_needs (s, bit);
}

/* Lock holders and counts follow from how far the chains are. */
void
omen_space_load (omen_space *s)
{
  const omen_problem *p = s->p;
  memset (s->held, 0, p->resources);
  for (uint32_t i = 0; i < p->sections.count; i++) {
    const omen_node_section *sec = omen_space_section (s, i);
    if (sec
        && (sec->start == OMEN_PAST || omen_space_done (s, s->now, sec->start))
        && (sec->end == OMEN_NONE || !omen_space_done (s, s->now, sec->end)))
      s->held[sec->resource] = sec->exclusive ? 2 : 1;
  }
  if (p->semaphores)
    memcpy (s->counts, p->past_count, p->semaphores * sizeof *s->counts);
  for (uint32_t i = 0; i < p->counts.count; i++)
    if (omen_space_done (s, s->now, p->counts.data[i].node))
      s->counts[p->counts.data[i].semaphore] += p->counts.data[i].change;
}

void
omen_space_run (omen_space *s, omen_node n)
{
  const omen_problem *p = s->p;
  uint32_t provider = p->provider_of[n];
  if (p->need_of[n] != OMEN_NONE)
    serve_need (s, p->need_of[n]);
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    if (p->accesses.data[k].writes)
      s->now[s->at.last + p->accesses.data[k].atom] = k;
  OMEN_ASSERT (s->now[p->chain_of[n]] == p->index_of[n]);
  s->now[p->chain_of[n]]++;
  if (provider != OMEN_NONE)
    provide (s, open_needs (s, p->providers.data[provider].pool),
             p->providers.data[provider].many);
  if (s->record)
    OMEN_VEC_PUSH (*s->record, n);
}

/* Run all that is eager. */
void
omen_space_settle (omen_space *s)
{
  const omen_problem *p = s->p;
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t c = 0; c < p->chains; c++)
      while (s->now[c] < omen_problem_length (p, c)) {
        omen_node n = omen_problem_node (p, c, s->now[c]);
        if (!s->eager[n] || !omen_space_edges (s, s->now, n))
          break;
        omen_space_run (s, n);
        more = true;
      }
  }
}
void
omen_space_start (omen_space *s)
{
  const omen_problem *p = s->p;
  memset (s->now, 0, s->at.words * sizeof *s->now);
  for (uint32_t a = 0; a < p->atoms; a++)
    s->now[s->at.last + a] = OMEN_PAST;
  for (uint32_t pool = 0; pool < p->pools; pool++)
    for (uint32_t i = p->pool_first[pool]; i < p->pool_first[pool + 1]; i++) {
      const omen_provider *has = &p->providers.data[p->pool_providers[i]];
      uint32_t set = 0;
      for (uint32_t k = 0; k < p->needs.count; k++)
        if (p->needs.data[k].pool == pool
            && p->needs.data[k].opening == OMEN_PAST
            && has->past_order >= p->needs.data[k].past_order)
          set |= 1u << k;
      if (has->node == OMEN_PAST)
        provide (s, set & ~s->now[s->at.served], has->many);
    }
  omen_space_settle (s);
}
