#include "solve/run.h"

#include <string.h>

void
omen_run_init (omen_linear *run, const omen_state *s)
{
  const omen_problem *p = s->p;
  memset (run, 0, sizeof *run);
  run->s = s;
  run->done = omen_alloc (p->chains * sizeof (uint32_t));
  run->last_write = omen_alloc (p->atoms * sizeof (uint32_t));
  run->tainted = omen_alloc (p->atoms);
  run->pending = omen_alloc (p->atoms * sizeof (uint32_t));
  run->holder = omen_alloc (p->resources * sizeof (uint32_t));
  run->sharers = omen_alloc (p->resources * sizeof (uint32_t));
  run->count = omen_alloc (p->semaphores * sizeof (int32_t));
  run->place = omen_alloc (p->nodes * sizeof (uint32_t));
  run->used = omen_alloc (p->providers.count);
  for (uint32_t i = 0; i < p->sections.count; i++)
    if (p->sections.data[i].start == OMEN_PAST)
      OMEN_VEC_PUSH (run->past_sections, i);
}

void
omen_run_fini (omen_linear *run)
{
  omen_free (run->done);
  omen_free (run->last_write);
  omen_free (run->tainted);
  omen_free (run->pending);
  omen_free (run->holder);
  omen_free (run->sharers);
  omen_free (run->count);
  omen_free (run->place);
  omen_free (run->used);
  OMEN_VEC_FINI (run->past_sections);
  OMEN_VEC_FINI (run->sequence);
}

static void
start_section (omen_linear *run, uint32_t section)
{
  const omen_node_section *sec = &run->s->p->sections.data[section];
  OMEN_ASSERT (run->holder[sec->resource] == OMEN_NONE);
  if (sec->exclusive)
    run->holder[sec->resource] = section;
  else
    run->sharers[sec->resource]++;
}

static void
end_section (omen_linear *run, uint32_t section)
{
  const omen_node_section *sec = &run->s->p->sections.data[section];
  OMEN_ASSERT (sec->exclusive ? run->holder[sec->resource] == section
                              : run->sharers[sec->resource] > 0);
  if (sec->exclusive)
    run->holder[sec->resource] = OMEN_NONE;
  else
    run->sharers[sec->resource]--;
}

static void
reset (omen_linear *run)
{
  const omen_problem *p = run->s->p;
  memset (run->done, 0, p->chains * sizeof (uint32_t));
  for (uint32_t a = 0; a < p->atoms; a++)
    run->last_write[a] = OMEN_PAST;
  memset (run->tainted, 0, p->atoms);
  memset (run->pending, 0xff, p->atoms * sizeof (uint32_t));
  memset (run->holder, 0xff, p->resources * sizeof (uint32_t));
  memset (run->sharers, 0, p->resources * sizeof (uint32_t));
  if (p->semaphores)
    memcpy (run->count, p->past_count, p->semaphores * sizeof (int32_t));
  memset (run->used, 0, p->providers.count);
  OMEN_VEC_CLEAR (run->sequence);
  for (size_t i = 0; i < run->past_sections.count; i++)
    start_section (run, run->past_sections.data[i]);
}

/* ---- what blocks a node ---- */

static bool
section_free (const omen_linear *run, omen_node n)
{
  uint32_t section = run->s->p->start_of[n];
  const omen_node_section *sec;
  if (section == OMEN_NONE || !omen_section_counts (run->s, section))
    return true;
  sec = &run->s->p->sections.data[section];
  return run->holder[sec->resource] == OMEN_NONE
         && (!sec->exclusive || !run->sharers[sec->resource]);
}

static bool
inside_held (const omen_linear *run, omen_node n)
{
  const omen_inside *inside;
  if (run->s->p->inside_of[n] == OMEN_NONE)
    return true;
  inside = &run->s->p->insides.data[run->s->p->inside_of[n]];
  return run->holder[inside->resource] != OMEN_NONE
         || (!inside->exclusive && run->sharers[inside->resource]);
}

/* Has the provider run, after the opening of the need? */
static bool
provides (const omen_linear *run, const omen_need *need,
          const omen_provider *provider)
{
  const omen_problem *p = run->s->p;
  OMEN_ASSERT (need->pool == provider->pool);
  if (provider->node == OMEN_PAST)
    return need->opening == OMEN_PAST
           && provider->past_order >= need->past_order;
  if (p->index_of[provider->node] >= run->done[p->chain_of[provider->node]])
    return false;
  return need->opening == OMEN_PAST
         || run->place[provider->node] > run->place[need->opening];
}

