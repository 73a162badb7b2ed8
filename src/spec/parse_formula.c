/* Formulas of a property, each with its handlers. */
#include "spec/logic.h"
#include "spec/parser.h"

#include <string.h>

/* Words after which code may not be reached. */
static bool
decides (const omen_lexer *lexer)
{
  static const char *const words[]
      = { "if",     "for", "while", "do", "switch",  "goto",
          "return", "?",   "&&",    "||", "longjmp", "#" };
  for (size_t i = 0; i < OMEN_COUNT (words); i++)
    if (omen_lex_is (lexer, words[i]))
      return true;
  return false;
}

static void
look_for_reset (const omen_lexer *lexer, omen_spec_handler *h)
{
  omen_err ignored = { 0 };
  omen_lexer inside;
  bool decided = false;
  omen_lexer_init (&inside, lexer->path, lexer->text + h->from, h->to - h->from,
                   &ignored);
  for (; inside.token != OMEN_TOKEN_END && inside.token != OMEN_TOKEN_BAD;
       omen_lex_next (&inside)) {
    decided |= decides (&inside);
    h->resets |= omen_lex_is (&inside, "__RESET");
  }
  h->may_reset = h->resets && decided;
}

static bool
category_fits (omen_parser *parser, const omen_spec_formula *formula,
               const omen_spec_handler *handler)
{
  const omen_lexer *lexer = &parser->lexer;
  const omen_logic *logic = formula->logic;
  if (!logic->has_category (formula->formula, handler->category))
    return omen_lex_fail (lexer, handler->offset,
                          "%s has no category '%s'; it has %s", logic->name,
                          handler->category, logic->categories);
  for (size_t i = 0; i < formula->handlers.count; i++)
    if (!strcmp (formula->handlers.data[i].category, handler->category))
      return omen_lex_fail (lexer, handler->offset,
                            "a second handler for '%s' of this formula",
                            handler->category);
  if (formula->handlers.count == OMEN_CATEGORIES_MAX)
    return omen_lex_fail (lexer, handler->offset, "more than %d handlers",
                          OMEN_CATEGORIES_MAX);
  if (parser->property->modifiers & OMEN_SUFFIX
      && !(logic->has_suffix && logic->has_suffix (handler->category)))
    return omen_lex_fail (lexer, handler->offset,
                          "a suffix property cannot have '%s' of %s: every "
                          "event starts another attempt",
                          handler->category, logic->name);
  return true;
}

static bool
handler (omen_parser *parser, omen_spec_formula *formula)
{
  omen_lexer *lexer = &parser->lexer;
  omen_spec_handler h = { .offset = lexer->at };
  omen_lex_take (lexer, "@");
  if (!omen_lex_name (lexer, &parser->spec->arena, "a category after '@'",
                      &h.category)
      || !category_fits (parser, formula, &h)
      || !omen_lex_block (lexer, &h.from, &h.to))
    return false;
  look_for_reset (lexer, &h);
  OMEN_VEC_PUSH (formula->handlers, h);
  return true;
}

static bool
suffix_fits (omen_parser *parser, const omen_spec_formula *formula)
{
  const omen_logic *logic = formula->logic;
  return !(parser->property->modifiers & OMEN_SUFFIX)
         || (logic->has_suffix
             && (formula->handlers.count || logic->has_suffix (logic->about)))
         || omen_lex_fail (&parser->lexer, formula->offset,
                           "a suffix property cannot have a formula of %s%s",
                           logic->name,
                           logic->has_suffix ? " without handlers" : "");
}

bool
omen_parse_formula (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  omen_spec_formula *f;
  omen_spec_formula added = { .offset = lexer->at };
  char names[200];
  added.logic = omen_logic_find (lexer->text + lexer->at, lexer->length);
  omen_logic_names (names, sizeof names);
  if (!added.logic)
    return omen_lex_fail (lexer, lexer->at,
                          "unknown logic '%.*s'; there are %s",
                          lexer->length > 40 ? 40 : (int)lexer->length,
                          lexer->text + lexer->at, names);
  omen_lex_next (lexer);
  omen_lex_take (lexer, ":");
  OMEN_VEC_PUSH (parser->property->formulas, added);
  f = &OMEN_VEC_LAST (parser->property->formulas);
  parser->watches = false;
  f->formula = f->logic->parse (parser);
  if (!f->formula)
    return false;
  f->watches = parser->watches;
  while (omen_lex_is (lexer, "@"))
    if (!handler (parser, f))
      return false;
  return suffix_fits (parser, f);
}
