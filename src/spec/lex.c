#include "spec/lex.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool
begins_name (char c)
{
  return isalpha ((unsigned char)c) || c == '_';
}

static bool
in_name (char c)
{
  return isalnum ((unsigned char)c) || c == '_';
}

/* ---- errors ---- */

/* Reads a C string after its first quote; false: it does not end on its line,
   or is too long. */
static bool
read_string (const char *text, char *to, size_t room)
{
  for (; *text && *text != '\n' && *text != '"' && room > 1; room--) {
    unsigned digits = 0;
    char code = 0;
    if (*text != '\\') {
      *to++ = *text++;
      continue;
    }
    for (text++; digits < 3 && *text >= '0' && *text <= '7'; digits++)
      code = (char)(code * 8 + *text++ - '0');
    if (!digits && *text && *text != '\n')
      code = *text++;
    *to++ = code;
  }
  *to = 0;
  return *text == '"';
}

/* `#line 7 "b.mop"`, as in C: the first line of each of several files
   joined. */
static bool
take_marker (const omen_lexer *lexer, size_t at, omen_place_in_file *place)
{
  static const char mark[] = "#line ";
  const char *text = lexer->text + at;
  char *after, path[sizeof place->path];
  unsigned long line;
  if (lexer->size - at < sizeof mark || memcmp (text, mark, sizeof mark - 1))
    return false;
  line = strtoul (text + sizeof mark - 1, &after, 10);
  if (strncmp (after, " \"", 2) || !read_string (after + 2, path, sizeof path))
    return false;
  place->line = (uint32_t)line - 1;
  snprintf (place->path, sizeof place->path, "%s", path);
  return true;
}

void
omen_lex_place (const omen_lexer *lexer, size_t offset,
                omen_place_in_file *place)
{
  size_t start = 0;
  OMEN_REQUIRE (offset <= lexer->size);
  place->line = 1;
  snprintf (place->path, sizeof place->path, "%s", lexer->path);
  for (size_t i = 0; i < offset; i++) {
    if (i == start)
      take_marker (lexer, i, place);
    if (lexer->text[i] == '\n') {
      place->line++;
      start = i + 1;
    }
  }
  place->column = (uint32_t)(offset - start) + 1;
}

/* The line around offset and a caret below it, cut to a readable length. */
static void
show_line (const omen_lexer *lexer, size_t offset, char *out, size_t room)
{
  enum { BEFORE = 70, AFTER = 40 };
  size_t first = offset, end = offset, n = 0;
  while (first > 0 && lexer->text[first - 1] != '\n' && offset - first < BEFORE)
    first--;
  while (end < lexer->size && lexer->text[end] != '\n' && end - offset < AFTER)
    end++;
  OMEN_ASSERT (room > 2 * (BEFORE + AFTER) + 8);
  n += (size_t)snprintf (out, room, "  ");
  for (size_t i = first; i < end; i++) {
    unsigned char c = (unsigned char)lexer->text[i];
    out[n++] = c == '\t' || c >= 32 ? (char)c : '?';
  }
  n += (size_t)snprintf (out + n, room - n, "\n  ");
  for (size_t i = first; i < offset; i++)
    out[n++] = lexer->text[i] == '\t' ? '\t' : ' ';
  out[n++] = '^';
  out[n++] = '\n';
  out[n] = 0;
}

static bool
fail_at (const omen_lexer *lexer, size_t offset, const char *what)
{
  char where[256];
  bool first = !lexer->err->set;
  omen_place_in_file at;
  omen_lex_place (lexer, offset, &at);
  snprintf (where, sizeof where, "%.200s:%u:%u", at.path, at.line, at.column);
  if (first)
    show_line (lexer, offset, lexer->err->shown, sizeof lexer->err->shown);
  return omen_err_set (lexer->err, where, "%s", what);
}