/* The provider decided on; else one that serves many, since it is not used up;
   else the earliest that is free. Needs come in the order of their deadlines
   (targets last, all with the same), so that this finds a matching if there is
   one. OMEN_NONE: no provider. */
static uint32_t
server_now (const omen_linear *run, uint32_t need)
{
  const omen_problem *p = run->s->p;
  const omen_need *want = &p->needs.data[need];
  uint32_t best = OMEN_NONE;
  if (run->s->server[need] != OMEN_NONE)
    return run->s->server[need];
  for (uint32_t i = p->pool_first[want->pool];
       i < p->pool_first[want->pool + 1]; i++) {
    uint32_t v = p->pool_providers[i];
    const omen_provider *has = &p->providers.data[v];
    if (!provides (run, want, has))
      continue;
    if (has->many)
      return v;
    if (run->used[v] || run->s->client[v])
      continue;
    if (best == OMEN_NONE
        || (p->providers.data[best].node != OMEN_PAST && has->node != OMEN_PAST
            && run->place[has->node]
                   < run->place[p->providers.data[best].node]))
      best = v;
  }
  return best;
}

static bool
need_served (const omen_linear *run, omen_node n)
{
  uint32_t need = run->s->p->need_of[n];
  return need == OMEN_NONE || server_now (run, need) != OMEN_NONE;
}

bool
omen_run_serve (omen_linear *run, uint32_t need)
{
  uint32_t provider = server_now (run, need);
  OMEN_ASSERT (need < run->s->p->needs.count);
  if (provider == OMEN_NONE)
    return false;
  run->used[provider] = !run->s->p->providers.data[provider].many;
  return true;
}

static bool
count_fits (const omen_linear *run, omen_node n)
{
  const omen_count *c;
  if (run->s->p->count_of[n] == OMEN_NONE)
    return true;
  c = &run->s->p->counts.data[run->s->p->count_of[n]];
  if (!c->change)
    return run->count[c->semaphore] == 0;
  return c->change > 0 || run->count[c->semaphore] > 0;
}

/* Would read k, run now, be preserved? */
static bool
run_accepts (const omen_linear *run, uint32_t k)
{
  const omen_problem *p = run->s->p;
  const omen_node_access *read = &p->accesses.data[k];
  uint32_t last = run->last_write[read->atom], gives;
  if (run->tainted[read->atom])
    return false;
  if (last == p->saw_access[k])
    return true;
  if (read->want == OMEN_NONE)
    return false;
  gives = last == OMEN_PAST ? p->past_value[read->atom]
                            : p->accesses.data[last].gives;
  return gives == read->want;
}

static bool
sees_right (const omen_linear *run, uint32_t k)
{
  const omen_node_access *read = &run->s->p->accesses.data[k];
  if (run->s->writer[k] != OMEN_NONE)
    return run->last_write[read->atom] == run->s->writer[k];
  return !run->s->active[read->node] || run_accepts (run, k);
}

static uint32_t
count_pending (omen_linear *run, uint32_t atom)
{
  const omen_state *s = run->s;
  uint32_t last = run->last_write[atom], count = 0;
  if (run->pending[atom] == OMEN_NONE) {
    for (uint32_t k
         = last == OMEN_PAST ? s->past_head[atom] : s->reader_head[last];
         k != OMEN_NONE; k = s->reader_next[k])
      count++;
    run->pending[atom] = count;
  }
  return run->pending[atom];
}

/* No read is waiting for what this write would overwrite. */
static bool
may_write (omen_linear *run, uint32_t k)
{
  const omen_node_access *write = &run->s->p->accesses.data[k];
  uint32_t own
      = write->reads && run->s->writer[k] == run->last_write[write->atom];
  return count_pending (run, write->atom) <= own;
}

/* True if no rule blocks the node; else the choices that could change that are
   appended. */
