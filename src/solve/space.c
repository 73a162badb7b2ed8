#include "solve/space_state.h"

#include <string.h>

#define MOST_STATES (1u << 19)
#define MOST_WORDS (1u << 24)
#define CLOCK_EVERY 1024u /* states */
#define MOST_NEEDS 32u    /* bits of a word */

/* ---- all states ---- */

static uint32_t
hash_of_state (const uint32_t *state, uint32_t words)
{
  uint64_t h = 0x9e3779b97f4a7c15u;
  for (uint32_t i = 0; i < words; i++)
    h = (h ^ state[i]) * 0x100000001b3u;
  return (uint32_t)(h ^ h >> 32);
}

/* False: there is no room for it. */
static bool
add_state (omen_space *s, uint32_t parent, omen_node by)
{
  uint32_t slot = hash_of_state (s->now, s->at.words) & s->mask;
  for (; s->table[slot] != OMEN_NONE; slot = (slot + 1) & s->mask)
    if (!memcmp (omen_space_at (s, s->table[slot]), s->now,
                 s->at.words * sizeof *s->now))
      return true;
  if (s->parents.count == MOST_STATES
      || s->states.count + s->at.words > MOST_WORDS)
    return false;
  s->table[slot] = (uint32_t)s->parents.count;
  OMEN_VEC_PUSH (s->parents, parent);
  OMEN_VEC_PUSH (s->by, by);
  for (uint32_t i = 0; i < s->at.words; i++)
    OMEN_VEC_PUSH (s->states, s->now[i]);
  return true;
}

static void
set_to (omen_space *s, uint32_t state)
{
  memcpy (s->now, omen_space_at (s, state), s->at.words * sizeof *s->now);
}

/* ---- guarded nodes ---- */

static void
note_guarded_reads (omen_space *s, omen_node n, uint32_t parent, omen_node by)
{
  const omen_problem *p = s->p;
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++) {
    uint32_t last = s->now[s->at.last + p->accesses.data[k].atom], *slot;
    uint32_t saw = p->saw_access[k];
    if (!p->accesses.data[k].reads)
      continue;
    slot = omen_map_at (
        &s->rf_seen,
        omen_space_key (
            s, k, last,
            saw == OMEN_PAST
                || omen_space_done (s, s->now, p->accesses.data[saw].node)));
    if (*slot != OMEN_NONE)
      continue;
    *slot = (uint32_t)s->seen.count;
    OMEN_VEC_PUSH (s->seen, ((omen_space_seen){ parent, by }));
  }
}

/* Run the chain's guarded nodes: the other chains can neither change what they
   see nor see what they do until this chain goes on. False: a read does not see
   what it must, and never will. */
static bool
run_guarded (omen_space *s, uint32_t chain, uint32_t parent, omen_node by)
{
  omen_node n;
  while ((n = omen_space_next (s, chain)) != OMEN_NONE && s->guarded[n]) {
    note_guarded_reads (s, n, parent, by);
    if (!omen_space_reads (s, n))
      return false;
    omen_space_run (s, n);
    omen_space_settle (s);
  }
  return true;
}

/* ---- from state to state ---- */

/* The nodes that can be run in state i, the current one. If one is guarded, it
   suffices; a guarded node that cannot be run blocks its chain forever. */
static void
find_ways (omen_space *s, uint32_t i, omen_ids *ways)
{
  OMEN_VEC_CLEAR (*ways);
  omen_space_load (s);
  for (uint32_t c = 0; c < s->p->chains; c++) {
    omen_node n = omen_space_next (s, c);
    if (n == OMEN_NONE)
      continue;
    if (s->guarded[n])
      note_guarded_reads (s, n, i, OMEN_NONE);
    if (!omen_space_runs (s, n))
      continue;
    if (s->guarded[n])
      OMEN_VEC_CLEAR (*ways);
    OMEN_VEC_PUSH (*ways, n);
    if (s->guarded[n])
      return;
  }
}

/* Is the step useless? If the chain began a section with this node, in state i,
   then did only what that section guards, and will never end it, no other chain
   depends on it. */
static bool
is_vain (const omen_space *s, uint32_t i, omen_node by)
{
  const omen_problem *p = s->p;
  uint32_t chain = p->chain_of[by];
  if (!omen_space_section (s, p->start_of[by]) || p->end_of[by] != OMEN_NONE
      || p->access_first[by] < p->access_first[by + 1]
      || p->need_of[by] != OMEN_NONE || p->provider_of[by] != OMEN_NONE
      || s->opens[by] || p->count_of[by] != OMEN_NONE
      || p->out_first[by] < p->out_first[by + 1])
    return false;
  for (uint32_t k = p->index_of[by] + 1; k < s->now[chain]; k++)
    if (!s->guarded[omen_problem_node (p, chain, k)])
      return false;
  for (uint32_t c = 0; c < p->chains; c++)
    if (c != chain && s->now[c] != omen_space_at (s, i)[c])
      return false;
  return true;
}

/* Run a node in state i and add the next state; false: there is no room. */
static bool
add_successor (omen_space *s, uint32_t i, omen_node by)
{
  set_to (s, i);
  omen_space_run (s, by);
  omen_space_settle (s);
  if (!run_guarded (s, s->p->chain_of[by], i, by) && is_vain (s, i, by))
    return true;
  return add_state (s, i, by);
}

static void
explore (omen_space *s, const omen_deadline *deadline)
{
  omen_ids ways = { 0 };
  omen_space_start (s);
  s->complete = add_state (s, OMEN_NONE, OMEN_NONE);
  for (uint32_t i = 0; i < s->parents.count && s->complete; i++) {
    if (i % CLOCK_EVERY == 0 && omen_is_past (deadline)) {
      s->complete = false;
      break;
    }
    set_to (s, i);
    find_ways (s, i, &ways);
    for (size_t k = 0; k < ways.count && s->complete; k++)
      s->complete = add_successor (s, i, ways.data[k]);
  }
  OMEN_VEC_FINI (ways);
}

