#include "runtime/hooks/format_parse.h"

#include <string.h>

/* The character at the cursor; bytes beyond ASCII belong to no conversion. */
static char
peek (const omen_format_cursor *c)
{
  unsigned character = c->format.wide ? (unsigned)c->format.wide[c->at]
                                      : (unsigned char)c->format.narrow[c->at];
  return character < 128 ? (char)character : '?';
}

static bool
skip (omen_format_cursor *c, char character)
{
  bool there = peek (c) == character;
  c->at += there;
  return there;
}

static long
parse_width (omen_format_cursor *c)
{
  long value = -1;
  for (char digit; (digit = peek (c)) >= '0' && digit <= '9'; c->at++)
    if (value < 1 << 24)
      value = (value < 0 ? 0 : value) * 10 + (digit - '0');
  return value;
}

/* Parses "2$", the number of an argument; 0 if there is none. */
static unsigned
position (omen_format_cursor *c)
{
  size_t start = c->at;
  long value = parse_width (c);
  if (value > 0 && skip (c, '$'))
    return (unsigned)value;
  c->at = start;
  return 0;
}

/* Parses "*" or "*2$": the argument that gives the number. */
static unsigned
given (omen_format_cursor *c)
{
  unsigned where;
  if (!skip (c, '*'))
    return 0;
  where = position (c);
  return where ? where : ++c->taken;
}

/* Skips the text before the next %, and the %. */
static bool
find_percent (omen_format_cursor *c)
{
  while (peek (c) && peek (c) != '%')
    c->at++;
  return skip (c, '%');
}

static char
length_modifier (omen_format_cursor *c)
{
  char modifier = peek (c);
  if (!modifier || !strchr ("hlqjztLZ", modifier))
    return 0;
  c->at++;
  if (modifier == 'h')
    return skip (c, 'h') ? 'H' : 'h';
  if (modifier == 'l')
    return skip (c, 'l') ? 'q' : 'l';
  return modifier == 'j' ? 'q' : modifier == 'Z' ? 'z' : modifier;
}

static void
finish_conversion (omen_conversion *conversion, omen_format_cursor *c)
{
  conversion->length = length_modifier (c);
  conversion->letter = peek (c);
  c->at += conversion->letter != 0;
}

omen_conversion
omen_next_printf (omen_format_cursor *c)
{
  omen_conversion conversion = { .width = -1, .precision = -1 };
  if (!find_percent (c))
    return conversion;
  conversion.argument = position (c);
  while (peek (c) && strchr ("-+ #0'I", peek (c)))
    c->at++;
  conversion.width_argument = given (c);
  conversion.width = parse_width (c);
  if (skip (c, '.')) {
    conversion.precision_argument = given (c);
    conversion.precision = parse_width (c);
    if (!conversion.precision_argument && conversion.precision < 0)
      conversion.precision = 0;
  }
  finish_conversion (&conversion, c);
  if (!conversion.letter || conversion.letter == '%'
      || conversion.letter == 'm')
    conversion.argument = 0;
  else if (!conversion.argument)
    conversion.argument = ++c->taken;
  return conversion;
}

/* Skips the set of %[…]; a ] that comes first belongs to it. */
static void
skip_set (omen_format_cursor *c)
{
  skip (c, '^');
  skip (c, ']');
  while (peek (c) && !skip (c, ']'))
    c->at++;
}

omen_conversion
omen_next_scanf (omen_format_cursor *c)
{
  omen_conversion conversion = { .width = -1, .precision = -1 };
  if (!find_percent (c))
    return conversion;
  conversion.argument = position (c);
  for (; peek (c) && strchr ("*'I", peek (c)); c->at++)
    conversion.suppressed |= peek (c) == '*';
  conversion.width = parse_width (c);
  conversion.allocated = skip (c, 'm');
  finish_conversion (&conversion, c);
  if (conversion.letter == '[')
    skip_set (c);
  if (!conversion.letter || conversion.letter == '%' || conversion.suppressed)
    conversion.argument = 0;
  else if (!conversion.argument)
    conversion.argument = ++c->taken;
  return conversion;
}
