#include "spec/graph.h"
#include "monitor/table.h"

#include <string.h>

void
omen_graph_init (omen_graph *graph, uint32_t states, uint32_t start)
{
  *graph = (omen_graph){ .states = states, .start = start };
  OMEN_REQUIRE (start < states);
  graph->goal = omen_zalloc (states, 1);
}

void
omen_graph_fini (omen_graph *graph)
{
  OMEN_VEC_FINI (graph->edges);
  omen_free (graph->goal);
}

/* Edges grouped by one of their ends. */
typedef struct sorted {
  uint32_t *first; /* by state, and one more */
  uint32_t *edge;
} sorted;

static uint32_t
end_of_edge (const omen_automaton_edge *edge, bool backwards)
{
  return backwards ? edge->to : edge->from;
}

static sorted
sort (const omen_graph *g, bool backwards)
{
  sorted s = { omen_zalloc (g->states + 2, sizeof (uint32_t)),
               omen_zalloc (g->edges.count + 1, sizeof (uint32_t)) };
  for (size_t i = 0; i < g->edges.count; i++) {
    OMEN_ASSERT (end_of_edge (&g->edges.data[i], backwards) < g->states);
    s.first[end_of_edge (&g->edges.data[i], backwards) + 2]++;
  }
  for (uint32_t i = 0; i < g->states; i++)
    s.first[i + 2] += s.first[i + 1];
  for (size_t i = 0; i < g->edges.count; i++)
    s.edge[s.first[end_of_edge (&g->edges.data[i], backwards) + 1]++]
        = (uint32_t)i;
  OMEN_ASSERT (s.first[g->states] == g->edges.count);
  return s;
}

static void
sorted_fini (sorted *s)
{
  omen_free (s->first);
  omen_free (s->edge);
}

/* into[s]: a non-empty path from s to a goal, on edges whose events bind
   nothing of `dead`. `todo` has room for all states. */
static void
reach_back (const omen_graph *g, const sorted *back,
            const omen_property_event *events, uint32_t dead, uint8_t *into,
            uint32_t *todo)
{
  uint32_t count = 0;
  uint8_t *seen = omen_zalloc (g->states + 1, 1);
  memset (into, 0, g->states);
  for (uint32_t s = 0; s < g->states; s++)
    if (g->goal[s]) {
      todo[count++] = s;
      seen[s] = 1;
    }
  while (count) {
    uint32_t at = todo[--count];
    for (uint32_t i = back->first[at]; i < back->first[at + 1]; i++) {
      const omen_automaton_edge *edge = &g->edges.data[back->edge[i]];
      if (events[edge->event].binds & dead)
        continue;
      into[edge->from] = 1;
      if (!seen[edge->from]) {
        seen[edge->from] = 1;
        OMEN_ASSERT (count < g->states);
        todo[count++] = edge->from;
      }
    }
  }
  omen_free (seen);
}

void
omen_graph_lands (const omen_graph *g, const omen_property_event *events,
                  uint32_t parameters, uint32_t *lands)
{
  sorted back = sort (g, true);
  uint32_t row = omen_lands_words (parameters);
  uint8_t *into = omen_zalloc (g->states + 1, 1);
  uint32_t *todo = omen_zalloc (g->states + 1, sizeof *todo);
  OMEN_REQUIRE (parameters <= OMEN_PARAMETERS_MAX);
  memset (lands, 0, (size_t)g->states * row * sizeof *lands);
  for (uint32_t dead = 0; dead < 1u << parameters; dead++) {
    reach_back (g, &back, events, dead, into, todo);
    for (uint32_t s = 0; s < g->states; s++)
      if (into[s])
        lands[(size_t)s * row + dead / 32] |= 1u << dead % 32;
  }
  omen_free (todo);
  omen_free (into);
  sorted_fini (&back);
}

/* ---- enable sets ---- */

typedef struct walk {
  const omen_graph *g;
  const omen_property_event *events;
  sorted out;
  uint8_t *hopeful;   /* in a goal, or one can be reached */
  omen_family *bound; /* by state: what words up to it may have bound */
  OMEN_VEC (omen_automaton_edge)
  todo; /* from: state, event: set of parameters */
} walk;

static void
visit_state (walk *w, uint32_t state, uint32_t set)
{
  omen_automaton_edge job = { state, set, 0 };
  OMEN_ASSERT (set < 1u << OMEN_PARAMETERS_MAX);
  if (omen_family_add (&w->bound[state], set))
    OMEN_VEC_PUSH (w->todo, job);
}

static void
creation_events (const walk *w, uint64_t *creation)
{
  const omen_graph *g = w->g;
  for (uint32_t i = w->out.first[g->start]; i < w->out.first[g->start + 1];
       i++) {
    const omen_automaton_edge *edge = &g->edges.data[w->out.edge[i]];
    bool stays = edge->to == g->start && !g->goal[g->start];
    if (w->hopeful[edge->to] && !stays)
      *creation |= (uint64_t)1 << edge->event;
  }
}

/* After the walk: what may have been bound before each event. */
static void
collect_sources (const walk *w, omen_family *sources)
{
  for (size_t i = 0; i < w->g->edges.count; i++) {
    const omen_automaton_edge *edge = &w->g->edges.data[i];
    if (w->hopeful[edge->to])
      omen_family_join (&sources[edge->event], &w->bound[edge->from]);
  }
}

