/* The choices that a stuck run requires. Each list is complete: every solution
   that agrees with the partial order so far agrees with one of them. */
#include "solve/run.h"

static void
add_choice (omen_choices *choices, omen_choice_kind kind, uint32_t a,
            uint32_t b)
{
  OMEN_VEC_PUSH (*choices, ((omen_choice){ kind, a, b }));
}

static bool
reachable (const omen_state *s, omen_node n)
{
  return s->p->index_of[n] < s->limit[s->p->chain_of[n]];
}

/* May a still come before b? */
static bool
can_precede (const omen_state *s, omen_node a, omen_node b)
{
  return reachable (s, a)
         && !(omen_taken (s, a) && omen_taken (s, b) && omen_before (s, b, a));
}

/* A conflicting section of another chain that is open now. */
static uint32_t
open_section (const omen_linear *run, uint32_t section)
{
  const omen_problem *p = run->s->p;
  uint32_t resource = p->sections.data[section].resource;
  if (run->holder[resource] != OMEN_NONE)
    return run->holder[resource];
  for (uint32_t i = p->resource_first[resource];
       i < p->resource_first[resource + 1]; i++) {
    const omen_group *g = &p->section_groups[i];
    for (uint32_t j = g->first; j < g->first + g->count; j++) {
      const omen_node_section *sec = &p->sections.data[j];
      uint32_t done = run->done[sec->chain];
      if ((sec->start == OMEN_PAST || p->index_of[sec->start] < done)
          && (sec->end == OMEN_NONE || p->index_of[sec->end] >= done))
        return j;
    }
  }
  OMEN_ASSERT (!"a held resource has a holder");
  return OMEN_NONE;
}

void
omen_choices_section (const omen_linear *run, omen_node n,
                      omen_choices *choices)
{
  uint32_t wanted = run->s->p->start_of[n];
  uint32_t holder = open_section (run, wanted);
  OMEN_ASSERT (omen_sections_conflict (run->s->p, wanted, holder));
  add_choice (choices, OMEN_CHOICE_SECTIONS, wanted, holder);
  add_choice (choices, OMEN_CHOICE_SECTIONS, holder, wanted);
}

void
omen_choices_inside (const omen_linear *run, omen_node n, omen_choices *choices)
{
  const omen_state *s = run->s;
  const omen_problem *p = s->p;
  uint32_t id = p->inside_of[n];
  const omen_inside *inside = &p->insides.data[id];
  OMEN_ASSERT (inside->node == n && s->host[id] == OMEN_NONE);
  for (uint32_t i = p->resource_first[inside->resource];
       i < p->resource_first[inside->resource + 1]; i++) {
    const omen_group *g = &p->section_groups[i];
    for (uint32_t j = g->first; j < g->first + g->count; j++) {
      const omen_node_section *sec = &p->sections.data[j];
      if (sec->chain == p->chain_of[n] || (inside->exclusive && !sec->exclusive)
          || (sec->start != OMEN_PAST && !can_precede (s, sec->start, n))
          || (sec->end != OMEN_NONE && omen_taken (s, sec->end)
              && omen_before (s, sec->end, n)))
        continue;
      add_choice (choices, OMEN_CHOICE_HOST, id, j);
    }
  }
}

void
omen_choices_need (const omen_state *s, uint32_t need, omen_choices *choices)
{
  const omen_problem *p = s->p;
  const omen_need *want = &p->needs.data[need];
  bool target = !omen_taken (s, want->node);
  for (uint32_t i = p->pool_first[want->pool];
       i < p->pool_first[want->pool + 1]; i++) {
    uint32_t v = p->pool_providers[i];
    const omen_provider *has = &p->providers.data[v];
    if (has->node == want->node || (!has->many && s->client[v]))
      continue; /* a node does not serve itself */
    if (has->node == OMEN_PAST
            ? want->opening != OMEN_PAST || has->past_order < want->past_order
            : (!target && !can_precede (s, has->node, want->node))
                  || !reachable (s, has->node)
                  || (want->opening != OMEN_PAST
                      && !can_precede (s, want->opening, has->node)))
      continue;
    add_choice (choices, OMEN_CHOICE_SERVER, need, v);
  }
}

/* A down whose token is decided is only blocked if an undecided down took that
   token before: that one must be decided. */
