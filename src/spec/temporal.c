#include "spec/temporal.h"
#include "spec/logic.h"

#include <string.h>

typedef struct reader {
  omen_parser *parser;
  bool future; /* operators are allowed */
  OMEN_VEC (omen_temporal_node) nodes;
  uint32_t bits;
  bool failed;
} reader;

static bool
is_past (omen_temporal_kind kind)
{
  return kind >= OMEN_T_PREVIOUS;
}

/* Children may be OMEN_NONE after an error: then so is the node. */
static uint32_t
make_formula (reader *r, omen_temporal_kind kind, uint32_t a, uint32_t b)
{
  omen_temporal_node added = { kind, a, b, 0, false };
  if (r->failed)
    return OMEN_NONE;
  for (uint32_t i = 0; i < r->nodes.count; i++) {
    const omen_temporal_node *n = &r->nodes.data[i];
    if (n->kind == kind && n->a == a && n->b == b)
      return i;
  }
  if (kind > OMEN_T_PREDICATE) {
    OMEN_ASSERT (a < r->nodes.count && b < r->nodes.count);
    added.future = kind == OMEN_T_NEXT || kind == OMEN_T_UNTIL
                   || r->nodes.data[a].future || r->nodes.data[b].future;
    added.bit = is_past (kind) ? r->bits++ : 0;
  }
  OMEN_VEC_PUSH (r->nodes, added);
  return (uint32_t)r->nodes.count - 1;
}

static uint32_t
temporal_fail (reader *r)
{
  r->failed = true;
  return OMEN_NONE;
}

static uint32_t
negation (reader *r, uint32_t a)
{
  if (r->failed)
    return OMEN_NONE;
  OMEN_ASSERT (a < r->nodes.count);
  if (r->nodes.data[a].kind == OMEN_T_NOT)
    return r->nodes.data[a].a;
  return make_formula (r, OMEN_T_NOT, a, a);
}

/* Check sizes and nesting; an error at `at` if they are wrong. */
static uint32_t
checked_size (reader *r, size_t at, uint32_t node)
{
  const omen_lexer *lexer = &r->parser->lexer;
  if (r->failed)
    return OMEN_NONE;
  if (r->nodes.count > OMEN_TEMPORAL_MAX)
    return omen_lex_fail (lexer, at, "a formula with more than %d parts",
                          OMEN_TEMPORAL_MAX),
           temporal_fail (r);
  if (r->bits > OMEN_PAST_MAX)
    return omen_lex_fail (lexer, at, "more than %d past operators",
                          OMEN_PAST_MAX),
           temporal_fail (r);
  if (r->nodes.data[node].future && !r->future)
    return omen_lex_fail (lexer, at, "ptltl has no future operators; ltl has"),
           temporal_fail (r);
  if (is_past (r->nodes.data[node].kind) && r->nodes.data[node].future)
    return omen_lex_fail (lexer, at,
                          "a past operator cannot have a future one in it"),
           temporal_fail (r);
  return node;
}

static uint32_t equivalence (reader *r);

static uint32_t
constant (reader *r, bool value)
{
  uint32_t node = make_formula (r, OMEN_T_TRUE, 0, 0);
  return value ? node : negation (r, node);
}

static uint32_t
atom (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t number;
  if (omen_lex_take (lexer, "true") || omen_lex_is (lexer, "false"))
    return constant (r, !omen_lex_take (lexer, "false"));
  if (omen_parse_predicate (r->parser, &number))
    return make_formula (r, OMEN_T_PREDICATE, number, 0);
  if (lexer->err->set)
    return temporal_fail (r);
  if (lexer->token != OMEN_TOKEN_NAME)
    return omen_lex_expected (lexer, "an event, a state predicate or '('"),
           temporal_fail (r);
  if (!omen_parse_event_name (r->parser, &number))
    return temporal_fail (r);
  return make_formula (r, OMEN_T_EVENT, number, 0);
}

static uint32_t
in_brackets (reader *r)
{
  uint32_t node = equivalence (r);
  if (!r->failed
      && !omen_lex_want (&r->parser->lexer, ")", "')' in the formula"))
    return temporal_fail (r);
  return node;
}

static uint32_t
interval (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t at = lexer->at;
  uint32_t a = equivalence (r), b;
  if (r->failed || !omen_lex_want (lexer, ",", "',' in the interval"))
    return temporal_fail (r);
  b = equivalence (r);
  if (r->failed || !omen_lex_want (lexer, "}", "'}' after the interval"))
    return temporal_fail (r);
  return checked_size (r, at, make_formula (r, OMEN_T_INTERVAL, a, b));
}

static uint32_t unary (reader *r);