bool
omen_lex_fail (const omen_lexer *lexer, size_t offset, const char *format, ...)
{
  char what[400];
  va_list args;
  va_start (args, format);
  vsnprintf (what, sizeof what, format, args);
  va_end (args);
  return fail_at (lexer, offset, what);
}

bool
omen_lex_expected (const omen_lexer *lexer, const char *what)
{
  int shown = lexer->length > 40 ? 40 : (int)lexer->length;
  if (lexer->token == OMEN_TOKEN_BAD)
    return false; /* reported already */
  if (lexer->token == OMEN_TOKEN_END)
    return omen_lex_fail (lexer, lexer->at, "expected %s, not the end of file",
                          what);
  return omen_lex_fail (lexer, lexer->at, "expected %s, not '%.*s'", what,
                        shown, lexer->text + lexer->at);
}

bool
omen_lex_deeper (omen_lexer *lexer)
{
  if (++lexer->depth <= OMEN_NESTING_MAX)
    return true;
  return omen_lex_fail (lexer, lexer->at, "nested deeper than %d",
                        OMEN_NESTING_MAX);
}

/* ---- tokens ---- */

/* Skip blanks and comments; false: a comment without end. */
static bool
skip_blanks (omen_lexer *lexer, size_t *at)
{
  const char *text = lexer->text;
  for (;;) {
    omen_place_in_file ignored;
    while (*at < lexer->size && isspace ((unsigned char)text[*at]))
      ++*at;
    if (*at < lexer->size && text[*at] == '#' && (!*at || text[*at - 1] == '\n')
        && take_marker (lexer, *at, &ignored)) {
      while (*at < lexer->size && text[*at] != '\n')
        ++*at;
      continue;
    }
    if (*at + 1 >= lexer->size || text[*at] != '/')
      return true;
    if (text[*at + 1] == '/') {
      while (*at < lexer->size && text[*at] != '\n')
        ++*at;
    } else if (text[*at + 1] == '*') {
      size_t from = *at;
      for (*at += 2; *at < lexer->size; ++*at)
        if (text[*at] == '/' && text[*at - 1] == '*' && *at > from + 2)
          break;
      if (*at >= lexer->size)
        return omen_lex_fail (lexer, from, "a comment that does not end");
      ++*at;
    } else
      return true;
  }
}

/* One past the string or char that begins at `at`; 0: it does not end. */
static size_t
past_quotes (const omen_lexer *lexer, size_t at)
{
  char quote = lexer->text[at];
  OMEN_ASSERT (quote == '"' || quote == '\'');
  for (size_t i = at + 1; i < lexer->size && lexer->text[i] != '\n'; i++)
    if (lexer->text[i] == '\\')
      i++;
    else if (lexer->text[i] == quote)
      return i + 1;
  omen_lex_fail (lexer, at, "a %s that does not end on its line",
                 quote == '"' ? "string" : "character");
  return 0;
}

static size_t
past_name (const omen_lexer *lexer, size_t at)
{
  while (at < lexer->size && in_name (lexer->text[at]))
    at++;
  return at;
}

static void
bad (omen_lexer *lexer)
{
  lexer->token = OMEN_TOKEN_BAD;
  lexer->length = 0;
}

void
omen_lex_seek (omen_lexer *lexer, size_t offset)
{
  size_t at = offset;
  char c;
  OMEN_REQUIRE (offset <= lexer->size);
  if (!skip_blanks (lexer, &at)) {
    lexer->at = offset;
    bad (lexer);
    return;
  }
  lexer->at = at;
  lexer->length = 0;
  lexer->token = OMEN_TOKEN_END;
  if (at >= lexer->size)
    return;
  c = lexer->text[at];
  lexer->length = 1;
  lexer->token = OMEN_TOKEN_MARK;
  if (begins_name (c) || isdigit ((unsigned char)c)) {
    lexer->token = begins_name (c) ? OMEN_TOKEN_NAME : OMEN_TOKEN_NUMBER;
    lexer->length = past_name (lexer, at) - at;
  } else if (c == '"' || c == '\'') {
    size_t end = past_quotes (lexer, at);
    lexer->token = c == '"' ? OMEN_TOKEN_STRING : OMEN_TOKEN_CHAR;
    lexer->length = end - at;
    if (!end)
      bad (lexer);
  }
}

