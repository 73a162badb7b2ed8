/* Patterns as they are written: a(t1) b(t2), a(t1) || b(t2),
   begin(t1,<r1) … end(t1,>r1), !( … ), and, or, quantifiers. */
#include "spec/pattern.h"

#include <string.h>

#define NODES_MAX 2000
#define NEGATED_MAX 8 /* steps in !( … ) */

typedef struct reader {
  omen_parser *parser;
  omen_ids nodes;
  OMEN_VEC (omen_pattern_edge) edges;
  omen_ids starts;
  uint32_t parts;
  OMEN_VEC (const char *) names, regions;
  uint8_t seen_begin[OMEN_THREADS_REGIONS_MAX];
  omen_writing written;
  uint32_t said; /* the written node of what was read last */
} reader;

static uint32_t
node (reader *r, uint32_t flags)
{
  OMEN_VEC_PUSH (r->nodes, flags);
  return (uint32_t)r->nodes.count - 1;
}

static void
link (reader *r, uint32_t from, const omen_pattern_step *a, uint32_t to)
{
  omen_pattern_edge added = { .from = from, .to = to, .empty = !a };
  OMEN_ASSERT (from < r->nodes.count && to < r->nodes.count);
  if (a)
    added.step = *a;
  OMEN_VEC_PUSH (r->edges, added);
}

/* ---- as it is written ---- */

static void
write_node (reader *r, omen_written_kind kind, uint32_t a, uint32_t b,
            uint32_t c)
{
  r->said = omen_write_node (&r->written, kind, a, b, c);
}

static void
write_step (reader *r, const omen_pattern_step *a)
{
  write_node (r, OMEN_W_STEP, a->event, a->thread, a->region);
}

/* Combine the node before, if there is one, with that of what was read last. */
static void
write_with (reader *r, omen_written_kind kind, uint32_t before)
{
  if (before != OMEN_NONE)
    write_node (r, kind, before, r->said, 0);
}

/* ---- one step ---- */

