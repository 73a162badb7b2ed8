/* ere: a b, a | b, a & b, ~a, a*, a+, a?, a^3, epsilon, empty. */
#include "spec/ere.h"
#include "spec/logic.h"

#include <string.h>

#define PARTS_MAX 2000 /* of a formula, powers written out */

/* The formula in postfix, from which it is built as often as needed. */
typedef enum operation {
  EVENT,
  EPSILON,
  EMPTY,
  CAT,
  OR,
  AND,
  NOT,
  STAR,
  PLUS,
  OPTION,
  POWER
} operation;
typedef struct item {
  operation op;
  uint32_t operand;
} item;
typedef struct ere {
  item *items;
  uint32_t count;
} ere;

typedef struct reader {
  omen_parser *parser;
  OMEN_VEC (item) items;
  uint64_t parts;
} reader;

static bool
put_operation (reader *r, operation op, uint32_t operand)
{
  item added = { op, operand };
  OMEN_VEC_PUSH (r->items, added);
  if (++r->parts <= PARTS_MAX)
    return true;
  return omen_lex_fail (&r->parser->lexer, r->parser->lexer.at,
                        "an ere with more than %d parts", PARTS_MAX);
}

static bool ere_alternatives (reader *r);

static bool
atom (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t event;
  if (omen_lex_take (lexer, "(")) {
    if (!omen_lex_deeper (lexer) || !ere_alternatives (r))
      return false;
    lexer->depth--;
    return omen_lex_want (lexer, ")", "')' in the ere");
  }
  if (omen_lex_take (lexer, "epsilon"))
    return put_operation (r, EPSILON, 0);
  if (omen_lex_take (lexer, "empty"))
    return put_operation (r, EMPTY, 0);
  if (lexer->token != OMEN_TOKEN_NAME)
    return omen_lex_expected (lexer, "an event, '(', '~', epsilon or empty");
  return omen_parse_event_name (r->parser, &event)
         && put_operation (r, EVENT, event);
}

/* `^n` repeats the operand before it, which then counts n times. */
static bool
power (reader *r, uint64_t parts)
{
  uint64_t n;
  if (!omen_lex_number (&r->parser->lexer, "a power", PARTS_MAX, &n))
    return false;
  if (n > 1)
    r->parts += parts * (n - 1);
  return put_operation (r, POWER, (uint32_t)n);
}

static bool
postfix (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint64_t before = r->parts;
  bool good = atom (r);
  while (good) {
    if (omen_lex_take (lexer, "*"))
      good = put_operation (r, STAR, 0);
    else if (omen_lex_take (lexer, "+"))
      good = put_operation (r, PLUS, 0);
    else if (omen_lex_take (lexer, "?"))
      good = put_operation (r, OPTION, 0);
    else if (omen_lex_take (lexer, "^"))
      good = power (r, r->parts - before);
    else
      return true;
  }
  return good;
}

static bool
prefix (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  uint32_t nots = 0;
  while (omen_lex_take (lexer, "~"))
    nots++;
  return postfix (r) && (nots % 2 == 0 || put_operation (r, NOT, 0));
}

static bool
ere_goes_on (const omen_lexer *lexer)
{
  if (lexer->token == OMEN_TOKEN_NAME)
    return !omen_at_formula (lexer);
  return omen_lex_is (lexer, "(") || omen_lex_is (lexer, "~");
}

static bool
sequence (reader *r)
{
  const omen_lexer *lexer = &r->parser->lexer;
  bool good = prefix (r);
  while (good && ere_goes_on (lexer))
    good = prefix (r) && put_operation (r, CAT, 0);
  return good;
}

static bool
ere_conjunction (reader *r)
{
  bool good = sequence (r);
  while (good && !omen_lex_is (&r->parser->lexer, "&&")
         && omen_lex_take (&r->parser->lexer, "&"))
    good = sequence (r) && put_operation (r, AND, 0);
  return good;
}

static bool
ere_alternatives (reader *r)
{
  bool good = ere_conjunction (r);
  while (good && !omen_lex_is (&r->parser->lexer, "||")
         && omen_lex_take (&r->parser->lexer, "|"))
    good = ere_conjunction (r) && put_operation (r, OR, 0);
  return good;
}

static const void *
parse_ere (omen_parser *parser)
{
  reader r = { .parser = parser };
  omen_arena *arena = &parser->spec->arena;
  ere *formula = NULL;
  if (ere_alternatives (&r)) {
    formula = OMEN_ARENA_NEW (arena, ere, 1);
    formula->count = (uint32_t)r.items.count;
    formula->items = OMEN_ARENA_NEW (arena, item, r.items.count);
    memcpy (formula->items, r.items.data, r.items.count * sizeof *r.items.data);
  }
  OMEN_VEC_FINI (r.items);
  return formula;
}

/* ---- as it is written ---- */