void
omen_lex_next (omen_lexer *lexer)
{
  if (lexer->token != OMEN_TOKEN_BAD)
    omen_lex_seek (lexer, lexer->at + lexer->length);
}

void
omen_lexer_init (omen_lexer *lexer, const char *path, const char *text,
                 size_t size, omen_err *err)
{
  *lexer = (omen_lexer){ .path = path, .text = text, .size = size, .err = err };
  omen_lex_seek (lexer, 0);
}

bool
omen_lex_is (const omen_lexer *lexer, const char *spelling)
{
  size_t length = strlen (spelling);
  OMEN_ASSERT (length && lexer->at <= lexer->size);
  if (begins_name (*spelling) && lexer->length != length)
    return false;
  return lexer->token != OMEN_TOKEN_BAD && lexer->size - lexer->at >= length
         && !memcmp (lexer->text + lexer->at, spelling, length);
}

bool
omen_lex_take (omen_lexer *lexer, const char *spelling)
{
  if (!omen_lex_is (lexer, spelling))
    return false;
  omen_lex_seek (lexer, lexer->at + strlen (spelling));
  return true;
}

bool
omen_lex_then (const omen_lexer *lexer, const char *spelling,
               const char *second)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  return omen_lex_take (&ahead, spelling) && omen_lex_is (&ahead, second);
}

bool
omen_lex_is_name_before (const omen_lexer *lexer, const char *second)
{
  omen_lexer ahead = *lexer;
  omen_err ignored = { 0 };
  ahead.err = &ignored;
  if (lexer->token != OMEN_TOKEN_NAME)
    return false;
  omen_lex_next (&ahead);
  return omen_lex_is (&ahead, second);
}

bool
omen_lex_want (omen_lexer *lexer, const char *spelling, const char *what)
{
  return omen_lex_take (lexer, spelling) || omen_lex_expected (lexer, what);
}

bool
omen_lex_name (omen_lexer *lexer, omen_arena *arena, const char *what,
               const char **name)
{
  if (lexer->token != OMEN_TOKEN_NAME)
    return omen_lex_expected (lexer, what);
  *name = omen_arena_strndup (arena, lexer->text + lexer->at, lexer->length);
  omen_lex_next (lexer);
  return true;
}

bool
omen_lex_number (omen_lexer *lexer, const char *what, uint64_t limit,
                 uint64_t *number)
{
  *number = 0;
  if (lexer->token != OMEN_TOKEN_NUMBER)
    return omen_lex_expected (lexer, what);
  for (size_t i = 0; i < lexer->length; i++) {
    char c = lexer->text[lexer->at + i];
    if (!isdigit ((unsigned char)c))
      return omen_lex_expected (lexer, what);
    *number = *number * 10 + (uint64_t)(c - '0');
    if (*number > limit)
      return omen_lex_fail (lexer, lexer->at, "%s above %llu", what,
                            (unsigned long long)limit);
  }
  omen_lex_next (lexer);
  return true;
}

bool
omen_lex_block (omen_lexer *lexer, size_t *from, size_t *to)
{
  size_t open = lexer->at, depth = 0;
  if (!omen_lex_is (lexer, "{"))
    return omen_lex_expected (lexer, "'{'");
  do {
    if (lexer->token == OMEN_TOKEN_END)
      return omen_lex_fail (lexer, open, "a '{' without its '}'");
    if (lexer->token == OMEN_TOKEN_BAD)
      return false;
    depth += omen_lex_is (lexer, "{");
    depth -= omen_lex_is (lexer, "}");
    *to = lexer->at;
    omen_lex_next (lexer);
  } while (depth);
  *from = open + 1;
  return true;
}
