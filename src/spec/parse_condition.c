/* Conditions: C expressions, by operator precedence. */
#include "monitor/property.h"
#include "spec/parser.h"
#include "spec/types.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

typedef struct reader {
  omen_parser *parser;
  OMEN_VEC (omen_action) code;
  OMEN_VEC (const char *) names;
  uint32_t depth, deepest; /* of the evaluation's stack */
} reader;

static const struct {
  const char *spelling;
  unsigned arity, strength;
} operators[] = {
#define OMEN_OPERATOR_(name, spelling, arity, strength)                        \
  { spelling, arity, strength },
  OMEN_OPERATORS (OMEN_OPERATOR_)
#undef OMEN_OPERATOR_
};

/* The longest operator that comes next; OMEN_COUNT (operators) if none. A
   formula's own `->`, `=>` and the like are no operators of conditions. */
static size_t
operator_here (const omen_lexer *lexer, unsigned arity)
{
  size_t best = OMEN_COUNT (operators), length = 0;
  if (omen_lex_is (lexer, "->") || omen_lex_is (lexer, "=>"))
    return best;
  for (size_t i = 0; i < OMEN_COUNT (operators); i++)
    if (operators[i].arity == arity && strlen (operators[i].spelling) > length
        && omen_lex_is (lexer, operators[i].spelling)) {
      best = i;
      length = strlen (operators[i].spelling);
    }
  return best;
}

static void
emit (reader *r, omen_operator what, uint64_t operand)
{
  omen_action action = { what, operand };
  OMEN_VEC_PUSH (r->code, action);
  if (what >= OMEN_DO_INTEGER)
    r->depth++;
  else
    r->depth -= what < OMEN_DO_NOT;
  if (r->depth > r->deepest)
    r->deepest = r->depth;
}

static void
name_operand (reader *r, const char *name)
{
  size_t i = 0;
  while (i < r->names.count && strcmp (r->names.data[i], name))
    i++;
  if (i == r->names.count)
    OMEN_VEC_PUSH (r->names, name);
  emit (r, OMEN_DO_NAME, i);
}

/* 0.25, 1.5e3f; not in hexadecimal. */
static bool
real_operand (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t at = lexer->at, length = 0;
  char copy[64], *end;
  double value;
  uint64_t bits;
  while (at + length < lexer->size && length + 1 < sizeof copy
         && (isalnum ((unsigned char)lexer->text[at + length])
             || lexer->text[at + length] == '.'
             || (strchr ("+-", lexer->text[at + length])
                 && strchr ("eE", lexer->text[at + length - 1])))) {
    copy[length] = lexer->text[at + length];
    length++;
  }
  copy[length] = 0;
  value = strtod (copy, &end);
  if (end == copy || end[strspn (end, "fFlL")])
    return omen_lex_expected (lexer, "a number");
  memcpy (&bits, &value, sizeof bits);
  emit (r, OMEN_DO_REAL, bits);
  omen_lex_seek (lexer, at + length);
  return true;
}

static bool
number_operand (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  const char *text = lexer->text + lexer->at;
  char copy[64], *end;
  uint64_t number;
  if (lexer->at + lexer->length < lexer->size && text[lexer->length] == '.')
    return real_operand (r);
  if (lexer->length >= sizeof copy)
    return omen_lex_expected (lexer, "a number below 2^64");
  memcpy (copy, text, lexer->length);
  copy[lexer->length] = 0;
  errno = 0;
  number = strtoull (copy, &end, 0);
  if (errno || end == copy || end[strspn (end, "uUlL")])
    return omen_lex_expected (lexer, "an integer below 2^64");
  emit (r, OMEN_DO_INTEGER, number);
  omen_lex_next (lexer);
  return true;
}

/* 'x', '\n', '\0' */
static bool
char_operand (reader *r)
{
  static const char escapes[] = "n\nt\tr\r0\0\\\\''\"\"a\ab\bf\fv\v";
  omen_lexer *lexer = &r->parser->lexer;
  const char *text = lexer->text + lexer->at;
  unsigned char value = (unsigned char)text[1];
  size_t i = 0;
  if (lexer->length == 4 && text[1] == '\\') {
    while (i < sizeof escapes - 1 && escapes[i] != text[2])
      i += 2;
    value = (unsigned char)escapes[i + 1];
  }
  if (i >= sizeof escapes - 1
      || (lexer->length != 3 && (lexer->length != 4 || text[1] != '\\')))
    return omen_lex_expected (lexer, "one character, such as 'x' or '\\n'");
  emit (r, OMEN_DO_INTEGER, (uint64_t)(value < 128 ? value : value - 256));
  omen_lex_next (lexer);
  return true;
}

static bool expression (reader *r, unsigned strength);