static uint32_t
undecided_down (const omen_linear *run, uint32_t down)
{
  const omen_problem *p = run->s->p;
  uint32_t semaphore = p->counts.data[down].semaphore;
  if (run->s->token[down] == OMEN_NONE)
    return down;
  for (uint32_t i = p->sem_first[semaphore]; i < p->sem_first[semaphore + 1];
       i++) {
    uint32_t other = p->sem_counts[i];
    omen_node n = p->counts.data[other].node;
    if (p->counts.data[other].change == -1 && run->s->token[other] == OMEN_NONE
        && p->index_of[n] < run->done[p->chain_of[n]])
      return other;
  }
  OMEN_ASSERT (!"decided tokens suffice");
  return OMEN_NONE;
}

static void
choices_down (const omen_linear *run, uint32_t down, omen_choices *choices)
{
  const omen_state *s = run->s;
  const omen_problem *p = s->p;
  const omen_count *c = &p->counts.data[down];
  if (s->past_used[c->semaphore] < (uint32_t)p->past_count[c->semaphore])
    add_choice (choices, OMEN_CHOICE_TOKEN, down, OMEN_PAST);
  for (uint32_t i = p->sem_first[c->semaphore];
       i < p->sem_first[c->semaphore + 1]; i++) {
    uint32_t up = p->sem_counts[i];
    if (p->counts.data[up].change == 1 && !s->token_used[up]
        && can_precede (s, p->counts.data[up].node, c->node))
      add_choice (choices, OMEN_CHOICE_TOKEN, down, up);
  }
}

/* Is the order of the operation and `zero` decided? */
static bool
settled (const omen_state *s, omen_node operation, omen_node zero)
{
  if (!reachable (s, operation))
    return true;
  if (omen_taken (s, operation))
    return omen_before (s, operation, zero) || omen_before (s, zero, operation);
  for (uint32_t l = s->in_head[operation]; l != OMEN_NONE;
       l = s->links.data[l].next)
    if (s->links.data[l].other == zero)
      return true;
  return false;
}

static void
choices_zero (const omen_linear *run, uint32_t zero, omen_choices *choices)
{
  const omen_state *s = run->s;
  const omen_problem *p = s->p;
  const omen_count *c = &p->counts.data[zero];
  for (uint32_t i = p->sem_first[c->semaphore];
       i < p->sem_first[c->semaphore + 1]; i++) {
    const omen_count *other = &p->counts.data[p->sem_counts[i]];
    if (!other->change || settled (s, other->node, c->node))
      continue;
    add_choice (choices, OMEN_CHOICE_ORDER, other->node, c->node);
    add_choice (choices, OMEN_CHOICE_ORDER_IF, c->node, other->node);
    return;
  }
}

void
omen_choices_count (const omen_linear *run, omen_node n, omen_choices *choices)
{
  uint32_t id = run->s->p->count_of[n];
  OMEN_ASSERT (id != OMEN_NONE);
  if (run->s->p->counts.data[id].change)
    choices_down (run, undecided_down (run, id), choices);
  else
    choices_zero (run, id, choices);
}

void
omen_choices_read (const omen_linear *run, uint32_t k, omen_choices *choices)
{
  const omen_state *s = run->s;
  const omen_problem *p = s->p;
  const omen_node_access *read = &p->accesses.data[k];
  uint32_t last = run->last_write[read->atom], w = s->writer[k];
  uint32_t at = 0, candidate;
  if (w == OMEN_NONE) {
    while ((candidate = omen_next_candidate (s, k, &at)) != OMEN_NONE)
      add_choice (choices, OMEN_CHOICE_WRITER, k, candidate);
    return;
  }
  OMEN_ASSERT (last != OMEN_PAST && last != w);
  add_choice (choices, OMEN_CHOICE_ORDER, read->node,
              p->accesses.data[last].node);
  if (w != OMEN_PAST)
    add_choice (choices, OMEN_CHOICE_ORDER, p->accesses.data[last].node,
                p->accesses.data[w].node);
}

/* A read that waits for the last write of the atom and is not `self`. */
static uint32_t
pending_read (const omen_linear *run, uint32_t atom, omen_node self)
{
  const omen_state *s = run->s;
  const omen_problem *p = s->p;
  uint32_t last = run->last_write[atom];
  for (uint32_t k
       = last == OMEN_PAST ? s->past_head[atom] : s->reader_head[last];
       k != OMEN_NONE; k = s->reader_next[k]) {
    omen_node n = p->accesses.data[k].node;
    if (n != self && p->index_of[n] >= run->done[p->chain_of[n]])
      return k;
  }
  OMEN_ASSERT (!"a pending read can be found");
  return OMEN_NONE;
}

