/* pattern: a(t1) b(t2), a(t1) || b(t2), begin(t1,<r1) … end(t1,>r1), !( … ),
   and, or, quantifiers. Other events may stand between the steps of a pattern,
   except between the two of `||`. */
#include "monitor/table.h"
#include "monitor/threads.h"
#include "spec/graph.h"
#include "spec/logic.h"

#include <string.h>

#define NODES_MAX 2000
#define NEGATED_MAX 8 /* steps in !( … ) */

/* A step: an event, by whom, and what happens to a region. */
typedef struct atom {
  uint32_t event, thread, region;
} atom;

typedef struct edge {
  uint32_t from, to;
  atom atom;
  bool empty; /* takes no event */
} edge;

typedef struct pattern {
  uint32_t *nodes; /* flags */
  edge *edges;
  uint32_t *starts; /* alternatives x OMEN_THREADS_PARTS_MAX */
  uint32_t node_count, edge_count, alternatives, parts, names, regions;
} pattern;

typedef struct reader {
  omen_parser *parser;
  omen_ids nodes;
  OMEN_VEC (edge) edges;
  omen_ids starts;
  uint32_t parts;
  OMEN_VEC (const char *) names, regions;
  uint8_t seen_begin[OMEN_THREADS_REGIONS_MAX];
  bool quantified; /* something below has * + or ? */
} reader;

static uint32_t
node (reader *r, uint32_t flags)
{
  OMEN_VEC_PUSH (r->nodes, flags);
  return (uint32_t)r->nodes.count - 1;
}

static void
link (reader *r, uint32_t from, const atom *a, uint32_t to)
{
  edge added = { .from = from, .to = to, .empty = !a };
  if (a)
    added.atom = *a;
  OMEN_VEC_PUSH (r->edges, added);
}

/* ---- one step ---- */

/* The number of a name in its list, added if new; OMEN_NONE: too many. */
static uint32_t
number (reader *r, bool region, const char *name)
{
  uint32_t count
      = (uint32_t)(region ? r->regions.count : r->names.count);
  for (uint32_t i = 0; i < count; i++)
    if (!strcmp (region ? r->regions.data[i] : r->names.data[i], name))
      return i;
  if (count == (region ? OMEN_THREADS_REGIONS_MAX : OMEN_THREADS_NAMES_MAX))
    return OMEN_NONE;
  if (region)
    OMEN_VEC_PUSH (r->regions, name);
  else
    OMEN_VEC_PUSH (r->names, name);
  return count;
}

static bool
region (reader *r, atom *a)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t at = lexer->at;
  bool ends = omen_lex_take (lexer, ">");
  const char *name;
  uint32_t n;
  if (!ends && !omen_lex_take (lexer, "<"))
    return omen_lex_expected (lexer, "'<' or '>' and the name of a region");
  if (!omen_lex_name (lexer, &r->parser->spec->arena, "the name of a region",
                      &name))
    return false;
  n = number (r, true, name);
  if (n == OMEN_NONE)
    return omen_lex_fail (lexer, at, "more than %d regions",
                          OMEN_THREADS_REGIONS_MAX);
  if (ends && !r->seen_begin[n])
    return omen_lex_fail (lexer, at, "region '%s' ends before it begins", name);
  r->seen_begin[n] |= !ends;
  a->region = 2 * n + ends;
  return true;
}

static bool
step (reader *r, atom *a)
{
  omen_lexer *lexer = &r->parser->lexer;
  const char *name;
  *a = (atom){ 0, OMEN_NONE, OMEN_NONE };
  if (!omen_parse_event_name (r->parser, &a->event))
    return false;
  if (!omen_lex_take (lexer, "("))
    return true;
  if (lexer->token == OMEN_TOKEN_NAME) {
    size_t at = lexer->at;
    if (!omen_lex_name (lexer, &r->parser->spec->arena, "a thread", &name))
      return false;
    a->thread = number (r, false, name);
    if (a->thread == OMEN_NONE)
      return omen_lex_fail (lexer, at, "more than %d threads",
                            OMEN_THREADS_NAMES_MAX);
    if (omen_lex_take (lexer, ",") && !region (r, a))
      return false;
  } else if (!region (r, a))
    return false;
  return omen_lex_want (lexer, ")", "')' after the thread or region");
}

