/* monitor: "file.c", a monitor that the user has written in C
   (include/omen-monitor.h). Its categories are the names of its handlers. */
#include "monitor/own.h"
#include "spec/draw.h"
#include "spec/logic.h"

#include <string.h>

static const void *
parse_monitor (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  const char *at = lexer->text + lexer->at;
  const char *path;
  if (lexer->token != OMEN_TOKEN_STRING) {
    omen_lex_expected (lexer, "the name of a C file in quotes");
    return NULL;
  }
  path = omen_arena_strndup (&parser->spec->arena, at + 1, lexer->length - 2);
  if (!*path || strpbrk (path, "\\\n<>")) {
    omen_lex_fail (lexer, lexer->at, "this cannot be the name of a C file");
    return NULL;
  }
  omen_lex_next (lexer);
  return path;
}

static bool
has_category (const void *formula, const char *category)
{
  (void)formula, (void)category;
  return true;
}

/* The words are filled in when the file has been compiled and loaded. */
static bool
monitor_machine (const omen_building *b, omen_built *built)
{
  built->engine = &omen_engine_own;
  for (int i = 0; i < OMEN_OWN_WORDS; i++)
    OMEN_VEC_PUSH (built->words, 0);
  omen_built_generous (built, b);
  return true;
}

static void
draw_monitor (const omen_building *b, const char *prefix, FILE *out)
{
  fprintf (out, "    %s [shape=box, label=\"", prefix);
  omen_draw_quote (out, b->formula->formula);
  fputs ("\"];\n", out);
}

const omen_logic omen_logic_monitor = {
  .name = "monitor",
  .categories = "those that its file has",
  .about = "match",
  .parse = parse_monitor,
  .has_category = has_category,
  .machine = monitor_machine,
  .draw = draw_monitor,
};
