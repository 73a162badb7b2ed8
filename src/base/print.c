#include "base/print.h"
#include "base/mem.h"
#include "base/plain.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/* ---- characters ---- */

size_t
omen_print_plain (const char *text, size_t length)
{
  return omen_plain_size (text, length);
}

static char *
escaped_new (const char *text, size_t length)
{
  char *escaped = omen_alloc (4 * length + 1), *to = escaped;
  for (size_t i = 0, size; i < length; i += size) {
    size = omen_print_plain (text + i, length - i);
    if (size)
      memcpy (to, text + i, size);
    else
      sprintf (to, "\\x%02x", (unsigned char)text[i]);
    to += size ? size : 4;
    size = size ? size : 1;
  }
  *to = 0;
  return escaped;
}

static void
write_escaped (FILE *out, const char *text, size_t length)
{
  char *escaped = escaped_new (text, length);
  fputs (escaped, out);
  omen_free (escaped);
}

/* ---- formats ---- */

typedef struct printing {
  FILE *out;
  va_list args;
} printing;

typedef struct conversion {
  char flags[8];
  int width, precision; /* precision -1: none given */
  char length;          /* 'H' for hh, 'L' for ll, 0: none */
  char what;
} conversion;

static int
read_number (printing *p, const char **at)
{
  int number = 0;
  if (**at == '*') {
    ++*at;
    return va_arg (p->args, int);
  }
  for (; **at >= '0' && **at <= '9'; ++*at)
    number = 10 * number + (**at - '0');
  return number;
}

/* Parses a conversion after its %; returns its end. */
static const char *
read_conversion (printing *p, const char *at, conversion *c)
{
  size_t flags = strspn (at, "-+ #0");
  OMEN_REQUIRE (flags < sizeof c->flags);
  *c = (conversion){ .precision = -1 };
  memcpy (c->flags, at, flags);
  at += flags;
  c->width = read_number (p, &at);
  if (*at == '.') {
    at++;
    c->precision = read_number (p, &at);
  }
  for (; *at && strchr ("hlzjt", *at); at++)
    c->length = c->length == 'h' ? 'H' : c->length == 'l' ? 'L' : *at;
  c->what = *at;
  OMEN_REQUIRE (c->what && strchr ("diuxXocsefg%", c->what));
  return at + 1;
}

static intmax_t
next_signed (printing *p, char length)
{
  switch (length) {
  case 'l':
    return va_arg (p->args, long);
  case 'L':
    return va_arg (p->args, long long);
  case 'j':
    return va_arg (p->args, intmax_t);
  case 'z':
    return va_arg (p->args, ssize_t);
  case 't':
    return va_arg (p->args, ptrdiff_t);
  default:
    return va_arg (p->args, int);
  }
}

static uintmax_t
next_unsigned (printing *p, char length)
{
  switch (length) {
  case 'l':
    return va_arg (p->args, unsigned long);
  case 'L':
    return va_arg (p->args, unsigned long long);
  case 'j':
    return va_arg (p->args, uintmax_t);
  case 'z':
    return va_arg (p->args, size_t);
  case 't':
    return (uintmax_t)va_arg (p->args, ptrdiff_t);
  case 'h':
    return (unsigned short)va_arg (p->args, unsigned);
  case 'H':
    return (unsigned char)va_arg (p->args, unsigned);
  default:
    return va_arg (p->args, unsigned);
  }
}

/* Prints at most `precision` bytes, like printf; then no NUL is needed. */
static void
print_string (printing *p, const char *format, const conversion *c)
{
  const char *text = va_arg (p->args, const char *);
  OMEN_REQUIRE (text);
  size_t length
      = c->precision < 0 ? strlen (text) : strnlen (text, (size_t)c->precision);
  char *escaped = escaped_new (text, length);
  fprintf (p->out, format, c->width, -1, escaped);
  omen_free (escaped);
}