/* ---- sequences ---- */

static bool alternatives (reader *r, uint32_t from, uint32_t to);

/* One right after the other, in either order. */
static void
parallel (reader *r, uint32_t from, const atom *a, const atom *b, uint32_t to)
{
  uint32_t after_a = node (r, 0), after_b = node (r, 0);
  link (r, from, a, after_a);
  link (r, after_a, b, to);
  link (r, from, b, after_b);
  link (r, after_b, a, to);
}

static bool
same_atom (const atom *a, const atom *b)
{
  return a->event == b->event && a->thread == b->thread
         && a->region == b->region;
}

/* All of them, in every order but the written one: a node for each set of steps
   taken, and whether they were taken in order so far. Of equal steps the first
   comes first. */
static void
disorder (reader *r, uint32_t from, const atom *atoms, uint32_t count,
          uint32_t to)
{
  uint32_t all = (1u << count) - 1;
  uint32_t nodes[2][1 << NEGATED_MAX];
  for (uint32_t set = 0; set <= all; set++)
    for (int ordered = 0; ordered < 2; ordered++)
      nodes[ordered][set] = set == 0 ? from
                            : set == all && !ordered
                                ? to
                                : node (r, OMEN_THREADS_WAITS);
  for (uint32_t set = 0; set < all; set++)
    for (int ordered = set == 0; ordered < 2; ordered++)
      for (uint32_t i = 0; i < count; i++) {
        bool free = !(set >> i & 1);
        bool next = ordered && set == (1u << i) - 1;
        for (uint32_t j = 0; j < i; j++)
          free &= set >> j & 1 || !same_atom (&atoms[i], &atoms[j]);
        if (free && !(ordered && set & (set + 1)))
          link (r, nodes[ordered][set], &atoms[i], nodes[next][set | 1u << i]);
      }
}

static bool
negated (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  atom atoms[NEGATED_MAX];
  uint32_t count = 0;
  if (!omen_lex_want (lexer, "(", "'(' after '!'"))
    return false;
  do {
    if (count == NEGATED_MAX)
      return omen_lex_fail (lexer, lexer->at, "more than %d steps in '!( … )'",
                            NEGATED_MAX);
    if (!step (r, &atoms[count++]))
      return false;
  } while (lexer->token == OMEN_TOKEN_NAME);
  if (!omen_lex_want (lexer, ")", "another event or ')' in '!( … )'"))
    return false;
  if (count == 1)
    return omen_lex_fail (lexer, lexer->at,
                          "one event cannot come in another order");
  disorder (r, from, atoms, count, to);
  return true;
}

static bool
unit (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  atom a, b;
  bool good;
  if (omen_lex_take (lexer, "!"))
    return negated (r, from, to);
  if (omen_lex_take (lexer, "(")) {
    good = omen_lex_deeper (lexer) && alternatives (r, from, to)
           && omen_lex_want (lexer, ")", "')' in the pattern");
    lexer->depth--;
    return good;
  }
  if (!step (r, &a))
    return false;
  if (!omen_lex_take (lexer, "||")) {
    link (r, from, &a, to);
    return true;
  }
  if (!step (r, &b))
    return false;
  if (omen_lex_is (lexer, "||"))
    return omen_lex_expected (lexer, "two events, no more, with '||'");
  parallel (r, from, &a, &b, to);
  return true;
}