/* A variable or a field of one: `table.map`. */
static bool
name_here (reader *r, const char **name)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t from = lexer->at, to = from + lexer->length;
  omen_lex_next (lexer);
  while (omen_lex_is (lexer, ".") && !omen_lex_is (lexer, "..")) {
    omen_lex_take (lexer, ".");
    if (lexer->token != OMEN_TOKEN_NAME)
      return omen_lex_expected (lexer, "the name of a field");
    to = lexer->at + lexer->length;
    omen_lex_next (lexer);
  }
  *name = omen_arena_strndup (&r->parser->spec->arena, lexer->text + from,
                              to - from);
  return true;
}

static bool
operand (reader *r)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t unary = operator_here (lexer, 1);
  const char *name = NULL;
  if (unary < OMEN_COUNT (operators)) {
    omen_lex_take (lexer, operators[unary].spelling);
    if (!omen_lex_deeper (lexer) || !operand (r))
      return false;
    lexer->depth--;
    emit (r, (omen_operator)unary, 0);
    return true;
  }
  if (omen_lex_take (lexer, "("))
    return expression (r, 0)
           && omen_lex_want (lexer, ")", "')' in the condition");
  if (lexer->token == OMEN_TOKEN_NUMBER)
    return number_operand (r);
  if (lexer->token == OMEN_TOKEN_CHAR)
    return char_operand (r);
  if (lexer->token != OMEN_TOKEN_NAME)
    return omen_lex_expected (lexer, "a value");
  if (!name_here (r, &name))
    return false;
  if (!strcmp (name, "NULL") || !strcmp (name, "false"))
    emit (r, OMEN_DO_INTEGER, 0);
  else if (!strcmp (name, "true"))
    emit (r, OMEN_DO_INTEGER, 1);
  else
    name_operand (r, name);
  return true;
}

static bool
expression (reader *r, unsigned strength)
{
  omen_lexer *lexer = &r->parser->lexer;
  size_t i;
  if (!omen_lex_deeper (lexer) || !operand (r))
    return false;
  while ((i = operator_here (lexer, 2)) < OMEN_COUNT (operators)
         && operators[i].strength > strength) {
    omen_lex_take (lexer, operators[i].spelling);
    if (!expression (r, operators[i].strength))
      return false;
    emit (r, (omen_operator)i, 0);
  }
  lexer->depth--;
  return true;
}

static bool
is_comparison (const omen_lexer *lexer)
{
  return omen_lex_is (lexer, "==") || omen_lex_is (lexer, "!=");
}

/* `name == "bob"`: what C compares there are addresses. */
static bool
compares_address (const omen_lexer *lexer, bool compared)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  if (lexer->token != OMEN_TOKEN_STRING)
    return false;
  omen_lex_next (&ahead);
  return compared || is_comparison (&ahead);
}

/* Skip to the `)` that closes the condition. */
static bool
skip_c (omen_lexer *lexer)
{
  size_t open = 0, from = lexer->at;
  bool compared = false; /* right behind == or != */
  for (; open || !omen_lex_is (lexer, ")"); omen_lex_next (lexer)) {
    if (compares_address (lexer, compared))
      return omen_lex_fail (lexer, lexer->at,
                            "strings are not compared by their address; "
                            "write strcmp (name, %.*s) == 0",
                            lexer->length > 60 ? 60 : (int)lexer->length,
                            lexer->text + lexer->at);
    compared = is_comparison (lexer);
    if (compared) {
      omen_lex_seek (lexer, lexer->at + 1);
      continue;
    }
    if (lexer->token == OMEN_TOKEN_BAD)
      return false;
    if (lexer->token == OMEN_TOKEN_END)
      return omen_lex_fail (lexer, from, "a condition without its ')'");
    open += omen_lex_is (lexer, "(");
    open -= omen_lex_is (lexer, ")");
  }
  return true;
}

static const omen_condition *
finished_condition (reader *r, size_t from, bool has_code)
{
  omen_lexer *lexer = &r->parser->lexer;
  omen_arena *arena = &r->parser->spec->arena;
  omen_condition *c = OMEN_ARENA_NEW (arena, omen_condition, 1);
  omen_action *code = OMEN_ARENA_NEW (arena, omen_action, r->code.count + 1);
  const char **names = OMEN_ARENA_NEW (arena, const char *, r->names.count + 1);
  omen_integer_type *types
      = OMEN_ARENA_NEW (arena, omen_integer_type, r->names.count + 1);
  size_t to = lexer->at;
  while (to > from
         && (lexer->text[to - 1] == ' ' || lexer->text[to - 1] == '\n'))
    to--;
  memset (types, 0, (r->names.count + 1) * sizeof *types);
  if (r->code.count)
    memcpy (code, r->code.data, r->code.count * sizeof *code);
  if (r->names.count)
    memcpy (names, r->names.data, r->names.count * sizeof *names);
  *c = (omen_condition){ omen_arena_strndup (arena, lexer->text + from,
                                             to - from),
                         from,
                         has_code ? code : NULL,
                         (uint32_t)r->code.count,
                         names,
                         (uint32_t)r->names.count,
                         types };
  OMEN_VEC_FINI (r->code);
  OMEN_VEC_FINI (r->names);
  return c;
}