/* true U a. */
static uint32_t
eventually (reader *r, uint32_t a)
{
  return make_formula (r, OMEN_T_UNTIL, constant (r, true), a);
}

/* (.) a: a held at the event before in the slice, and that one is parallel to
   this one in the run, which is a predicate. */
static uint32_t
right_before (reader *r, size_t at)
{
  uint32_t a = unary (r), number;
  a = checked_size (r, at, make_formula (r, OMEN_T_PREVIOUS, a, a));
  if (r->failed || !omen_parse_beside (r->parser, at, &number))
    return temporal_fail (r);
  return make_formula (r, OMEN_T_AND, a,
                       make_formula (r, OMEN_T_PREDICATE, number, 0));
}

static uint32_t
operator_applied (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t at = lexer->at;
  if (omen_lex_take (lexer, "not") || omen_lex_take (lexer, "!"))
    return negation (r, unary (r));
  if (omen_lex_take (lexer, "[]"))
    return negation (r, eventually (r, negation (r, unary (r))));
  if (omen_lex_take (lexer, "<>"))
    return eventually (r, unary (r));
  if (omen_lex_take (lexer, "[*]")) {
    uint32_t a = negation (r, unary (r));
    return negation (r, make_formula (r, OMEN_T_ONCE, a, a));
  }
  if (omen_lex_take (lexer, "<*>")) {
    uint32_t a = unary (r);
    return make_formula (r, OMEN_T_ONCE, a, a);
  }
  if (omen_lex_take (lexer, "(*)")) {
    uint32_t a = unary (r);
    return make_formula (r, OMEN_T_PREVIOUS, a, a);
  }
  if (omen_lex_take (lexer, "(.)"))
    return right_before (r, at);
  if (omen_lex_take (lexer, "o")) {
    uint32_t a = unary (r);
    return make_formula (r, OMEN_T_NEXT, a, a);
  }
  if (omen_lex_take (lexer, "["))
    return interval (r);
  return omen_lex_take (lexer, "(") ? in_brackets (r) : atom (r);
}

/* [*] becomes a past operator under `not`, which is checked, too. */
static uint32_t
unary (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t at = lexer->at;
  uint32_t node;
  if (r->failed || !omen_lex_deeper (lexer))
    return temporal_fail (r);
  node = operator_applied (r);
  lexer->depth--;
  if (!r->failed && r->nodes.data[node].kind == OMEN_T_NOT)
    checked_size (r, at, r->nodes.data[node].a);
  return checked_size (r, at, node);
}

/* U, R and S bind tighter than `and`, and to the right. */
static uint32_t
until (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t a = unary (r), b;
  size_t at = lexer->at;
  bool u = omen_lex_is (lexer, "U"), rel = omen_lex_is (lexer, "R");
  if (r->failed
      || (!omen_lex_take (lexer, "U") && !omen_lex_take (lexer, "R")
          && !omen_lex_take (lexer, "S")))
    return a;
  if (!omen_lex_deeper (lexer))
    return temporal_fail (r);
  b = until (r);
  lexer->depth--;
  if (rel)
    a = negation (
        r, make_formula (r, OMEN_T_UNTIL, negation (r, a), negation (r, b)));
  else
    a = make_formula (r, u ? OMEN_T_UNTIL : OMEN_T_SINCE, a, b);
  return checked_size (r, at, a);
}

static uint32_t
temporal_conjunction (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t a = until (r);
  while (!r->failed
         && (omen_lex_take (lexer, "and") || omen_lex_take (lexer, "&&")))
    a = checked_size (r, lexer->at, make_formula (r, OMEN_T_AND, a, until (r)));
  return a;
}

static uint32_t
disjunction (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t a = temporal_conjunction (r);
  while (!r->failed
         && (omen_lex_take (lexer, "or") || omen_lex_take (lexer, "||")))
    a = checked_size (r, lexer->at,
                      make_formula (r, OMEN_T_OR, a, temporal_conjunction (r)));
  return a;
}

static uint32_t
exclusion (reader *r)
{
  uint32_t a = disjunction (r);
  while (!r->failed && omen_lex_take (&r->parser->lexer, "xor"))
    a = checked_size (r, r->parser->lexer.at,
                      make_formula (r, OMEN_T_XOR, a, disjunction (r)));
  return a;
}

static uint32_t
implication (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t a = exclusion (r), b;
  if (r->failed
      || (!omen_lex_take (lexer, "->") && !omen_lex_take (lexer, "=>")))
    return a;
  if (!omen_lex_deeper (lexer))
    return temporal_fail (r);
  b = implication (r);
  lexer->depth--;
  return checked_size (r, lexer->at,
                       make_formula (r, OMEN_T_OR, negation (r, a), b));
}