static bool
item (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t in = node (r, OMEN_THREADS_WAITS), out = node (r, OMEN_THREADS_WAITS);
  link (r, from, NULL, in);
  link (r, out, NULL, to);
  if (!unit (r, in, out))
    return false;
  if (omen_lex_take (lexer, "?"))
    link (r, in, NULL, out);
  else if (omen_lex_take (lexer, "+"))
    link (r, out, NULL, in);
  else if (omen_lex_take (lexer, "*")) {
    link (r, in, NULL, out);
    link (r, out, NULL, in);
  }
  return r->nodes.count <= NODES_MAX
         || omen_lex_fail (lexer, lexer->at, "a pattern with more than %d nodes",
                           NODES_MAX);
}

static bool
goes_on (const omen_lexer *lexer)
{
  if (omen_lex_is (lexer, "and") || omen_lex_is (lexer, "or"))
    return false;
  if (lexer->token == OMEN_TOKEN_NAME)
    return !omen_at_formula (lexer);
  return omen_lex_is (lexer, "(") || omen_lex_is (lexer, "!");
}

static bool
sequence (reader *r, uint32_t from, uint32_t to)
{
  uint32_t at = from;
  do {
    uint32_t next = node (r, OMEN_THREADS_WAITS);
    if (!item (r, at, next))
      return false;
    at = next;
  } while (goes_on (&r->parser->lexer));
  link (r, at, NULL, to);
  return true;
}

static bool
take_or (omen_lexer *lexer)
{
  return omen_lex_take (lexer, "or")
         || (!omen_lex_is (lexer, "||") && omen_lex_take (lexer, "|"));
}

static bool
alternatives (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  do
    if (!sequence (r, from, to))
      return false;
  while (take_or (lexer));
  return !omen_lex_is (lexer, "and")
         || omen_lex_fail (lexer, lexer->at,
                           "'and' joins whole patterns, not parts of one");
}

/* ---- the whole ---- */

static bool
conjunction (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t parts = 0, starts[OMEN_THREADS_PARTS_MAX];
  do {
    uint32_t end;
    if (parts == OMEN_THREADS_PARTS_MAX)
      return omen_lex_fail (lexer, lexer->at,
                            "more than %d patterns joined by 'and'",
                            OMEN_THREADS_PARTS_MAX);
    starts[parts] = node (r, OMEN_THREADS_WAITS);
    end = node (r, OMEN_THREADS_END);
    if (!sequence (r, starts[parts++], end))
      return false;
  } while (omen_lex_take (lexer, "and"));
  for (uint32_t i = 0; i < OMEN_THREADS_PARTS_MAX; i++)
    OMEN_VEC_PUSH (r->starts, i < parts ? starts[i] : OMEN_NONE);
  r->parts = parts > r->parts ? parts : r->parts;
  return true;
}

static const pattern *
finished (const reader *r)
{
  omen_arena *arena = &r->parser->spec->arena;
  pattern *p = OMEN_ARENA_NEW (arena, pattern, 1);
  p->node_count = (uint32_t)r->nodes.count;
  p->edge_count = (uint32_t)r->edges.count;
  p->alternatives = (uint32_t)r->starts.count / OMEN_THREADS_PARTS_MAX;
  p->parts = r->parts;
  p->names = (uint32_t)r->names.count;
  p->regions = (uint32_t)r->regions.count;
  p->nodes = OMEN_ARENA_NEW (arena, uint32_t, p->node_count);
  p->edges = OMEN_ARENA_NEW (arena, edge, p->edge_count);
  p->starts = OMEN_ARENA_NEW (arena, uint32_t, r->starts.count);
  memcpy (p->nodes, r->nodes.data, p->node_count * sizeof *p->nodes);
  memcpy (p->edges, r->edges.data, p->edge_count * sizeof *p->edges);
  memcpy (p->starts, r->starts.data, r->starts.count * sizeof *p->starts);
  return p;
}

