/* pattern: as in GPredict. Other events may come between the steps of a
   pattern, except between the two of `||`. */
#include "monitor/table.h"
#include "spec/graph.h"
#include "spec/pattern.h"

#include <string.h>

static const void *
parse_pattern (omen_parser *parser)
{
  return omen_pattern_parse (parser);
}

static void
write_formula (const void *formula, omen_writing *out)
{
  const omen_pattern *p = formula;
  for (uint32_t i = 0; i < p->written_count; i++)
    OMEN_VEC_PUSH (out->nodes, p->written[i]);
}

/* ---- to a machine ---- */

static void
add_waiting (omen_graph *g, uint32_t at, uint32_t events)
{
  for (uint32_t e = 0; e < events; e++) {
    omen_automaton_edge waits = { at, e, at };
    OMEN_VEC_PUSH (g->edges, waits);
  }
}

/* Add a step as an edge; if matches reset, one that ends a match leads back to
   the start, too. */
static void
add_step (omen_graph *g, const omen_pattern_plain *q, const omen_building *b,
          uint32_t from, size_t edge)
{
  omen_automaton_edge e
      = { from, q->edges.data[edge].step.event, q->edges.data[edge].to };
  OMEN_ASSERT (e.from < g->states && e.to < g->states);
  OMEN_VEC_PUSH (g->edges, e);
  if (b->resets && q->flags.data[e.to] & OMEN_THREADS_END) {
    e.to = g->start;
    OMEN_VEC_PUSH (g->edges, e);
  }
}

/* One graph for all alternatives and parts, with a start before them. */
static void
graph_of (const omen_pattern_plain *q, const omen_building *b, omen_graph *g)
{
  const omen_pattern *p = q->p;
  uint32_t events = (uint32_t)b->property->events.count;
  omen_graph_init (g, p->node_count + 1, p->node_count);
  add_waiting (g, g->start, events);
  for (uint32_t n = 0; n < p->node_count; n++) {
    g->goal[n] = (q->flags.data[n] & OMEN_THREADS_END) != 0;
    if (q->flags.data[n] & OMEN_THREADS_WAITS)
      add_waiting (g, n, events);
  }
  for (size_t i = 0; i < q->edges.count; i++)
    add_step (g, q, b, q->edges.data[i].from, i);
  for (uint32_t a = 0; a < p->alternatives * OMEN_THREADS_PARTS_MAX; a++) {
    uint32_t start = p->starts[a];
    for (uint32_t i = start == OMEN_NONE ? 0 : q->first.data[start];
         start != OMEN_NONE && i < q->first.data[start + 1]; i++)
      add_step (g, q, b, g->start, i);
  }
}

static void
region_events (const omen_pattern_plain *q, bool ends, uint32_t set[2])
{
  set[0] = set[1] = 0;
  for (size_t i = 0; i < q->edges.count; i++) {
    const omen_pattern_step *a = &q->edges.data[i].step;
    if (a->region != OMEN_NONE && a->region % 2 == ends)
      set[a->event / 32] |= 1u << a->event % 32;
  }
}

static void
put_head (const omen_pattern_plain *q, const omen_building *b, omen_ids *words)
{
  const omen_pattern *p = q->p;
  uint32_t head[OMEN_THREADS_FIRST] = {
    [OMEN_THREADS_EVENTS] = (uint32_t)b->property->events.count,
    [OMEN_THREADS_PARAMETERS] = (uint32_t)b->property->parameters.count,
    [OMEN_THREADS_MATCH] = (1u << b->goal_count) - 1,
    [OMEN_THREADS_ALTERNATIVES] = p->alternatives,
    [OMEN_THREADS_PARTS] = p->parts,
    [OMEN_THREADS_NODES] = p->node_count,
    [OMEN_THREADS_EDGES] = (uint32_t)q->edges.count,
    [OMEN_THREADS_NAMES] = p->names,
    [OMEN_THREADS_REGIONS] = p->regions,
  };
  region_events (q, false, head + OMEN_THREADS_BEGINS);
  region_events (q, true, head + OMEN_THREADS_ENDS);
  for (size_t i = 0; i < OMEN_COUNT (head); i++)
    OMEN_VEC_PUSH (*words, head[i]);
  for (uint32_t a = 0; a < p->alternatives; a++)
    for (uint32_t i = 0; i < p->parts; i++)
      OMEN_VEC_PUSH (*words, p->starts[a * OMEN_THREADS_PARTS_MAX + i]);
}

