/* Pointcuts. One is kept as a list of alternatives, each a primitive pointcut
   with what it binds. */
#include "spec/parser.h"

#include <ctype.h>
#include <string.h>

#define ALTERNATIVES_MAX 64

/* ---- one pointcut ---- */

/* The text up to one of `ends`, without blanks around it; the token at the end
   becomes the current one. The text must not extend past the end of its
   declaration. */
static bool
text_up_to (omen_parser *parser, const char *ends, const char *what,
            const char **text)
{
  omen_lexer *lexer = &parser->lexer;
  size_t from = lexer->at, to = from;
  while (lexer->token != OMEN_TOKEN_END && lexer->token != OMEN_TOKEN_BAD
         && !(lexer->token == OMEN_TOKEN_MARK
              && (strchr (ends, lexer->text[lexer->at])
                  || strchr (";{}", lexer->text[lexer->at])))) {
    to = lexer->at + lexer->length;
    omen_lex_next (lexer);
  }
  if (to == from || lexer->token == OMEN_TOKEN_END)
    return omen_lex_expected (lexer, what);
  *text = omen_arena_strndup (&parser->spec->arena, lexer->text + from,
                              to - from);
  return lexer->token != OMEN_TOKEN_BAD;
}

static bool
in_pattern (char c)
{
  return isalnum ((unsigned char)c) || (c && strchr ("_:.*~$", c));
}

/* `iter *list_iter` is a type and a name; a `*` at the front of a name is the
   type's if there is one. */
static bool
split_function (omen_parser *parser, size_t at, const char *text, omen_cut *cut)
{
  size_t length = strlen (text), name = length, type;
  while (name > 0 && in_pattern (text[name - 1]))
    name--;
  type = name;
  while (type > 0 && isspace ((unsigned char)text[type - 1]))
    type--;
  if (type > 0)
    while (text[name] == '*' && text[name + 1])
      type = ++name;
  if (name == length || !strcmp (text, ".."))
    return omen_lex_fail (&parser->lexer, at + length,
                          "expected the name of a function");
  cut->pattern = text + name;
  cut->result
      = type ? omen_arena_strndup (&parser->spec->arena, text, type) : NULL;
  return true;
}

static bool
is_type_word (const char *text, size_t length)
{
  static const char *const words[]
      = { "struct", "union", "enum", "const", "unsigned", "signed" };
  for (size_t i = 0; i < OMEN_COUNT (words); i++)
    if (strlen (words[i]) == length && !memcmp (words[i], text, length))
      return true;
  return false;
}

/* `unsigned` alone, or before a name; `unsigned int` is a type. */
static bool
is_sign_of_name (const omen_lexer *lexer)
{
  static const char *const words[] = { "char", "short", "int", "long" };
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  if (!omen_lex_take (&ahead, "unsigned") && !omen_lex_take (&ahead, "signed"))
    return false;
  for (size_t i = 0; i < OMEN_COUNT (words); i++)
    if (omen_lex_is (&ahead, words[i]))
      return false;
  return ahead.token == OMEN_TOKEN_NAME;
}

/* `c`, `list *c`, or a type alone. */
static bool
declaration (omen_parser *parser, omen_arg *arg)
{
  omen_lexer *lexer = &parser->lexer;
  omen_arena *arena = &parser->spec->arena;
  size_t from = lexer->at, name = from, length = 0, words = 0, to = from;
  bool type_first = lexer->token == OMEN_TOKEN_NAME
                    && is_type_word (lexer->text + from, lexer->length)
                    && !is_sign_of_name (lexer);
  while (lexer->token == OMEN_TOKEN_NAME || omen_lex_is (lexer, "*")
         || omen_lex_is (lexer, "&") || omen_lex_is (lexer, ":")) {
    length = lexer->token == OMEN_TOKEN_NAME ? lexer->length : 0;
    name = lexer->at;
    to = name + lexer->length;
    words++;
    omen_lex_next (lexer);
  }
  if (!words)
    return omen_lex_expected (lexer, "an argument: a name, '*' or '..'");
  *arg = (omen_arg){ OMEN_ARG_NAME };
  arg->name = omen_arena_strndup (arena, lexer->text + name, length);
  if (!length
      || (type_first && words <= 2
          && omen_find_parameter (parser->property, arg->name) == OMEN_NONE)) {
    *arg = (omen_arg){ OMEN_ARG_ANY };
    arg->type = omen_arena_strndup (arena, lexer->text + from, to - from);
  } else if (name > from)
    arg->type = omen_arena_strndup (arena, lexer->text + from, name - from);
  return true;
}