static void
print_conversion (printing *p, const conversion *c)
{
  char format[24], character;
  bool integer = strchr ("diuxXo", c->what);
  snprintf (format, sizeof format, "%%%s*.*%s%c", c->flags, integer ? "j" : "",
            c->what == 'c' ? 's' : c->what);
  if (c->what == '%')
    fputc ('%', p->out);
  else if (c->what == 's')
    print_string (p, format, c);
  else if (c->what == 'c') {
    character = (char)va_arg (p->args, int);
    write_escaped (p->out, &character, 1);
  } else if (c->what == 'd' || c->what == 'i')
    fprintf (p->out, format, c->width, c->precision,
             next_signed (p, c->length));
  else if (integer)
    fprintf (p->out, format, c->width, c->precision,
             next_unsigned (p, c->length));
  else
    fprintf (p->out, format, c->width, c->precision, va_arg (p->args, double));
}

void
omen_vprint (FILE *out, const char *format, va_list args)
{
  printing p = { .out = out };
  va_copy (p.args, args);
  while (*format) {
    conversion c;
    size_t plain = strcspn (format, "%");
    fwrite (format, 1, plain, out);
    format += plain;
    if (!*format)
      break;
    format = read_conversion (&p, format + 1, &c);
    print_conversion (&p, &c);
  }
  va_end (p.args);
}

void
omen_print (FILE *out, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  omen_vprint (out, format, args);
  va_end (args);
}

void
omen_print_source (FILE *out, const char *text, size_t length)
{
  for (size_t at = 0, piece; at < length; at += piece + 1) {
    const char *tab = memchr (text + at, '\t', length - at);
    piece = tab ? (size_t)(tab - text) - at : length - at;
    write_escaped (out, text + at, piece);
    if (tab)
      fputc ('\t', out);
  }
}

void
omen_print_lines (FILE *out, const char *before, const char *text)
{
  for (size_t length; *text; text += length + (text[length] == '\n')) {
    length = strcspn (text, "\n");
    fputs (before, out);
    omen_print_source (out, text, length);
    fputc ('\n', out);
  }
}

/* ---- words ---- */

/* Is the word safe without quotes in any command? */
static bool
is_simple (const char *word, size_t length)
{
  for (size_t i = 0; i < length; i++)
    if (!(word[i] >= 'a' && word[i] <= 'z')
        && !(word[i] >= 'A' && word[i] <= 'Z')
        && !(word[i] >= '0' && word[i] <= '9')
        && !strchr ("%+,-./:=@_", word[i]))
      return false;
  return length;
}

/* Uses $'…' with three-digit octal escapes if there are unprintable bytes. */
void
omen_print_word (FILE *out, const char *word, size_t length)
{
  bool shown = true;
  if (is_simple (word, length)) {
    fwrite (word, 1, length, out);
    return;
  }
  for (size_t i = 0, size; i < length; i += size ? size : 1) {
    size = omen_print_plain (word + i, length - i);
    shown &= size > 0;
  }
  fputs (shown ? "'" : "$'", out);
  for (size_t i = 0, size; i < length; i += size) {
    size = omen_print_plain (word + i, length - i);
    if (!size)
      fprintf (out, "\\%03o", (unsigned char)word[i]);
    else if (word[i] == '\'')
      fputs (shown ? "'\\''" : "\\'", out);
    else if (word[i] == '\\' && !shown)
      fputs ("\\\\", out);
    else
      fwrite (word + i, 1, size, out);
    size = size ? size : 1;
  }
  fputc ('\'', out);
}

/* Reads one shell word into `word`, which has room for the whole line; returns
   the rest. An unterminated quote extends to the end. */
static const char *
read_word (const char *at, char *word, size_t *length)
{
  char quote = 0;
  *length = 0;
  for (; *at && (quote || *at != ' '); at++)
    if (*at == quote)
      quote = 0;
    else if (!quote && *at == '\'')
      quote = '\'';
    else {
      at += !quote && *at == '\\' && at[1];
      word[(*length)++] = *at;
    }
  return at;
}

void
omen_print_words (FILE *out, const char *line)
{
  char *word = omen_alloc (strlen (line) + 1);
  size_t length;
  line += strspn (line, " ");
  for (const char *between = ""; *line; between = " ") {
    fputs (between, out);
    line = read_word (line, word, &length);
    omen_print_word (out, word, length);
    line += strspn (line, " ");
  }
  omen_free (word);
}
