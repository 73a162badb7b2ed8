/* The sizes of names: types as they are written in property files. */
#include "spec/types.h"
#include "spec/lex.h"

#include <ctype.h>
#include <string.h>

/* ---- one type ---- */

typedef struct known_type {
  const char *text;
  omen_integer_type type;
} known_type;

/* Types of one word. */
static const known_type whole[] = {
  { "int8_t", { 1, false, false } },    { "uint8_t", { 1, true, false } },
  { "int16_t", { 2, false, false } },   { "uint16_t", { 2, true, false } },
  { "int32_t", { 4, false, false } },   { "uint32_t", { 4, true, false } },
  { "int64_t", { 8, false, false } },   { "uint64_t", { 8, true, false } },
  { "size_t", { 8, true, false } },     { "ssize_t", { 8, false, false } },
  { "ptrdiff_t", { 8, false, false } }, { "intptr_t", { 8, false, false } },
  { "uintptr_t", { 8, true, false } },  { "off_t", { 8, false, false } },
  { "bool", { 1, true, false } },       { "_Bool", { 1, true, false } },
  { "float", { 4, false, true } },      { "double", { 8, false, true } },
};

static const char *const plain[]
    = { "const", "volatile", "extern", "static", "_Atomic", "signed" };

static bool
is_word (const char *wanted, const char *text, size_t length)
{
  return strlen (wanted) == length && !memcmp (wanted, text, length);
}

/* What words of a type have said so far. */
typedef struct said {
  unsigned longs, shorts, chars, ints, unsigneds, signs;
  omen_integer_type whole;
  bool other;
} said;

static void
take_word (said *s, const char *text, size_t length)
{
  for (size_t i = 0; i < OMEN_COUNT (whole); i++)
    if (is_word (whole[i].text, text, length)) {
      s->whole = whole[i].type;
      return;
    }
  for (size_t i = 0; i < OMEN_COUNT (plain); i++)
    if (is_word (plain[i], text, length)) {
      s->signs += is_word ("signed", text, length);
      return;
    }
  if (is_word ("long", text, length))
    s->longs++;
  else if (is_word ("short", text, length))
    s->shorts++;
  else if (is_word ("char", text, length))
    s->chars++;
  else if (is_word ("int", text, length))
    s->ints++;
  else if (is_word ("unsigned", text, length))
    s->unsigneds++;
  else
    s->other = true;
}

static size_t
word_length (const char *text, size_t length)
{
  size_t n = 0;
  while (n < length && (isalnum ((unsigned char)text[n]) || text[n] == '_'))
    n++;
  return n;
}

static omen_integer_type
type_said (const said *s)
{
  bool any = s->longs || s->shorts || s->chars || s->ints || s->unsigneds
             || s->signs;
  if (s->other || (s->whole.bytes && any))
    return (omen_integer_type){ 0 };
  if (s->whole.bytes || !any)
    return s->whole;
  return (omen_integer_type){ s->longs    ? 8
                              : s->shorts ? 2
                              : s->chars  ? 1
                                          : 4,
                              s->unsigneds > 0, false };
}

static omen_integer_type
read_type (const char *text)
{
  size_t length = strlen (text);
  said s = { 0 };
  for (size_t at = 0; at < length;) {
    size_t n = word_length (text + at, length - at);
    if (n)
      take_word (&s, text + at, n);
    else if (!isspace ((unsigned char)text[at]))
      s.other = true; /* a pointer, an array, … */
    at += n ? n : 1;
  }
  return type_said (&s);
}

/* ---- of events ---- */

static const char *
type_in_cut (const omen_cut *cut, const char *name)
{
  for (uint32_t a = 0; a < cut->arg_count; a++)
    if (cut->args[a].kind == OMEN_ARG_NAME && cut->args[a].type
        && !strcmp (cut->args[a].name, name))
      return cut->args[a].type;
  return cut->returning && !strcmp (cut->returning, name) ? cut->returning_type
                                                          : NULL;
}

const char *
omen_spec_type (const omen_spec_property *property,
                const omen_spec_event *event, const char *name)
{
  const char *type = NULL;
  for (size_t p = 0; p < property->parameters.count && !type; p++)
    if (!strcmp (property->parameters.data[p].name, name))
      type = property->parameters.data[p].type;
  for (size_t c = 0; c < event->cuts.count && !type; c++)
    type = type_in_cut (&event->cuts.data[c], name);
  return type;
}

static omen_integer_type
type_in_event (const omen_spec_property *property, const omen_spec_event *event,
               const char *name)
{
  const char *type = omen_spec_type (property, event, name);
  return type ? read_type (type) : (omen_integer_type){ 0 };
}

void
omen_types_of_event (const omen_spec_property *property, omen_spec_event *event)
{
  for (size_t c = 0; c < event->cuts.count; c++) {
    const omen_condition *condition = event->cuts.data[c].condition;
    for (uint32_t i = 0; condition && i < condition->name_count; i++)
      condition->types[i]
          = type_in_event (property, event, condition->names[i]);
  }
}

/* ---- of variables ---- */

/* The declaration that is being read: `extern unsigned x, y = 3`. */
typedef struct declaration {
  said type;        /* words before the first declarator's name */
  const char *word; /* the last one seen: the name, if nothing follows */
  size_t length;
  bool first;   /* declarator */
  bool strange; /* this declarator is a pointer, an array, a function … */
  bool value;   /* behind its `=` */
} declaration;

static void
take_token (declaration *d, const omen_lexer *lexer)
{
  if (d->value)
    return;
  d->value = omen_lex_is (lexer, "=");
  if (d->value)
    return;
  if (lexer->token != OMEN_TOKEN_NAME) {
    d->strange = true;
    return;
  }
  if (d->word && d->first)
    take_word (&d->type, d->word, d->length);
  else if (d->word)
    d->strange = true;
  d->word = lexer->text + lexer->at;
  d->length = lexer->length;
}

/* A declarator ends: is it the one? */
static bool
is_declared (const declaration *d, const char *name)
{
  return d->word && !d->strange && is_word (name, d->word, d->length);
}

static void
skip_line (omen_lexer *lexer)
{
  size_t at = lexer->at;
  while (at < lexer->size && lexer->text[at] != '\n')
    at++;
  omen_lex_seek (lexer, at);
}

static omen_integer_type
type_in_preamble (const omen_spec *spec, const char *name)
{
  omen_err ignored = { 0 };
  omen_lexer lexer;
  declaration d = { .first = true };
  omen_lexer_init (&lexer, spec->path, spec->text, spec->preamble, &ignored);
  for (; lexer.token != OMEN_TOKEN_END && lexer.token != OMEN_TOKEN_BAD;
       omen_lex_next (&lexer)) {
    bool comma = omen_lex_is (&lexer, ","), end = omen_lex_is (&lexer, ";");
    if ((comma || end) && is_declared (&d, name))
      return type_said (&d.type);
    if (comma)
      d = (declaration){ .type = d.type };
    else if (end || omen_lex_is (&lexer, "{") || omen_lex_is (&lexer, "}"))
      d = (declaration){ .first = true };
    else if (omen_lex_is (&lexer, "#"))
      skip_line (&lexer);
    else
      take_token (&d, &lexer);
  }
  return (omen_integer_type){ 0 };
}

void
omen_types_of_predicate (const omen_spec *spec, const omen_condition *predicate)
{
  OMEN_REQUIRE (predicate->types);
  for (uint32_t i = 0; i < predicate->name_count; i++)
    predicate->types[i] = type_in_preamble (spec, predicate->names[i]);
}