static void
begin_walk (walk *w, uint64_t creation)
{
  const omen_graph *g = w->g;
  for (uint32_t i = w->out.first[g->start]; i < w->out.first[g->start + 1];
       i++) {
    const omen_automaton_edge *edge = &g->edges.data[w->out.edge[i]];
    if (creation >> edge->event & 1)
      visit_state (w, edge->to, w->events[edge->event].binds);
  }
}

/* ---- idle events ---- */

#define IDLE_STATES_MAX 64 /* larger graphs are not searched */

/* The sets for which no edge of the event changes the state or reaches a
   goal. */
static omen_family
idle_sets (const walk *w, uint32_t event)
{
  omen_family moved = { { 0 } }, idle = { { 0 } };
  for (size_t i = 0; i < w->g->edges.count; i++) {
    const omen_automaton_edge *edge = &w->g->edges.data[i];
    if (edge->event == event
        && (edge->to != edge->from || w->g->goal[edge->from]))
      omen_family_join (&moved, &w->bound[edge->from]);
  }
  for (uint32_t set = 0; set < 1u << OMEN_PARAMETERS_MAX; set++) {
    uint32_t part = set;
    while (part && !omen_family_has (&moved, part))
      part = (part - 1) & set;
    if (!omen_family_has (&moved, part))
      omen_family_add (&idle, set);
  }
  return idle;
}

/* Can states reached by words of `set` reach a goal by edges to other states,
   none of whose events bind all of `new`? */
static bool
lands_before (const walk *w, uint32_t set, uint32_t new)
{
  const omen_graph *g = w->g;
  uint64_t seen = 0, before = 0;
  OMEN_ASSERT (g->states <= IDLE_STATES_MAX);
  for (uint32_t s = 0; s < g->states; s++)
    if (omen_family_has (&w->bound[s], set))
      seen |= (uint64_t)1 << s;
  while (seen != before) {
    before = seen;
    for (size_t i = 0; i < g->edges.count; i++) {
      const omen_automaton_edge *edge = &g->edges.data[i];
      if (seen >> edge->from & 1 && edge->to != edge->from
          && new & ~w->events[edge->event].binds)
        seen |= (uint64_t)1 << edge->to;
    }
  }
  for (uint32_t s = 0; s < g->states; s++)
    if (seen >> s & 1 && g->goal[s])
      return true;
  return false;
}

/* Is the event idle for the set and for all larger ones that lack some of what
   it binds? Instances of the set may be extended before it comes. */
static bool
stays_idle (const walk *w, const omen_family *idle, uint32_t binds,
            uint32_t set)
{
  for (uint32_t s = 0; s < w->g->states; s++)
    for (uint32_t larger = set; larger < 1u << OMEN_PARAMETERS_MAX; larger++)
      if (!(set & ~larger) && binds & ~larger
          && omen_family_has (&w->bound[s], larger)
          && !omen_family_has (idle, larger))
        return false;
  return true;
}

/* Events that bind the same are idle for the same sets, or for none: slicers do
   not record which of them came. */
static void
find_idle (const walk *w, uint32_t count, omen_family *sources,
           omen_family *idle)
{
  memset (idle, 0, count * sizeof *idle);
  if (w->g->states > IDLE_STATES_MAX)
    return;
  for (uint32_t e = 0; e < count; e++) {
    idle[e] = idle_sets (w, e);
    for (uint32_t f = 0; f < count; f++) {
      omen_family other = idle_sets (w, f);
      if (w->events[f].binds == w->events[e].binds)
        for (size_t i = 0; i < OMEN_COUNT (other.bits); i++)
          idle[e].bits[i] &= other.bits[i];
    }
  }
  for (uint32_t e = 0; e < count; e++)
    for (uint32_t set = 0; set < 1u << OMEN_PARAMETERS_MAX; set++)
      if (omen_family_has (&sources[e], set) && omen_family_has (&idle[e], set)
          && stays_idle (w, &idle[e], w->events[e].binds, set)
          && !lands_before (w, set, w->events[e].binds & ~set))
        sources[e].bits[set / 64] &= ~((uint64_t)1 << set % 64);
}

void
omen_graph_enable (const omen_graph *g, const omen_property_event *events,
                   uint32_t count, uint64_t *creation, omen_family *sources,
                   omen_family *idle)
{
  sorted back = sort (g, true);
  walk w = { .g = g, .events = events, .out = sort (g, false) };
  uint32_t *todo = omen_zalloc (g->states + 1, sizeof *todo);
  OMEN_REQUIRE (count <= OMEN_EVENTS_MAX);
  w.hopeful = omen_zalloc (g->states + 1, 1);
  w.bound = omen_zalloc (g->states + 1, sizeof *w.bound);
  memset (sources, 0, count * sizeof *sources);
  reach_back (g, &back, events, 0, w.hopeful, todo);
  for (uint32_t s = 0; s < g->states; s++)
    w.hopeful[s] |= g->goal[s];
  if (!*creation)
    creation_events (&w, creation);
  begin_walk (&w, *creation);
  while (w.todo.count) {
    omen_automaton_edge job = OMEN_VEC_POP (w.todo);
    for (uint32_t i = w.out.first[job.from]; i < w.out.first[job.from + 1];
         i++) {
      const omen_automaton_edge *edge = &g->edges.data[w.out.edge[i]];
      visit_state (&w, edge->to, job.event | events[edge->event].binds);
    }
  }
  collect_sources (&w, sources);
  if (idle)
    find_idle (&w, count, sources, idle);
  OMEN_VEC_FINI (w.todo);
  omen_free (w.bound);
  omen_free (w.hopeful);
  omen_free (todo);
  sorted_fini (&w.out);
  sorted_fini (&back);
}