static bool
argument (omen_parser *parser, omen_arg *arg)
{
  omen_lexer *lexer = &parser->lexer;
  *arg = (omen_arg){ OMEN_ARG_REST };
  if (omen_lex_take (lexer, ".."))
    return true;
  arg->kind = OMEN_ARG_ANY;
  if (omen_lex_then (lexer, "*", ",") || omen_lex_then (lexer, "*", ")"))
    return omen_lex_take (lexer, "*");
  if (lexer->token != OMEN_TOKEN_STRING && lexer->token != OMEN_TOKEN_NUMBER)
    return declaration (parser, arg);
  arg->kind = OMEN_ARG_TEXT;
  bool quoted = lexer->token == OMEN_TOKEN_STRING;
  arg->name = omen_arena_strndup (&parser->spec->arena,
                                  lexer->text + lexer->at + quoted,
                                  lexer->length - 2 * quoted);
  omen_lex_next (lexer);
  return true;
}

bool
omen_parse_arguments (omen_parser *parser, omen_cut *cut)
{
  omen_lexer *lexer = &parser->lexer;
  OMEN_VEC (omen_arg) args = { 0 };
  bool good = omen_lex_want (lexer, "(", "'('");
  omen_arg *kept;
  if (good && !omen_lex_is (lexer, ")"))
    do {
      omen_arg arg;
      good = argument (parser, &arg);
      if (good)
        OMEN_VEC_PUSH (args, arg);
    } while (good && omen_lex_take (lexer, ","));
  good = good && omen_lex_want (lexer, ")", "',' or ')' after an argument");
  kept = OMEN_ARENA_NEW (&parser->spec->arena, omen_arg, args.count + 1);
  if (args.count)
    memcpy (kept, args.data, args.count * sizeof *kept);
  cut->args = kept;
  cut->arg_count = (uint32_t)args.count;
  cut->has_args = true;
  OMEN_ASSERT (good || parser->lexer.err->set);
  OMEN_VEC_FINI (args);
  return good;
}

/* `Collection+.iterator`, `Iterator.next` */
static bool
is_no_signature (omen_parser *parser, size_t at, const char *text)
{
  const char *point = strpbrk (text, "+.");
  const char *sign = strstr (text, "operator");
  if (!point || sign || !strncmp (point, "..", 2))
    return true;
  return omen_lex_fail (
      &parser->lexer, at,
      "this is a Java signature; programs in C have functions "
      "and C++ qualified names: call(list_iterator(list *c)), "
      "call(List::iterator(*)) && target(c)");
}

static bool
function_cut (omen_parser *parser, omen_cut *cut)
{
  omen_lexer *lexer = &parser->lexer;
  const char *text;
  size_t at;
  if (!omen_lex_want (lexer, "(", "'(' and a function"))
    return false;
  at = lexer->at;
  return text_up_to (parser, "()", "the name of a function", &text)
         && is_no_signature (parser, at, text)
         && split_function (parser, at, text, cut)
         && (!omen_lex_is (lexer, "(") || omen_parse_arguments (parser, cut))
         && omen_lex_want (lexer, ")", "')' after the function");
}

/* Put blanks into one form: `struct  node . next` gets one, after the first
   word. */