void
omen_choices_write (const omen_linear *run, uint32_t k, omen_choices *choices)
{
  const omen_problem *p = run->s->p;
  const omen_node_access *write = &p->accesses.data[k];
  uint32_t last = run->last_write[write->atom];
  uint32_t read = pending_read (run, write->atom, write->node);
  add_choice (choices, OMEN_CHOICE_ORDER, p->accesses.data[read].node,
              write->node);
  if (last != OMEN_PAST)
    add_choice (choices, OMEN_CHOICE_ORDER, write->node,
                p->accesses.data[last].node);
}

/* A target comes after everything that is taken, so it needs no edge. */
static void
serve_choice (omen_state *s, uint32_t need, uint32_t v)
{
  const omen_need *want = &s->p->needs.data[need];
  const omen_provider *has = &s->p->providers.data[v];
  OMEN_ASSERT (s->server[need] == OMEN_NONE);
  OMEN_ASSERT (has->pool == want->pool && (has->many || !s->client[v]));
  omen_set (s, &s->server[need], v);
  omen_set (s, &s->client[v], 1);
  if (has->node == OMEN_PAST)
    return;
  omen_demand_node (s, has->node);
  if (want->opening != OMEN_PAST)
    omen_order (s, want->opening, has->node);
  if (omen_taken (s, want->node))
    omen_order (s, has->node, want->node);
}

static void
use_token (omen_state *s, uint32_t down, uint32_t up)
{
  const omen_count *c = &s->p->counts.data[down];
  OMEN_ASSERT (c->change == -1 && s->token[down] == OMEN_NONE);
  omen_set (s, &s->token[down], up);
  if (up == OMEN_PAST) {
    uint32_t *used = &s->past_used[c->semaphore];
    OMEN_ASSERT (*used < (uint32_t)s->p->past_count[c->semaphore]);
    omen_set (s, used, *used + 1);
  } else {
    omen_set (s, &s->token_used[up], 1);
    omen_order (s, s->p->counts.data[up].node, c->node);
  }
}

static void
put_inside (omen_state *s, uint32_t inside, uint32_t section)
{
  const omen_node_section *sec = &s->p->sections.data[section];
  omen_node n = s->p->insides.data[inside].node;
  OMEN_ASSERT (s->host[inside] == OMEN_NONE);
  omen_set (s, &s->host[inside], section);
  if (sec->start != OMEN_PAST)
    omen_order (s, sec->start, n);
  if (sec->end != OMEN_NONE)
    omen_order_if (s, n, sec->end);
}

/* End the chain before n; sections that would end later stay open. */
static void
leave_out (omen_state *s, omen_node n)
{
  const omen_problem *p = s->p;
  uint32_t chain = p->chain_of[n], index = p->index_of[n];
  if (index >= s->limit[chain])
    return;
  omen_set (s, &s->limit[chain], index);
  if (s->cut[chain] > index || s->wanted[chain] > index)
    s->conflict = true;
  else if (s->cut[chain]) {
    omen_node last = omen_problem_node (p, chain, s->cut[chain] - 1);
    const uint32_t *list = p->holds + p->hold_of[last];
    for (uint32_t i = 1; i <= list[0]; i++)
      if (p->sections.data[list[i]].start != OMEN_PAST)
        omen_touch (s, p->sections.data[list[i]].start);
  }
}

void
omen_choice_apply (omen_state *s, omen_choice choice)
{
  switch (choice.kind) {
  case OMEN_CHOICE_ORDER:
    omen_order (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_ORDER_IF:
    omen_order_if (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_SECTIONS:
    omen_order_sections (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_WRITER:
    omen_choose (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_SERVER:
    serve_choice (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_TOKEN:
    use_token (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_HOST:
    put_inside (s, choice.a, choice.b);
    break;
  case OMEN_CHOICE_WITH:
    omen_demand_node (s, choice.a);
    break;
  case OMEN_CHOICE_WITHOUT:
    leave_out (s, choice.a);
    break;
  }
}

void
omen_choice_exclude (omen_state *s, omen_choice choice)
{
  switch (choice.kind) {
  case OMEN_CHOICE_ORDER:
    if (omen_taken (s, choice.a) && omen_taken (s, choice.b))
      omen_order (s, choice.b, choice.a);
    break;
  case OMEN_CHOICE_WITH:
    leave_out (s, choice.a);
    break;
  case OMEN_CHOICE_WITHOUT:
    omen_demand_node (s, choice.a);
    break;
  default:
    break;
  }
}