static const void *
parse (omen_parser *parser)
{
  reader r = { .parser = parser };
  const pattern *p = NULL;
  bool good;
  do
    good = conjunction (&r);
  while (good && take_or (&parser->lexer));
  if (good)
    p = finished (&r);
  OMEN_VEC_FINI (r.nodes);
  OMEN_VEC_FINI (r.edges);
  OMEN_VEC_FINI (r.starts);
  OMEN_VEC_FINI (r.names);
  OMEN_VEC_FINI (r.regions);
  return p;
}

/* ---- without empty edges ---- */

typedef struct plain {
  const pattern *p;
  OMEN_VEC (edge) edges; /* by node they leave */
  omen_ids first;        /* by node, and one more */
  omen_ids flags;
} plain;

/* What a node comes to without an event: all its edges are this node's. */
static void
gather (plain *out, uint32_t from, uint8_t *seen, omen_ids *todo)
{
  const pattern *p = out->p;
  memset (seen, 0, p->node_count);
  OMEN_VEC_CLEAR (*todo);
  OMEN_VEC_PUSH (*todo, from);
  seen[from] = 1;
  while (todo->count) {
    uint32_t at = OMEN_VEC_POP (*todo);
    out->flags.data[from] |= p->nodes[at] & OMEN_THREADS_END;
    for (uint32_t i = 0; i < p->edge_count; i++) {
      edge e = p->edges[i];
      if (e.from != at)
        continue;
      if (!e.empty) {
        e.from = from;
        OMEN_VEC_PUSH (out->edges, e);
      } else if (!seen[e.to]) {
        seen[e.to] = 1;
        OMEN_VEC_PUSH (*todo, e.to);
      }
    }
  }
}

static void
plain_init (plain *out, const pattern *p)
{
  uint8_t *seen = omen_zalloc (p->node_count, 1);
  omen_ids todo = { 0 };
  *out = (plain){ .p = p };
  for (uint32_t n = 0; n < p->node_count; n++)
    OMEN_VEC_PUSH (out->flags, p->nodes[n]);
  for (uint32_t n = 0; n < p->node_count; n++) {
    OMEN_VEC_PUSH (out->first, (uint32_t)out->edges.count);
    gather (out, n, seen, &todo);
  }
  OMEN_VEC_PUSH (out->first, (uint32_t)out->edges.count);
  OMEN_VEC_FINI (todo);
  omen_free (seen);
}

static void
plain_fini (plain *out)
{
  OMEN_VEC_FINI (out->edges);
  OMEN_VEC_FINI (out->first);
  OMEN_VEC_FINI (out->flags);
}

/* ---- to a machine ---- */

static void
add_waiting (omen_graph *g, uint32_t at, uint32_t events)
{
  for (uint32_t e = 0; e < events; e++) {
    omen_edge waits = { at, e, at };
    OMEN_VEC_PUSH (g->edges, waits);
  }
}

/* One graph for all alternatives and parts, with a start before them, which a
   match may lead back to. */
static void
graph_of (const plain *q, const omen_building *b, omen_graph *g)
{
  const pattern *p = q->p;
  uint32_t events = (uint32_t)b->property->events.count;
  omen_graph_init (g, p->node_count + 1, p->node_count);
  add_waiting (g, g->start, events);
  for (uint32_t n = 0; n < p->node_count; n++) {
    g->goal[n] = (q->flags.data[n] & OMEN_THREADS_END) != 0;
    if (q->flags.data[n] & OMEN_THREADS_WAITS)
      add_waiting (g, n, events);
  }
  for (size_t i = 0; i < q->edges.count; i++) {
    omen_edge e = { q->edges.data[i].from, q->edges.data[i].atom.event,
                    q->edges.data[i].to };
    OMEN_VEC_PUSH (g->edges, e);
    e.to = g->start;
    if (b->resets && q->flags.data[q->edges.data[i].to] & OMEN_THREADS_END)
      OMEN_VEC_PUSH (g->edges, e);
  }
  for (uint32_t a = 0; a < p->alternatives * OMEN_THREADS_PARTS_MAX; a++) {
    uint32_t start = p->starts[a];
    for (uint32_t i = start == OMEN_NONE ? 0 : q->first.data[start];
         start != OMEN_NONE && i < q->first.data[start + 1]; i++) {
      omen_edge e = { g->start, q->edges.data[i].atom.event,
                      q->edges.data[i].to };
      OMEN_VEC_PUSH (g->edges, e);
      e.to = g->start;
      if (b->resets && q->flags.data[q->edges.data[i].to] & OMEN_THREADS_END)
        OMEN_VEC_PUSH (g->edges, e);
    }
  }
}