static const char *
in_one_form (omen_parser *parser, const char *text)
{
  char *form = omen_arena_alloc (&parser->spec->arena, strlen (text) + 1);
  size_t length = 0;
  for (const char *p = text; *p; p++) {
    bool blank = isspace ((unsigned char)*p);
    if (!blank)
      form[length++] = *p;
    else if (length && isalnum ((unsigned char)form[length - 1])
             && (p[1] == '_' || p[1] == '*' || isalpha ((unsigned char)p[1])))
      form[length++] = ' ';
  }
  form[length] = 0;
  return form;
}

static bool
variable_cut (omen_parser *parser, omen_cut *cut)
{
  omen_lexer *lexer = &parser->lexer;
  if (!omen_lex_want (lexer, "(", "'(' and the name of a variable")
      || !text_up_to (parser, ")", "the name of a variable", &cut->pattern))
    return false;
  cut->pattern = in_one_form (parser, cut->pattern);
  return omen_lex_want (lexer, ")", "')' after the variable");
}

static bool
object_cut (omen_parser *parser, omen_cut *cut)
{
  size_t at = parser->lexer.at;
  return omen_parse_arguments (parser, cut)
         && (cut->arg_count <= 1
             || omen_lex_fail (&parser->lexer, at, "%s() takes one argument",
                               omen_cut_word (cut->kind)));
}

/* ---- clauses ---- */

static bool
one_name (omen_parser *parser, const char *what, const char **name,
          const char **type)
{
  omen_cut in = { 0 };
  size_t at = parser->lexer.at;
  if (!omen_parse_arguments (parser, &in))
    return false;
  if (in.arg_count != 1 || in.args[0].kind != OMEN_ARG_NAME)
    return omen_lex_fail (&parser->lexer, at, "expected one name in %s()",
                          what);
  *name = in.args[0].name;
  *type = in.args[0].type;
  return true;
}

/* thread(t), or thread("teller"): just that one. */
static bool
thread_clause (omen_parser *parser, omen_cut *cut)
{
  omen_cut in = { 0 };
  size_t at = parser->lexer.at;
  if (!omen_parse_arguments (parser, &in))
    return false;
  if (in.arg_count == 1 && in.args[0].kind == OMEN_ARG_TEXT)
    cut->only_thread = in.args[0].name;
  else if (in.arg_count == 1 && in.args[0].kind == OMEN_ARG_NAME)
    cut->thread = in.args[0].name;
  else
    return omen_lex_fail (&parser->lexer, at,
                          "expected a name, or that of a thread in quotes, in "
                          "thread()");
  return true;
}

static bool
condition (omen_parser *parser, omen_cut *cut)
{
  omen_lexer *lexer = &parser->lexer;
  if (!omen_lex_want (lexer, "(", "'(' and a condition"))
    return false;
  cut->condition = omen_parse_condition (parser, true);
  return cut->condition && omen_lex_want (lexer, ")", "')'");
}

/* Parse a clause, if one comes next (*found). */
static bool
clause (omen_parser *parser, omen_cut *cut, bool *found)
{
  omen_lexer *lexer = &parser->lexer;
  const char *ignored;
  *cut = (omen_cut){ .kind = OMEN_CUT_KINDS };
  *found = true;
  if (omen_lex_take (lexer, "returning"))
    return one_name (parser, "returning", &cut->returning,
                     &cut->returning_type);
  if (omen_lex_take (lexer, "thread"))
    return thread_clause (parser, cut);
  if (omen_lex_take (lexer, "target"))
    return one_name (parser, "target", &cut->target, &ignored);
  if (omen_lex_take (lexer, "args"))
    return omen_parse_arguments (parser, cut);
  if (omen_lex_take (lexer, "if") || omen_lex_take (lexer, "condition"))
    return condition (parser, cut);
  *found = false;
  return true;
}

/* ---- combinations ---- */

/* False, with an error: both are given. */
static bool
not_both_say (omen_parser *parser, size_t at, const void *a, const void *b,
              const char *what)
{
  return !(a && b)
         || omen_lex_fail (&parser->lexer, at, "%s is given twice", what);
}

/* `call(f(list *, int)) && args(c, n)`: the words of the signature are types,
   unless it names a parameter or gives the value of an argument. */
