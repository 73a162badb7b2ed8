/* The file: preamble, and properties with their events and formulas. */
#include "monitor/property.h"
#include "spec/parser.h"

#include <stdio.h>
#include <string.h>

static const struct {
  const char *words[3]; /* name, and what follows it */
  unsigned bit;
} modifiers[] = {
  { { "full", "-", "binding" }, OMEN_FULL_BINDING },
  { { "connected" }, OMEN_CONNECTED },
  { { "suffix" }, OMEN_SUFFIX },
  { { "perthread" }, OMEN_PER_THREAD },
  { { "unsynchronized" }, OMEN_UNSYNCHRONIZED },
  { { "decentralized" }, OMEN_DECENTRALIZED },
};

uint32_t
omen_find_event (const omen_spec_property *property, const char *text,
                 size_t length)
{
  for (size_t i = 0; i < property->events.count; i++) {
    const char *name = property->events.data[i].name;
    if (strlen (name) == length && !memcmp (name, text, length))
      return (uint32_t)i;
  }
  return OMEN_NONE;
}

uint32_t
omen_find_parameter (const omen_spec_property *property, const char *name)
{
  for (size_t i = 0; i < property->parameters.count; i++)
    if (!strcmp (property->parameters.data[i].name, name))
      return (uint32_t)i;
  return OMEN_NONE;
}

bool
omen_parse_event_name (omen_parser *parser, uint32_t *event)
{
  omen_lexer *lexer = &parser->lexer;
  if (lexer->token != OMEN_TOKEN_NAME)
    return omen_lex_expected (lexer, "the name of an event");
  *event = omen_find_event (parser->property, lexer->text + lexer->at,
                            lexer->length);
  if (*event == OMEN_NONE)
    return omen_lex_fail (lexer, lexer->at, "no event '%.*s' in property '%s'",
                          (int)lexer->length, lexer->text + lexer->at,
                          parser->property->name);
  omen_lex_next (lexer);
  return true;
}

bool
omen_at_formula (const omen_lexer *lexer)
{
  return omen_lex_is_name_before (lexer, ":")
         && !omen_lex_is_name_before (lexer, "::");
}

/* ---- preamble ---- */

static bool
take_modifier (omen_lexer *lexer, unsigned *bits, bool *twice)
{
  for (size_t i = 0; i < OMEN_COUNT (modifiers); i++) {
    size_t at = lexer->at, word = 0;
    while (word < 3 && modifiers[i].words[word]
           && omen_lex_take (lexer, modifiers[i].words[word]))
      word++;
    if (word == 3 || !modifiers[i].words[word]) {
      *twice = *bits & modifiers[i].bit;
      *bits |= modifiers[i].bit;
      return true;
    }
    omen_lex_seek (lexer, at);
  }
  return false;
}

static bool
at_event (const omen_lexer *lexer)
{
  return omen_lex_is (lexer, "creation") || omen_lex_is (lexer, "event");
}

/* `Name (…) {` or `Name {`, and an event: a property without that word. */
static bool
is_bare (const omen_lexer *lexer)
{
  omen_lexer ahead = *lexer;
  if (ahead.token != OMEN_TOKEN_NAME)
    return false;
  omen_lex_next (&ahead);
  if (omen_lex_take (&ahead, "(")) {
    while (ahead.token != OMEN_TOKEN_END && ahead.token != OMEN_TOKEN_BAD
           && !omen_lex_is (&ahead, ")") && !omen_lex_is (&ahead, "("))
      omen_lex_next (&ahead);
    if (!omen_lex_take (&ahead, ")"))
      return false;
  }
  return omen_lex_take (&ahead, "{") && at_event (&ahead);
}