const omen_condition *
omen_parse_condition (omen_parser *parser, bool any_c)
{
  omen_lexer *lexer = &parser->lexer;
  size_t from = lexer->at;
  unsigned depth = lexer->depth;
  omen_err *err = lexer->err, ignored = { 0 };
  reader r = { .parser = parser };
  bool good;
  if (any_c)
    lexer->err = &ignored;
  good = expression (&r, 0) && r.deepest <= OMEN_CONDITION_DEPTH;
  lexer->err = err;
  lexer->depth = depth;
  if (any_c && !(good && omen_lex_is (lexer, ")"))) {
    omen_lex_seek (lexer, from);
    good = skip_c (lexer);
    if (good)
      return finished_condition (&r, from, false);
  } else if (good)
    return finished_condition (&r, from, true);
  else if (!err->set)
    omen_lex_fail (lexer, from, "a condition too deep to evaluate");
  OMEN_VEC_FINI (r.code);
  OMEN_VEC_FINI (r.names);
  return NULL;
}

/* `x > 0`: a number; or a name that is no event, and then a comparison that
   does not begin a temporal operator. A name alone is none. */
static bool
predicate_begins (const omen_parser *parser)
{
  static const char *const comparisons[] = { "==", "!=", "<=", ">=", "<", ">" };
  omen_lexer ahead = parser->lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  if (ahead.token == OMEN_TOKEN_NUMBER)
    return true;
  if (ahead.token != OMEN_TOKEN_NAME
      || omen_find_event (parser->property, ahead.text + ahead.at, ahead.length)
             != OMEN_NONE)
    return false;
  omen_lex_next (&ahead);
  while (omen_lex_take (&ahead, ".") && ahead.token == OMEN_TOKEN_NAME)
    omen_lex_next (&ahead);
  if (omen_lex_is (&ahead, "<=>") || omen_lex_is (&ahead, "<>")
      || omen_lex_is (&ahead, "<*>"))
    return false;
  for (size_t i = 0; i < OMEN_COUNT (comparisons); i++)
    if (omen_lex_is (&ahead, comparisons[i]))
      return true;
  return false;
}

/* A comparison of sums, so that && and => belong to the formula. */
static const omen_condition *
comparison (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  size_t from = lexer->at, i;
  const unsigned sum = 8; /* binds tighter than comparisons */
  reader r = { .parser = parser };
  bool good = expression (&r, sum);
  i = operator_here (lexer, 2);
  if (good
      && (i >= OMEN_COUNT (operators) || operators[i].strength < 6
          || operators[i].strength > 7))
    good = omen_lex_expected (lexer, "a comparison");
  if (good) {
    omen_lex_take (lexer, operators[i].spelling);
    good = expression (&r, sum);
    emit (&r, (omen_operator)i, 0);
  }
  if (good && r.deepest > OMEN_CONDITION_DEPTH)
    good = omen_lex_fail (lexer, from, "a predicate too deep to evaluate");
  if (good)
    return finished_condition (&r, from, true);
  OMEN_VEC_FINI (r.code);
  OMEN_VEC_FINI (r.names);
  return NULL;
}

/* Its number, added if new. */
static bool
add_predicate (omen_parser *parser, size_t from,
               const omen_condition *condition, uint32_t *number)
{
  omen_spec_property *property = parser->property;
  omen_spec_predicate added = { condition };
  parser->watches = true;
  for (size_t i = 0; i < property->predicates.count; i++)
    if (!strcmp (property->predicates.data[i].condition->text,
                 condition->text)) {
      *number = (uint32_t)i;
      return true;
    }
  if (property->predicates.count == OMEN_PREDICATES_MAX)
    return omen_lex_fail (&parser->lexer, from, "more than %d state predicates",
                          OMEN_PREDICATES_MAX);
  *number = (uint32_t)property->predicates.count;
  OMEN_VEC_PUSH (property->predicates, added);
  return true;
}

bool
omen_parse_predicate (omen_parser *parser, uint32_t *number)
{
  size_t from = parser->lexer.at;
  const omen_condition *condition;
  if (!predicate_begins (parser))
    return false;
  condition = comparison (parser);
  if (!condition)
    return false;
  omen_types_of_predicate (parser->spec, condition);
  return add_predicate (parser, from, condition, number);
}

/* As a condition it is false: analyses that know the run decide where it
   holds. */
bool
omen_parse_beside (omen_parser *parser, size_t from, uint32_t *number)
{
  static const omen_action never[] = { { OMEN_DO_INTEGER, 0 } };
  omen_condition *c = OMEN_ARENA_NEW (&parser->spec->arena, omen_condition, 1);
  *c = (omen_condition){
    .text = "(.)", .offset = from, .code = never, .count = 1
  };
  if (!add_predicate (parser, from, c, number))
    return false;
  parser->property->beside = 1u << *number;
  return true;
}