static bool
is_signature (const omen_parser *parser, const omen_cut *cut)
{
  for (uint32_t i = 0; i < cut->arg_count; i++)
    if (cut->args[i].kind == OMEN_ARG_TEXT
        || (cut->args[i].kind == OMEN_ARG_NAME
            && omen_find_parameter (parser->property, cut->args[i].name)
                   != OMEN_NONE))
      return false;
  return cut->kind != OMEN_CUT_KINDS;
}

/* a && b, into a. */
static bool
merge_cuts (omen_parser *parser, size_t at, omen_cut *a, const omen_cut *b)
{
  if (a->kind != OMEN_CUT_KINDS && b->kind != OMEN_CUT_KINDS)
    return omen_lex_fail (&parser->lexer, at,
                          "an event cannot be %s and %s at once; use ||",
                          omen_cut_word (a->kind), omen_cut_word (b->kind));
  if (!not_both_say (parser, at, a->returning, b->returning, "returning")
      || !not_both_say (parser, at, a->thread, b->thread, "thread")
      || !not_both_say (parser, at, a->only_thread, b->only_thread, "thread")
      || !not_both_say (parser, at, a->target, b->target, "target")
      || !not_both_say (parser, at, a->condition, b->condition, "if")
      || !not_both_say (parser, at, is_signature (parser, a) ? NULL : a->args,
                        is_signature (parser, b) ? NULL : b->args, "args"))
    return false;
#define TAKE(field) a->field = a->field ? a->field : b->field
  TAKE (returning);
  TAKE (returning_type);
  TAKE (thread);
  TAKE (only_thread);
  TAKE (target);
  TAKE (condition);
  TAKE (pattern);
  TAKE (result);
  TAKE (offset);
#undef TAKE
  if (b->args && (!a->args || is_signature (parser, a))) {
    a->args = b->args;
    a->arg_count = b->arg_count;
    a->has_args = true;
  }
  if (a->kind == OMEN_CUT_KINDS)
    a->kind = b->kind;
  return true;
}

/* Combine every alternative of a with every one of b, into a. */
static bool
cross (omen_parser *parser, size_t at, omen_cuts *a, const omen_cuts *b)
{
  omen_cuts all = { 0 };
  bool good = true;
  OMEN_ASSERT (a->count <= ALTERNATIVES_MAX && b->count <= ALTERNATIVES_MAX);
  for (size_t i = 0; good && i < a->count; i++)
    for (size_t j = 0; good && j < b->count; j++) {
      omen_cut cut = a->data[i];
      good = merge_cuts (parser, at, &cut, &b->data[j]);
      OMEN_VEC_PUSH (all, cut);
    }
  if (good && all.count > ALTERNATIVES_MAX)
    good = omen_lex_fail (&parser->lexer, at,
                          "a pointcut with more than %d alternatives",
                          ALTERNATIVES_MAX);
  OMEN_VEC_FINI (*a);
  *a = all;
  return good;
}

static bool cut_alternatives (omen_parser *parser, omen_cuts *out);

/* Pointcuts of AspectJ and JavaMOP that there are not, and what to write
   instead. */
static bool
no_pointcut (const omen_lexer *lexer)
{
  static const struct {
    const char *word, *instead;
  } others[] = {
    { "!", "say what is meant, or if (!…) of a value" },
    { "this", "target(o) is the object of a call" },
    { "cflow", "call and execution of the function are events of their own" },
    { "cflowbelow",
      "call and execution of the function are events of their own" },
    { "within", "a trace does not say where an access was written" },
    { "withincode", "a trace does not say where an access was written" },
    { "handler", "programs in C have no exceptions" },
    { "throwing", "programs in C have no exceptions" },
    { "initialization", "execution(Class::Class(*)) is that in C++" },
    { "staticinitialization", "execution(main(..)) is where a program begins" },
    { "startThread", "before execution(f(..)) of the thread's function, or "
                     "after fork(t)" },
    { "endThread",
      "after execution(f(..)) of the thread's function, or join(t)" },
    { "endProgram", "after execution(main(..))" },
    { "endObject", "free(p), or OMEN_DEAD (p) in the program" },
    { "threadName", "thread(\"name\")" },
  };
  for (size_t i = 0; i < OMEN_COUNT (others); i++)
    if (omen_lex_is (lexer, others[i].word))
      return omen_lex_fail (lexer, lexer->at, "there is no pointcut '%s'; %s",
                            others[i].word, others[i].instead);
  return omen_lex_expected (lexer, "a pointcut, such as call(f(..))");
}