/* `property Name (` or `{`, after any modifiers? Nothing is taken. */
static bool
property_begins (const omen_lexer *lexer)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  unsigned bits = 0;
  bool twice;
  ahead.err = &ignored;
  while (take_modifier (&ahead, &bits, &twice))
    continue;
  if (!omen_lex_take (&ahead, "property"))
    return (bits && ahead.token == OMEN_TOKEN_NAME) || is_bare (&ahead);
  return ahead.token == OMEN_TOKEN_NAME || bits || omen_lex_is (&ahead, "{")
         || ahead.token == OMEN_TOKEN_END;
}

/* Past a line of the preprocessor, and those that it is continued on. */
static void
skip_directive (omen_lexer *lexer)
{
  size_t at = lexer->at;
  while (at < lexer->size
         && (lexer->text[at] != '\n' || lexer->text[at - 1] == '\\'))
    at++;
  omen_lex_seek (lexer, at);
}

/* `event a (` or `event a before`: not possible in a block of C. */
static bool
is_event (const omen_lexer *lexer)
{
  omen_lexer ahead = *lexer;
  omen_lex_take (&ahead, "creation");
  if (!omen_lex_take (&ahead, "event") || ahead.token != OMEN_TOKEN_NAME)
    return false;
  omen_lex_next (&ahead);
  return omen_lex_is (&ahead, "(") || omen_lex_is (&ahead, "before")
         || omen_lex_is (&ahead, "after");
}

/* Is the block that of a property: does it begin with an event, or have one
   after declarations, which MOP allows (*declares)? */
static bool
holds_events (const omen_lexer *lexer, bool *declares)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  bool statement = true;
  size_t from, to;
  ahead.err = &ignored;
  *declares = false;
  if (!omen_lex_take (&ahead, "{") || at_event (&ahead))
    return omen_lex_take (&ahead, "creation") || omen_lex_is (&ahead, "event");
  while (ahead.token != OMEN_TOKEN_END && ahead.token != OMEN_TOKEN_BAD
         && !omen_lex_is (&ahead, "}")) {
    if (statement && is_event (&ahead))
      return *declares = true;
    if (omen_lex_is (&ahead, "{")) {
      if (!omen_lex_block (&ahead, &from, &to))
        return false;
      statement = true;
      continue;
    }
    statement = omen_lex_is (&ahead, ";");
    omen_lex_next (&ahead);
  }
  return false;
}

static bool
no_declaration (const omen_lexer *lexer)
{
  return omen_lex_fail (lexer, lexer->at,
                        "a declaration in a property; what all monitors share "
                        "stands before the first property, and what each has "
                        "for itself is a monitor of one's own (monitor: "
                        "\"file.c\")");
}

static bool
skip_preamble (omen_lexer *lexer)
{
  bool statement = true;    /* at the start of one, */
  size_t start = lexer->at; /* which is this */
  while (!(statement && property_begins (lexer))) {
    size_t from, to;
    if (lexer->token == OMEN_TOKEN_BAD)
      return false;
    if (lexer->token == OMEN_TOKEN_END)
      return omen_lex_expected (lexer, "a property");
    if (omen_lex_is (lexer, "#")) {
      skip_directive (lexer);
      continue;
    }
    if (omen_lex_is (lexer, "{")) {
      bool declares;
      if (holds_events (lexer, &declares)) {
        if (declares) {
          omen_lex_next (lexer);
          return no_declaration (lexer);
        }
        omen_lex_seek (lexer, start);
        return omen_lex_expected (lexer, "'property'");
      }
      if (!omen_lex_block (lexer, &from, &to))
        return false;
      statement = true;
      start = lexer->at;
      continue;
    }
    statement = omen_lex_is (lexer, ";");
    omen_lex_next (lexer);
    if (statement)
      start = lexer->at;
  }
  return true;
}

/* ---- head ---- */

static bool
head_modifiers (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  size_t at = lexer->at;
  bool twice;
  while (take_modifier (lexer, &parser->property->modifiers, &twice)) {
    if (twice)
      return omen_lex_fail (lexer, at, "a modifier given twice");
    at = lexer->at;
  }
  return omen_lex_take (lexer, "property") || is_bare (lexer)
         || omen_lex_expected (lexer, "'property'");
}