static void
put_graph (const omen_pattern_plain *q, omen_ids *words)
{
  for (uint32_t n = 0; n < q->p->node_count; n++) {
    OMEN_VEC_PUSH (*words, q->first.data[n]);
    OMEN_VEC_PUSH (*words, q->flags.data[n]);
  }
  for (size_t i = 0; i < q->edges.count; i++) {
    const omen_pattern_edge *e = &q->edges.data[i];
    OMEN_VEC_PUSH (*words, e->step.event);
    OMEN_VEC_PUSH (*words, e->step.thread);
    OMEN_VEC_PUSH (*words, e->step.region);
    OMEN_VEC_PUSH (*words, e->to);
  }
}

static void
put_lands (const omen_graph *g, const omen_building *b,
           const omen_property_event *events, omen_ids *words)
{
  uint32_t parameters = (uint32_t)b->property->parameters.count;
  uint32_t row = omen_lands_words (parameters);
  uint32_t *lands = omen_zalloc ((size_t)g->states * row, sizeof *lands);
  omen_graph_lands (g, events, parameters, lands);
  for (uint32_t i = 0; i < (g->states - 1) * row; i++)
    OMEN_VEC_PUSH (*words, lands[i]);
  omen_free (lands);
}

static bool
pattern_machine (const omen_building *b, omen_built *built)
{
  const omen_pattern *p = b->formula->formula;
  uint32_t count = (uint32_t)b->property->events.count;
  omen_property_event events[OMEN_EVENTS_MAX] = { { 0 } };
  omen_graph g;
  omen_pattern_plain q;
  for (uint32_t e = 0; e < count; e++)
    events[e].binds = b->property->events.data[e].binds;
  omen_pattern_plain_init (&q, p);
  graph_of (&q, b, &g);
  put_head (&q, b, &built->words);
  put_graph (&q, &built->words);
  put_lands (&g, b, events, &built->words);
  built->engine = &omen_engine_threads;
  omen_graph_enable (&g, events, count, &built->creation, built->sources, NULL);
  if (p->parts > 1) { /* events of the other parts may come before, and bind */
    uint64_t creation = built->creation;
    omen_built_generous (built, b);
    built->creation = creation;
  }
  omen_graph_fini (&g);
  omen_pattern_plain_fini (&q);
  return true;
}

static bool
has_category (const void *formula, const char *category)
{
  (void)formula;
  return !strcmp (category, "match");
}

static void
draw_pattern (const omen_building *b, const char *prefix, FILE *out)
{
  const omen_pattern *p = b->formula->formula;
  omen_pattern_plain q;
  omen_pattern_plain_init (&q, p);
  for (uint32_t n = 0; n < p->node_count; n++)
    fprintf (out, "    %s_%u [label=\"\"%s];\n", prefix, n,
             q.flags.data[n] & OMEN_THREADS_END ? ", shape=doublecircle" : "");
  for (size_t i = 0; i < q.edges.count; i++) {
    const omen_pattern_edge *e = &q.edges.data[i];
    fprintf (out, "    %s_%u -> %s_%u [label=\"%s", prefix, e->from, prefix,
             e->to, b->property->events.data[e->step.event].name);
    if (e->step.thread != OMEN_NONE)
      fprintf (out, " t%u", e->step.thread + 1);
    if (e->step.region != OMEN_NONE)
      fprintf (out, " %cr%u", e->step.region % 2 ? '>' : '<',
               e->step.region / 2 + 1);
    fputs ("\"];\n", out);
  }
  omen_pattern_plain_fini (&q);
}

const omen_logic omen_logic_pattern = {
  .name = "pattern",
  .categories = "match",
  .about = "match",
  .parse = parse_pattern,
  .write = write_formula,
  .has_category = has_category,
  .machine = pattern_machine,
  .draw = draw_pattern,
};