static void
write_formula (const void *formula, omen_writing *out)
{
  static const omen_written_kind kinds[]
      = { [EVENT] = OMEN_W_EVENT, [EPSILON] = OMEN_W_EPSILON,
          [EMPTY] = OMEN_W_EMPTY, [CAT] = OMEN_W_CAT,
          [OR] = OMEN_W_OR,       [AND] = OMEN_W_AND,
          [NOT] = OMEN_W_NOT,     [STAR] = OMEN_W_STAR,
          [PLUS] = OMEN_W_PLUS,   [OPTION] = OMEN_W_OPTION,
          [POWER] = OMEN_W_POWER };
  const ere *e = formula;
  omen_ids stack = { 0 };
  for (uint32_t i = 0; i < e->count; i++) {
    uint32_t a = e->items[i].operand, b = e->items[i].operand;
    if (e->items[i].op >= CAT && e->items[i].op <= AND)
      b = OMEN_VEC_POP (stack);
    if (e->items[i].op >= CAT)
      a = OMEN_VEC_POP (stack);
    OMEN_VEC_PUSH (stack,
                   omen_write_node (out, kinds[e->items[i].op], a, b, 0));
  }
  OMEN_VEC_FINI (stack);
}

/* ---- to an expression ---- */

static uint32_t
powered (omen_eres *e, uint32_t a, uint32_t n)
{
  uint32_t whole = OMEN_ERE_EPSILON;
  for (uint32_t i = 0; i < n; i++)
    whole = omen_ere_cat (e, a, whole);
  return whole;
}

static uint32_t
on_one (omen_eres *e, const item *i, uint32_t a)
{
  switch (i->op) {
  case NOT:
    return omen_ere_not (e, a);
  case STAR:
    return omen_ere_star (e, a);
  case PLUS:
    return omen_ere_cat (e, a, omen_ere_star (e, a));
  case OPTION:
    return omen_ere_or (e, a, OMEN_ERE_EPSILON);
  default:
    OMEN_ASSERT (i->op == POWER);
    return powered (e, a, i->operand);
  }
}

static uint32_t
on_two (omen_eres *e, operation op, uint32_t a, uint32_t b)
{
  return op == CAT  ? omen_ere_cat (e, a, b)
         : op == OR ? omen_ere_or (e, a, b)
                    : omen_ere_and (e, a, b);
}

static uint32_t
expression (omen_eres *e, const ere *formula)
{
  omen_ids stack = { 0 };
  uint32_t whole;
  for (uint32_t i = 0; i < formula->count; i++) {
    const item *at = &formula->items[i];
    if (at->op <= EMPTY)
      OMEN_VEC_PUSH (stack, at->op == EVENT ? omen_ere_event (e, at->operand)
                            : at->op == EPSILON ? (uint32_t)OMEN_ERE_EPSILON
                                                : (uint32_t)OMEN_ERE_EMPTY);
    else if (at->op <= AND) {
      uint32_t b = OMEN_VEC_POP (stack);
      OMEN_VEC_LAST (stack) = on_two (e, at->op, OMEN_VEC_LAST (stack), b);
    } else
      OMEN_VEC_LAST (stack) = on_one (e, at, OMEN_VEC_LAST (stack));
  }
  OMEN_ASSERT (stack.count == 1);
  whole = stack.data[0];
  OMEN_VEC_FINI (stack);
  return whole;
}

/* ---- to an automaton ---- */

/* States are derivatives; verdict 1 is match. NULL: too large. */
static omen_automaton *
derivatives (omen_eres *e, uint32_t whole, uint32_t events)
{
  omen_automaton *a = omen_automaton_new (events);
  omen_map number;
  omen_ids nodes = { 0 };
  bool fits = true;
  omen_map_init (&number);
  *omen_map_at (&number, whole)
      = omen_automaton_add (a, e->nodes.data[whole].nullable);
  OMEN_VEC_PUSH (nodes, whole);
  for (uint32_t i = 0; fits && i < nodes.count; i++)
    for (uint32_t event = 0; fits && event < events; event++) {
      uint32_t to = omen_ere_after (e, nodes.data[i], event);
      uint32_t *slot = omen_map_at (&number, to);
      if (*slot == OMEN_NONE) {
        *slot = omen_automaton_add (a, e->nodes.data[to].nullable);
        OMEN_VEC_PUSH (nodes, to);
      }
      *omen_automaton_next (a, i, event) = *slot;
      fits = !e->full && !omen_automaton_too_large (a);
    }
  omen_map_fini (&number);
  OMEN_VEC_FINI (nodes);
  if (fits)
    return a;
  omen_automaton_free (a);
  return NULL;
}

static omen_automaton *
ere_automaton (const omen_building *b)
{
  omen_automaton *a;
  omen_eres e;
  omen_eres_init (&e);
  a = derivatives (&e, expression (&e, b->formula->formula),
                   (uint32_t)b->property->events.count);
  omen_eres_fini (&e);
  if (a)
    omen_automaton_matching (a, b);
  else
    omen_building_fail (b,
                        "this ere needs more than %d states, or too many "
                        "steps to find them",
                        OMEN_STATES_MAX);
  return a;
}

const omen_logic omen_logic_ere = {
  .name = "ere",
  .categories = "match, fail, nonfail",
  .about = "match",
  .parse = parse_ere,
  .write = write_formula,
  .has_category = omen_is_matching,
  .has_suffix = omen_suffix_matches,
  .automaton = ere_automaton,
};