/* The number of a name in its list, added if new; OMEN_NONE: too many. */
static uint32_t
name_number (reader *r, bool region, const char *name)
{
  uint32_t count = (uint32_t)(region ? r->regions.count : r->names.count);
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
region (reader *r, omen_pattern_step *a)
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
  n = name_number (r, true, name);
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
parse_step (reader *r, omen_pattern_step *a)
{
  omen_lexer *lexer = &r->parser->lexer;
  const char *name;
  *a = (omen_pattern_step){ 0, OMEN_NONE, OMEN_NONE };
  if (!omen_parse_event_name (r->parser, &a->event))
    return false;
  if (!omen_lex_take (lexer, "("))
    return true;
  if (lexer->token == OMEN_TOKEN_NAME) {
    size_t at = lexer->at;
    if (!omen_lex_name (lexer, &r->parser->spec->arena, "a thread", &name))
      return false;
    a->thread = name_number (r, false, name);
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

static bool pattern_alternatives (reader *r, uint32_t from, uint32_t to);

/* One right after the other, in either order. */
static void
parallel (reader *r, uint32_t from, const omen_pattern_step *a,
          const omen_pattern_step *b, uint32_t to)
{
  uint32_t after_a = node (r, 0), after_b = node (r, 0);
  link (r, from, a, after_a);
  link (r, after_a, b, to);
  link (r, from, b, after_b);
  link (r, after_b, a, to);
}

static bool
same_step (const omen_pattern_step *a, const omen_pattern_step *b)
{
  return a->event == b->event && a->thread == b->thread
         && a->region == b->region;
}

/* All of them, in every order but the written one: a node for each set of steps
   taken, and whether they were taken in order so far. Of equal steps the first
   comes first. */
static void
disorder (reader *r, uint32_t from, const omen_pattern_step *steps,
          uint32_t count, uint32_t to)
{
  uint32_t all = (1u << count) - 1;
  uint32_t nodes[2][1 << NEGATED_MAX];
  OMEN_ASSERT (count > 1 && count <= NEGATED_MAX);
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
          free &= set >> j & 1 || !same_step (&steps[i], &steps[j]);
        if (free && !(ordered && set & (set + 1)))
          link (r, nodes[ordered][set], &steps[i], nodes[next][set | 1u << i]);
      }
}

static bool
negated (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  omen_pattern_step steps[NEGATED_MAX];
  uint32_t count = 0, before;
  if (!omen_lex_want (lexer, "(", "'(' after '!'"))
    return false;
  do {
    if (count == NEGATED_MAX)
      return omen_lex_fail (lexer, lexer->at, "more than %d steps in '!( … )'",
                            NEGATED_MAX);
    before = count ? r->said : OMEN_NONE;
    if (!parse_step (r, &steps[count]))
      return false;
    write_step (r, &steps[count++]);
    write_with (r, OMEN_W_CAT, before);
  } while (lexer->token == OMEN_TOKEN_NAME);
  if (!omen_lex_want (lexer, ")", "another event or ')' in '!( … )'"))
    return false;
  if (count == 1)
    return omen_lex_fail (lexer, lexer->at,
                          "one event cannot come in another order");
  disorder (r, from, steps, count, to);
  write_node (r, OMEN_W_DISORDER, r->said, 0, 0);
  return true;
}

static bool
unit (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  omen_pattern_step a, b;
  uint32_t before;
  bool good;
  if (omen_lex_take (lexer, "!"))
    return negated (r, from, to);
  if (omen_lex_take (lexer, "(")) {
    good = omen_lex_deeper (lexer) && pattern_alternatives (r, from, to)
           && omen_lex_want (lexer, ")", "')' in the pattern");
    lexer->depth--;
    return good;
  }
  if (!parse_step (r, &a))
    return false;
  write_step (r, &a);
  if (!omen_lex_take (lexer, "||")) {
    link (r, from, &a, to);
    return true;
  }
  before = r->said;
  if (!parse_step (r, &b))
    return false;
  write_step (r, &b);
  write_with (r, OMEN_W_PARALLEL, before);
  if (omen_lex_is (lexer, "||"))
    return omen_lex_expected (lexer, "two events, no more, with '||'");
  parallel (r, from, &a, &b, to);
  return true;
}

static bool
item (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t in = node (r, OMEN_THREADS_WAITS),
           out = node (r, OMEN_THREADS_WAITS);
  link (r, from, NULL, in);
  link (r, out, NULL, to);
  if (!unit (r, in, out))
    return false;
  if (omen_lex_take (lexer, "?")) {
    write_node (r, OMEN_W_OPTION, r->said, 0, 0);
    link (r, in, NULL, out);
  } else if (omen_lex_take (lexer, "+")) {
    write_node (r, OMEN_W_PLUS, r->said, 0, 0);
    link (r, out, NULL, in);
  } else if (omen_lex_take (lexer, "*")) {
    write_node (r, OMEN_W_STAR, r->said, 0, 0);
    link (r, in, NULL, out);
    link (r, out, NULL, in);
  }
  return r->nodes.count <= NODES_MAX
         || omen_lex_fail (lexer, lexer->at,
                           "a pattern with more than %d nodes", NODES_MAX);
}

/* `and`, `&` or `&&` */
static bool
at_and (const omen_lexer *lexer)
{
  return omen_lex_is (lexer, "and") || omen_lex_is (lexer, "&");
}

static bool
take_and (omen_lexer *lexer)
{
  return omen_lex_take (lexer, "and") || omen_lex_take (lexer, "&&")
         || omen_lex_take (lexer, "&");
}

static bool
pattern_goes_on (const omen_lexer *lexer)
{
  if (at_and (lexer) || omen_lex_is (lexer, "or"))
    return false;
  if (lexer->token == OMEN_TOKEN_NAME)
    return !omen_at_formula (lexer);
  return omen_lex_is (lexer, "(") || omen_lex_is (lexer, "!");
}

static bool
sequence (reader *r, uint32_t from, uint32_t to)
{
  uint32_t at = from, before = OMEN_NONE;
  do {
    uint32_t next = node (r, OMEN_THREADS_WAITS);
    if (!item (r, at, next))
      return false;
    write_with (r, OMEN_W_CAT, before);
    before = r->said;
    at = next;
  } while (pattern_goes_on (&r->parser->lexer));
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
pattern_alternatives (reader *r, uint32_t from, uint32_t to)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t before = OMEN_NONE;
  do {
    if (!sequence (r, from, to))
      return false;
    write_with (r, OMEN_W_OR, before);
    before = r->said;
  } while (take_or (lexer));
  return !at_and (lexer)
         || omen_lex_fail (lexer, lexer->at,
                           "'and' joins whole patterns, not parts of one");
}

/* ---- the whole ---- */

static bool
pattern_conjunction (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t parts = 0, starts[OMEN_THREADS_PARTS_MAX], before = OMEN_NONE;
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
    write_with (r, OMEN_W_AND, before);
    before = r->said;
  } while (take_and (lexer));
  for (uint32_t i = 0; i < OMEN_THREADS_PARTS_MAX; i++)
    OMEN_VEC_PUSH (r->starts, i < parts ? starts[i] : OMEN_NONE);
  r->parts = parts > r->parts ? parts : r->parts;
  return true;
}

/* Copy the pattern out of the reader. */
static const omen_pattern *
finished_pattern (const reader *r)
{
  omen_arena *arena = &r->parser->spec->arena;
  omen_pattern *p = OMEN_ARENA_NEW (arena, omen_pattern, 1);
  OMEN_ASSERT (r->parts && r->parts <= OMEN_THREADS_PARTS_MAX);
  OMEN_ASSERT (r->starts.count % OMEN_THREADS_PARTS_MAX == 0);
  p->node_count = (uint32_t)r->nodes.count;
  p->edge_count = (uint32_t)r->edges.count;
  p->alternatives = (uint32_t)r->starts.count / OMEN_THREADS_PARTS_MAX;
  p->parts = r->parts;
  p->names = (uint32_t)r->names.count;
  p->regions = (uint32_t)r->regions.count;
  p->nodes = OMEN_ARENA_NEW (arena, uint32_t, p->node_count);
  p->edges = OMEN_ARENA_NEW (arena, omen_pattern_edge, p->edge_count);
  p->starts = OMEN_ARENA_NEW (arena, uint32_t, r->starts.count);
  memcpy (p->nodes, r->nodes.data, p->node_count * sizeof *p->nodes);
  memcpy (p->edges, r->edges.data, p->edge_count * sizeof *p->edges);
  memcpy (p->starts, r->starts.data, r->starts.count * sizeof *p->starts);
  p->written_count = (uint32_t)r->written.nodes.count;
  p->written = OMEN_ARENA_NEW (arena, omen_written_node, p->written_count);
  memcpy (p->written, r->written.nodes.data,
          p->written_count * sizeof *p->written);
  return p;
}

const omen_pattern *
omen_pattern_parse (omen_parser *parser)
{
  reader r = { .parser = parser };
  const omen_pattern *p = NULL;
  uint32_t before = OMEN_NONE;
  bool good;
  do {
    good = pattern_conjunction (&r);
    write_with (&r, OMEN_W_OR, before);
    before = r.said;
  } while (good && take_or (&parser->lexer));
  if (good)
    p = finished_pattern (&r);
  OMEN_VEC_FINI (r.nodes);
  OMEN_VEC_FINI (r.edges);
  OMEN_VEC_FINI (r.starts);
  OMEN_VEC_FINI (r.names);
  OMEN_VEC_FINI (r.regions);
  OMEN_VEC_FINI (r.written.nodes);
  return p;
}