static uint32_t
equivalence (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t a;
  if (!omen_lex_deeper (lexer))
    return temporal_fail (r);
  a = implication (r);
  while (!r->failed
         && (omen_lex_take (lexer, "<=>") || omen_lex_take (lexer, "<->")))
    a = checked_size (
        r, lexer->at,
        negation (r, make_formula (r, OMEN_T_XOR, a, implication (r))));
  lexer->depth--;
  return a;
}

/* The whole must be the last node: it is repeated if it is not. */
const omen_temporal *
omen_parse_temporal (omen_parser *parser, bool future)
{
  reader r = { .parser = parser, .future = future };
  omen_arena *arena = &parser->spec->arena;
  uint32_t whole = equivalence (&r);
  omen_temporal *t = NULL;
  OMEN_ASSERT (!r.failed || parser->lexer.err->set);
  if (!r.failed) {
    omen_temporal_node *nodes
        = OMEN_ARENA_NEW (arena, omen_temporal_node, r.nodes.count + 1);
    t = OMEN_ARENA_NEW (arena, omen_temporal, 1);
    memcpy (nodes, r.nodes.data, r.nodes.count * sizeof *nodes);
    *t = (omen_temporal){ nodes, (uint32_t)r.nodes.count, r.bits };
    if (whole != t->count - 1)
      nodes[t->count++] = (omen_temporal_node){ OMEN_T_AND, whole, whole, 0,
                                                nodes[whole].future };
  }
  OMEN_VEC_FINI (r.nodes);
  return t;
}

void
omen_write_temporal (const void *formula, omen_writing *out)
{
  static const omen_written_kind kinds[]
      = { [OMEN_T_TRUE] = OMEN_W_TRUE,
          [OMEN_T_EVENT] = OMEN_W_EVENT,
          [OMEN_T_PREDICATE] = OMEN_W_PREDICATE,
          [OMEN_T_NOT] = OMEN_W_NOT,
          [OMEN_T_AND] = OMEN_W_AND,
          [OMEN_T_OR] = OMEN_W_OR,
          [OMEN_T_XOR] = OMEN_W_XOR,
          [OMEN_T_NEXT] = OMEN_W_NEXT,
          [OMEN_T_UNTIL] = OMEN_W_UNTIL,
          [OMEN_T_PREVIOUS] = OMEN_W_PREVIOUS,
          [OMEN_T_ONCE] = OMEN_W_ONCE,
          [OMEN_T_SINCE] = OMEN_W_SINCE,
          [OMEN_T_INTERVAL] = OMEN_W_INTERVAL };
  const omen_temporal *t = formula;
  for (uint32_t i = 0; i < t->count; i++)
    omen_write_node (out, kinds[t->nodes[i].kind], t->nodes[i].a, t->nodes[i].b,
                     0);
}

static bool
value_of_node (const omen_temporal_node *n, const uint8_t *values, bool old,
               uint32_t event, uint32_t predicates)
{
  bool a = n->kind > OMEN_T_PREDICATE && values[n->a];
  bool b = n->kind > OMEN_T_PREDICATE && values[n->b];
  switch (n->kind) {
  case OMEN_T_TRUE:
    return true;
  case OMEN_T_EVENT:
    return n->a == event;
  case OMEN_T_PREDICATE:
    return predicates >> n->a & 1;
  case OMEN_T_NOT:
    return !a;
  case OMEN_T_AND:
    return a && b;
  case OMEN_T_OR:
    return a || b;
  case OMEN_T_XOR:
    return a != b;
  case OMEN_T_PREVIOUS:
    return old;
  case OMEN_T_ONCE:
    return a || old;
  case OMEN_T_SINCE:
    return b || (a && old);
  case OMEN_T_INTERVAL:
    return !b && (a || old);
  default:
    return false;
  }
}

uint64_t
omen_temporal_step (const omen_temporal *t, uint64_t bits, uint32_t events,
                    uint32_t letter, uint8_t *values)
{
  uint64_t next = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    const omen_temporal_node *n = &t->nodes[i];
    bool kept;
    /* parts come first; past operators have a bit each */
    OMEN_ASSERT (n->kind <= OMEN_T_PREDICATE || (n->a < i && n->b < i));
    OMEN_ASSERT (n->bit < 64);
    values[i] = value_of_node (n, values, bits >> n->bit & 1, letter % events,
                               letter / events);
    kept = n->kind == OMEN_T_PREVIOUS ? values[n->a] : values[i];
    if (is_past (n->kind) && kept)
      next |= (uint64_t)1 << n->bit;
  }
  return next;
}