static bool
add_parameter (omen_parser *parser, size_t at, const char *type,
               const char *name)
{
  omen_spec_parameter added = { type, name };
  if (omen_find_parameter (parser->property, name) != OMEN_NONE)
    return omen_lex_fail (&parser->lexer, at, "parameter '%s' is named twice",
                          name);
  if (parser->property->parameters.count == OMEN_PARAMETERS_MAX)
    return omen_lex_fail (&parser->lexer, at, "more than %d parameters",
                          OMEN_PARAMETERS_MAX);
  OMEN_VEC_PUSH (parser->property->parameters, added);
  return true;
}

/* `type name`: the last name before `,` or `)` is the parameter's. */
static bool
parameter (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  omen_arena *arena = &parser->spec->arena;
  size_t from = lexer->at, at = from, length = 0;
  while (lexer->token == OMEN_TOKEN_NAME || omen_lex_is (lexer, "*")
         || omen_lex_is (lexer, ":") || omen_lex_is (lexer, "&")) {
    at = lexer->at;
    length = lexer->token == OMEN_TOKEN_NAME ? lexer->length : 0;
    omen_lex_next (lexer);
  }
  if (!length)
    return omen_lex_expected (lexer, "a parameter, such as 'list *c'");
  return add_parameter (
      parser, at, omen_arena_strndup (arena, lexer->text + from, at - from),
      omen_arena_strndup (arena, lexer->text + at, length));
}

static bool
head (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  omen_spec_property *property = parser->property;
  property->offset = lexer->at;
  if (!head_modifiers (parser))
    return false;
  property->offset = lexer->at;
  if (!omen_lex_name (lexer, &parser->spec->arena, "the name of a property",
                      &property->name))
    return false;
  if (omen_lex_take (lexer, "(") && !omen_lex_take (lexer, ")")) {
    do
      if (!parameter (parser))
        return false;
    while (omen_lex_take (lexer, ","));
    if (!omen_lex_want (lexer, ")", "',' or ')' after a parameter"))
      return false;
  }
  if (property->modifiers & OMEN_PER_THREAD
      && !add_parameter (parser, property->offset, "", "thread"))
    return false;
  return omen_lex_want (lexer, "{", "'{' after the property's name");
}

/* ---- properties ---- */

/* Writes to variables that state predicates use are events, too. */
static void
add_state_event (omen_spec_property *property)
{
  omen_spec_event added = { .name = "(state)" };
  if (!property->predicates.count)
    return;
  if (property->modifiers & OMEN_PER_THREAD)
    added.binds = 1u << (property->parameters.count - 1);
  OMEN_VEC_PUSH (property->events, added);
}

/* Declarations, which MOP allows in a property. */
static bool
is_declaration (const omen_lexer *lexer)
{
  static const char *const words[]
      = { "int",    "long",   "short",    "char",   "unsigned", "signed",
          "bool",   "float",  "double",   "void",   "struct",   "union",
          "enum",   "static", "const",    "size_t", "FILE",     "typedef",
          "extern", "_Bool",  "volatile", "String", "boolean" };
  for (size_t i = 0; i < OMEN_COUNT (words); i++)
    if (omen_lex_is (lexer, words[i]))
      return true;
  return false;
}

static bool
expected_part (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  if (is_declaration (lexer))
    return no_declaration (lexer);
  if (omen_lex_is (lexer, "@") && !parser->property->formulas.count)
    return omen_lex_fail (lexer, lexer->at,
                          "a category without a formula; code alone is a "
                          "monitor of one's own (monitor: \"file.c\")");
  return omen_lex_expected (lexer, parser->property->formulas.count
                                       ? "'@', '}' or another formula here"
                                       : "an event, or a formula: LOGIC ':'");
}