/* ---- which problems ---- */

static bool
is_suitable (const omen_problem *p)
{
  if (p->sliced || p->insides.count || p->needs.count > MOST_NEEDS)
    return false;
  for (size_t i = 0; i < p->edges.count; i++)
    if (!p->edges.data[i].firm && omen_node_reads (p, p->edges.data[i].from)
        && p->chain_of[p->edges.data[i].from]
               != p->chain_of[p->edges.data[i].to])
      return false;
  return true;
}

static void
find_eager (omen_space *s)
{
  const omen_problem *p = s->p;
  for (uint32_t i = 0; i < p->counts.count; i++)
    s->zeros |= !p->counts.data[i].change;
  for (uint32_t i = 0; i < p->needs.count; i++)
    if (p->needs.data[i].opening != OMEN_PAST)
      s->opens[p->needs.data[i].opening]++;
  for (omen_node n = 0; n < p->nodes; n++)
    s->eager[n]
        = p->access_first[n] == p->access_first[n + 1]
          && !omen_space_section (s, p->start_of[n])
          && p->need_of[n] == OMEN_NONE
          && (p->provider_of[n] == OMEN_NONE || !p->needs.count) && !s->opens[n]
          && (p->count_of[n] == OMEN_NONE
              || (p->counts.data[p->count_of[n]].change > 0 && !s->zeros));
}

/* Does the chain hold the resource exclusively when it has run n? */
static bool
holds (const omen_space *s, omen_node n, uint32_t resource)
{
  const uint32_t *list = s->p->holds + s->p->hold_of[n];
  for (uint32_t i = 1; i <= list[0]; i++) {
    const omen_node_section *sec = omen_space_section (s, list[i]);
    if (sec && sec->exclusive && sec->resource == resource)
      return true;
  }
  return false;
}

/* By atom: a resource that is held exclusively whenever the atom is accessed;
   OMEN_NONE: there is none. */
static uint32_t *
find_guards (const omen_space *s)
{
  const omen_problem *p = s->p;
  uint32_t *guard = omen_alloc ((p->atoms + (size_t)1) * sizeof *guard);
  memset (guard, 0xff, p->atoms * sizeof *guard);
  for (size_t k = 0; k < p->accesses.count; k++) {
    uint32_t *of = &guard[p->accesses.data[k].atom];
    const uint32_t *list = p->holds + p->hold_of[p->accesses.data[k].node];
    for (uint32_t i = 1; i <= list[0] && *of == OMEN_NONE; i++)
      *of = p->sections.data[list[i]].resource;
  }
  for (size_t k = 0; k < p->accesses.count; k++) {
    uint32_t *of = &guard[p->accesses.data[k].atom];
    if (*of != OMEN_NONE && !holds (s, p->accesses.data[k].node, *of))
      *of = OMEN_NONE;
  }
  return guard;
}

static void
find_guarded (omen_space *s)
{
  const omen_problem *p = s->p;
  uint32_t *guard = find_guards (s);
  for (omen_node n = 0; n < p->nodes; n++) {
    s->guarded[n] = p->access_first[n] < p->access_first[n + 1]
                    && p->edge_first[n] == p->edge_first[n + 1]
                    && p->out_first[n] == p->out_first[n + 1]
                    && p->start_of[n] == OMEN_NONE && p->need_of[n] == OMEN_NONE
                    && p->provider_of[n] == OMEN_NONE && !s->opens[n]
                    && p->count_of[n] == OMEN_NONE;
    for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
      s->guarded[n] &= guard[p->accesses.data[k].atom] != OMEN_NONE;
  }
  omen_free (guard);
}

omen_space *
omen_space_new (const omen_problem *p, const omen_deadline *deadline)
{
  omen_space *s = omen_zalloc (1, sizeof *s);
  OMEN_REQUIRE (p->edge_first);
  s->p = p;
  if (!is_suitable (p))
    return s;
  s->at.last = p->chains;
  s->at.served = s->at.last + p->atoms;
  s->at.tokens = s->at.served + 1;
  s->at.words = s->at.tokens + (uint32_t)p->needs.count;
  s->eager = omen_zalloc (p->nodes, 1);
  s->guarded = omen_zalloc (p->nodes, 1);
  s->opens = omen_zalloc (p->nodes, sizeof *s->opens);
  s->now = omen_zalloc (s->at.words, sizeof *s->now);
  s->held = omen_zalloc (p->resources, 1);
  s->counts = omen_zalloc (p->semaphores, sizeof *s->counts);
  s->mask = 2 * MOST_STATES - 1;
  s->table = omen_alloc ((s->mask + (size_t)1) * sizeof *s->table);
  memset (s->table, 0xff, (s->mask + (size_t)1) * sizeof *s->table);
  omen_map_init (&s->rf_seen);
  find_eager (s);
  find_guarded (s);
  explore (s, deadline);
  omen_free (s->table);
  s->table = NULL;
  return s;
}

void
omen_space_free (omen_space *s)
{
  if (!s)
    return;
  omen_free (s->eager);
  omen_free (s->guarded);
  omen_free (s->opens);
  omen_free (s->now);
  omen_free (s->held);
  omen_free (s->counts);
  OMEN_VEC_FINI (s->states);
  OMEN_VEC_FINI (s->parents);
  OMEN_VEC_FINI (s->by);
  OMEN_VEC_FINI (s->seen);
  omen_map_fini (&s->rf_seen);
  omen_free (s);
}