static bool
may_run (omen_linear *run, omen_node n, omen_choices *choices)
{
  const omen_problem *p = run->s->p;
  if (!section_free (run, n)) {
    if (choices)
      omen_choices_section (run, n, choices);
    return false;
  }
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++) {
    if (p->accesses.data[k].reads && !sees_right (run, k)) {
      if (choices)
        omen_choices_read (run, k, choices);
      return false;
    }
    if (p->accesses.data[k].writes && !may_write (run, k)) {
      if (choices)
        omen_choices_write (run, k, choices);
      return false;
    }
  }
  if (!inside_held (run, n)) {
    if (choices)
      omen_choices_inside (run, n, choices);
    return false;
  }
  if (!need_served (run, n)) {
    if (choices)
      omen_choices_need (run->s, p->need_of[n], choices);
    return false;
  }
  if (!count_fits (run, n)) {
    if (choices)
      omen_choices_count (run, n, choices);
    return false;
  }
  return true;
}

/* ---- running it ---- */

/* Would all reads of the node be preserved? */
static bool
reads_right (const omen_linear *run, omen_node n)
{
  const omen_problem *p = run->s->p;
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    if (p->accesses.data[k].reads && !run_accepts (run, k))
      return false;
  return true;
}

/* `right`: its reads are preserved, so that an rmw writes what it wrote in the
   trace. */
static void
run_access (omen_linear *run, uint32_t k, bool right)
{
  const omen_node_access *a = &run->s->p->accesses.data[k];
  if (a->reads && run->s->writer[k] != OMEN_NONE) {
    OMEN_ASSERT (count_pending (run, a->atom) > 0);
    run->pending[a->atom]--;
  }
  if (a->writes) {
    run->last_write[a->atom] = k;
    run->tainted[a->atom] = !right;
    run->pending[a->atom] = OMEN_NONE;
  }
}

static void
run_node (omen_linear *run, omen_node n)
{
  const omen_problem *p = run->s->p;
  bool right = reads_right (run, n);
  OMEN_ASSERT (p->index_of[n] == run->done[p->chain_of[n]]);
  run->place[n] = (uint32_t)run->sequence.count;
  if (p->need_of[n] != OMEN_NONE) {
    bool served = omen_run_serve (run, p->need_of[n]);
    OMEN_ASSERT (served);
  }
  for (uint32_t k = p->access_first[n]; k < p->access_first[n + 1]; k++)
    run_access (run, k, right);
  if (p->end_of[n] != OMEN_NONE)
    end_section (run, p->end_of[n]);
  if (p->start_of[n] != OMEN_NONE
      && omen_section_counts (run->s, p->start_of[n]))
    start_section (run, p->start_of[n]);
  if (p->count_of[n] != OMEN_NONE) {
    const omen_count *c = &p->counts.data[p->count_of[n]];
    run->count[c->semaphore] += c->change;
    OMEN_ASSERT (run->count[c->semaphore] >= 0);
  }
  OMEN_VEC_PUSH (run->sequence, n);
  run->done[p->chain_of[n]]++;
}

static bool
ready (const omen_linear *run, omen_node n)
{
  const uint32_t *row = omen_row (run->s, n);
  for (uint32_t c = 0; c < run->s->p->chains; c++)
    if (row[c] > run->done[c])
      return false;
  return true;
}

/* The least node, not below `from`, that is next in its chain; OMEN_NONE. */
static omen_node
next_from (const omen_linear *run, omen_node from)
{
  const omen_problem *p = run->s->p;
  omen_node least = OMEN_NONE;
  for (uint32_t c = 0; c < p->chains; c++)
    if (run->done[c] < run->s->cut[c]) {
      omen_node n = omen_problem_node (p, c, run->done[c]);
      if (n < least && n >= from)
        least = n;
    }
  return least;
}

/* Run the least node that may run. False: none may. */
static bool
run_least_node (omen_linear *run)
{
  for (omen_node n = next_from (run, 0); n != OMEN_NONE;
       n = next_from (run, n + 1))
    if (ready (run, n) && may_run (run, n, NULL)) {
      run_node (run, n);
      return true;
    }
  return false;
}

static void
explain (omen_linear *run, omen_choices *choices)
{
  for (omen_node n = next_from (run, 0); n != OMEN_NONE;
       n = next_from (run, n + 1))
    if (ready (run, n)) {
      bool free = may_run (run, n, choices);
      OMEN_ASSERT (!free);
      return;
    }
  OMEN_ASSERT (!"an acyclic order has a node without predecessors");
}

bool
omen_run_try (omen_linear *run, omen_choices *choices)
{
  uint32_t left = 0;
  reset (run);
  for (uint32_t c = 0; c < run->s->p->chains; c++)
    left += run->s->cut[c];
  while (left && run_least_node (run))
    left--;
  if (left)
    explain (run, choices);
  return !left;
}