static bool
primitive (omen_parser *parser, omen_cuts *out)
{
  omen_lexer *lexer = &parser->lexer;
  omen_cut cut;
  bool found, good = clause (parser, &cut, &found);
  unsigned kind = 0;
  if (!good || found) {
    if (good)
      OMEN_VEC_PUSH (*out, cut);
    return good;
  }
  while (kind < OMEN_CUT_KINDS && !omen_lex_is (lexer, omen_cut_word (kind)))
    kind++;
  if (kind == OMEN_CUT_KINDS)
    return no_pointcut (lexer);
  cut.kind = (omen_cut_kind)kind;
  cut.offset = lexer->at;
  omen_lex_next (lexer);
  good = omen_cut_takes (kind) == OMEN_CUT_FUNCTION
             ? function_cut (parser, &cut)
         : omen_cut_takes (kind) == OMEN_CUT_VARIABLE
             ? variable_cut (parser, &cut)
             : object_cut (parser, &cut);
  if (good)
    OMEN_VEC_PUSH (*out, cut);
  return good;
}

static bool
factor (omen_parser *parser, omen_cuts *out)
{
  omen_lexer *lexer = &parser->lexer;
  bool good;
  if (!omen_lex_take (lexer, "("))
    return primitive (parser, out);
  good = omen_lex_deeper (lexer) && cut_alternatives (parser, out)
         && omen_lex_want (lexer, ")", "')' in the pointcut");
  lexer->depth--;
  return good;
}

static bool
cut_conjunction (omen_parser *parser, omen_cuts *out)
{
  bool good = factor (parser, out);
  while (good && omen_lex_take (&parser->lexer, "&&")) {
    size_t at = parser->lexer.at;
    omen_cuts next = { 0 };
    good = factor (parser, &next) && cross (parser, at, out, &next);
    OMEN_VEC_FINI (next);
  }
  return good;
}

static bool
cut_alternatives (omen_parser *parser, omen_cuts *out)
{
  bool good = cut_conjunction (parser, out);
  while (good && omen_lex_take (&parser->lexer, "||")) {
    omen_cuts next = { 0 };
    good = cut_conjunction (parser, &next);
    for (size_t i = 0; good && i < next.count; i++)
      OMEN_VEC_PUSH (*out, next.data[i]);
    OMEN_VEC_FINI (next);
  }
  return good
         && (out->count <= ALTERNATIVES_MAX
             || omen_lex_fail (&parser->lexer, parser->lexer.at,
                               "a pointcut with more than %d alternatives",
                               ALTERNATIVES_MAX));
}

/* `POINTCUT returning(x) if (…)`: clauses at the end apply to all
   alternatives. */
bool
omen_parse_pointcut (omen_parser *parser, omen_cuts *out)
{
  bool good = cut_alternatives (parser, out), found = good;
  while (good && found) {
    size_t at = parser->lexer.at;
    omen_cuts one = { 0 };
    omen_cut cut;
    good = clause (parser, &cut, &found);
    if (good && found) {
      OMEN_VEC_PUSH (one, cut);
      good = cross (parser, at, out, &one);
    }
    OMEN_VEC_FINI (one);
  }
  for (size_t i = 0; good && i < out->count; i++)
    if (out->data[i].kind == OMEN_CUT_KINDS)
      good = omen_lex_fail (&parser->lexer, parser->lexer.at,
                            "a pointcut that does not say what to look for");
  return good;
}