static void
region_events (const plain *q, bool ends, uint32_t set[2])
{
  set[0] = set[1] = 0;
  for (size_t i = 0; i < q->edges.count; i++) {
    const atom *a = &q->edges.data[i].atom;
    if (a->region != OMEN_NONE && a->region % 2 == ends)
      set[a->event / 32] |= 1u << a->event % 32;
  }
}

static void
put_head (const plain *q, const omen_building *b, omen_ids *words)
{
  const pattern *p = q->p;
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
put_graph (const plain *q, omen_ids *words)
{
  for (uint32_t n = 0; n < q->p->node_count; n++) {
    OMEN_VEC_PUSH (*words, q->first.data[n]);
    OMEN_VEC_PUSH (*words, q->flags.data[n]);
  }
  for (size_t i = 0; i < q->edges.count; i++) {
    const edge *e = &q->edges.data[i];
    OMEN_VEC_PUSH (*words, e->atom.event);
    OMEN_VEC_PUSH (*words, e->atom.thread);
    OMEN_VEC_PUSH (*words, e->atom.region);
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
machine (const omen_building *b, omen_built *built)
{
  const pattern *p = b->formula->formula;
  uint32_t count = (uint32_t)b->property->events.count;
  omen_property_event events[OMEN_EVENTS_MAX] = { { 0 } };
  omen_graph g;
  plain q;
  for (uint32_t e = 0; e < count; e++)
    events[e].binds = b->property->events.data[e].binds;
  plain_init (&q, p);
  graph_of (&q, b, &g);
  put_head (&q, b, &built->words);
  put_graph (&q, &built->words);
  put_lands (&g, b, events, &built->words);
  built->engine = &omen_engine_threads;
  omen_graph_enable (&g, events, count, &built->creation, built->sources,
                     NULL);
  if (p->parts > 1) { /* what binds before an event, in any part */
    uint64_t creation = built->creation;
    omen_built_generous (built, b);
    built->creation = creation;
  }
  omen_graph_fini (&g);
  plain_fini (&q);
  return true;
}

static bool
has_category (const void *formula, const char *category)
{
  (void)formula;
  return !strcmp (category, "match");
}

static void
draw (const omen_building *b, const char *prefix, FILE *out)
{
  const pattern *p = b->formula->formula;
  plain q;
  plain_init (&q, p);
  for (uint32_t n = 0; n < p->node_count; n++)
    fprintf (out, "    %s_%u [label=\"\"%s];\n", prefix, n,
             q.flags.data[n] & OMEN_THREADS_END ? ", shape=doublecircle" : "");
  for (size_t i = 0; i < q.edges.count; i++) {
    const edge *e = &q.edges.data[i];
    fprintf (out, "    %s_%u -> %s_%u [label=\"%s", prefix, e->from, prefix,
             e->to, b->property->events.data[e->atom.event].name);
    if (e->atom.thread != OMEN_NONE)
      fprintf (out, " t%u", e->atom.thread + 1);
    if (e->atom.region != OMEN_NONE)
      fprintf (out, " %cr%u", e->atom.region % 2 ? '>' : '<',
               e->atom.region / 2 + 1);
    fputs ("\"];\n", out);
  }
  plain_fini (&q);
}

const omen_logic omen_logic_pattern = {
  .name = "pattern",
  .categories = "match",
  .about = "match",
  .parse = parse,
  .has_category = has_category,
  .machine = machine,
  .draw = draw,
};