static bool
property_body (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  while (at_event (lexer))
    if (!omen_parse_event (parser))
      return false;
  while (!omen_lex_is (lexer, "}")) {
    if (parser->property->formulas.count && at_event (lexer))
      return omen_lex_expected (lexer, "events before the first formula");
    if (!omen_at_formula (lexer))
      return expected_part (parser);
    if (!omen_parse_formula (parser))
      return false;
  }
  if (!parser->property->formulas.count)
    return omen_lex_expected (lexer,
                              "a formula, such as 'ere: a b' (or code of "
                              "one's own, monitor: \"file.c\")");
  omen_lex_take (lexer, "}");
  omen_lex_take (lexer, ";");
  add_state_event (parser->property);
  return true;
}

static bool
property (omen_parser *parser)
{
  omen_spec *spec = parser->spec;
  omen_spec_property added = { 0 };
  OMEN_VEC_PUSH (spec->properties, added);
  parser->property = &OMEN_VEC_LAST (spec->properties);
  if (!head (parser))
    return false;
  for (size_t i = 0; i + 1 < spec->properties.count; i++)
    if (!strcmp (spec->properties.data[i].name, parser->property->name))
      return omen_lex_fail (&parser->lexer, parser->property->offset,
                            "a second property '%s'", parser->property->name);
  return property_body (parser);
}

/* ---- the file ---- */

static bool
file (omen_parser *parser)
{
  omen_lexer *lexer = &parser->lexer;
  const char *zero = memchr (lexer->text, 0, lexer->size);
  if (zero)
    return omen_lex_fail (lexer, (size_t)(zero - lexer->text),
                          "a NUL byte: this is not a property file");
  if (!skip_preamble (lexer))
    return false;
  parser->spec->preamble = lexer->at;
  do
    if (!property (parser))
      return false;
  while (lexer->token != OMEN_TOKEN_END);
  return true;
}

omen_spec *
omen_spec_parse (const char *path, const char *text, size_t size, omen_err *err)
{
  omen_spec *spec = omen_zalloc (1, sizeof *spec);
  omen_parser parser = { .spec = spec };
  omen_arena_init (&spec->arena);
  spec->path = omen_arena_strndup (&spec->arena, path, strlen (path));
  spec->text = omen_arena_strndup (&spec->arena, text, size);
  spec->size = size;
  omen_lexer_init (&parser.lexer, spec->path, spec->text, size, err);
  if (file (&parser))
    return spec;
  OMEN_ASSERT (err->set);
  omen_spec_free (spec);
  return NULL;
}

void
omen_spec_free (omen_spec *spec)
{
  if (!spec)
    return;
  for (size_t i = 0; i < spec->properties.count; i++) {
    omen_spec_property *p = &spec->properties.data[i];
    for (size_t j = 0; j < p->events.count; j++)
      OMEN_VEC_FINI (p->events.data[j].cuts);
    for (size_t j = 0; j < p->formulas.count; j++)
      OMEN_VEC_FINI (p->formulas.data[j].handlers);
    OMEN_VEC_FINI (p->parameters);
    OMEN_VEC_FINI (p->events);
    OMEN_VEC_FINI (p->predicates);
    OMEN_VEC_FINI (p->formulas);
  }
  OMEN_VEC_FINI (spec->properties);
  omen_arena_fini (&spec->arena);
  omen_free (spec);
}

static omen_lexer
lexer_of (const omen_spec *spec, omen_err *err)
{
  return (omen_lexer){
    .path = spec->path, .text = spec->text, .size = spec->size, .err = err
  };
}

void
omen_spec_place (const omen_spec *spec, size_t offset,
                 omen_place_in_file *place)
{
  omen_lexer lexer = lexer_of (spec, NULL);
  omen_lex_place (&lexer, offset, place);
}

bool
omen_spec_fail (const omen_spec *spec, size_t offset, omen_err *err,
                const char *format, ...)
{
  omen_lexer lexer = lexer_of (spec, err);
  char what[400];
  va_list args;
  va_start (args, format);
  vsnprintf (what, sizeof what, format, args);
  va_end (args);
  return omen_lex_fail (&lexer, offset, "%s", what);
}
