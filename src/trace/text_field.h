/* Pieces of a line of text, and the numbers in them. */
#ifndef OMEN_TRACE_TEXT_FIELD_H
#define OMEN_TRACE_TEXT_FIELD_H

#include "base/defs.h"

#include <string.h>

/* A piece of the text, blanks trimmed, escapes not decoded. */
typedef struct omen_field {
  const char *text;
  size_t length;
} omen_field;

static inline bool
omen_blank (char c)
{
  return c == ' ' || c == '\t';
}

static inline bool
omen_digit (char c)
{
  return c >= '0' && c <= '9';
}

static inline omen_field
omen_field_trim (omen_field field)
{
  while (OMEN_UNLIKELY (field.length && (unsigned char)field.text[0] <= ' '
                        && omen_blank (field.text[0])))
    field.text++, field.length--;
  while (OMEN_UNLIKELY (field.length
                        && (unsigned char)field.text[field.length - 1] <= ' '
                        && omen_blank (field.text[field.length - 1])))
    field.length--;
  return field;
}

static inline omen_field
omen_field_between (const char *start, const char *end)
{
  OMEN_CHECK (start <= end);
  return omen_field_trim ((omen_field){ start, (size_t)(end - start) });
}

/* The number of digits at the end of the field. */
static inline size_t
omen_field_digits (omen_field field)
{
  size_t n = 0;
  while (n < field.length && omen_digit (field.text[field.length - 1 - n]))
    n++;
  return n;
}

/* Parses a number of up to 8 digits in its shortest form, as most values are;
   false if it is anything else. `end` as in words.h. All digits are handled at
   once, without a branch on their number, which is hard to predict. */
static inline bool
omen_field_small (omen_field field, const char *end, uint64_t *number)
{
  const uint64_t zeros = 0x3030303030303030u;
  unsigned bits = 8 * (unsigned)field.length;
  uint64_t x;
  if (OMEN_UNLIKELY (!field.length || field.length > 8 || end - field.text < 8
                     || (field.text[0] == '0' && field.length > 1)))
    return false;
  memcpy (&x, field.text, 8);
  x = x << (64 - bits) | (bits < 64 ? zeros >> bits : 0); /* zeros in front */
  x ^= zeros; /* bytes are now 0 to 9, the first digit in the lowest */
  if (OMEN_UNLIKELY ((x | (x + 0x0606060606060606u)) & 0xf0f0f0f0f0f0f0f0u))
    return false;
  x = (x * 10 + (x >> 8)) & 0x00ff00ff00ff00ffu;   /* four pairs */
  x = (x * 100 + (x >> 16)) & 0x0000ffff0000ffffu; /* two fours */
  *number = (x * 10000 + (x >> 32)) & 0xffffffffu;
  return true;
}

/* Split at the first `mark`: the part before it, *rest what follows (text NULL
   if there is no mark). */
omen_field omen_field_split (omen_field field, char mark, omen_field *rest);
bool omen_field_is (omen_field field, const char *text);
/* Decimal digits only, at most `max`. */
bool omen_field_number (omen_field field, uint64_t max, uint64_t *number);
/* A whole field that is an integer value: OMEN_VALUE_INT or OMEN_VALUE_BIG.
   Decimal in its shortest form, or hexadecimal after 0x. */
bool omen_field_integer (omen_field field, uint8_t *kind, uint64_t *value);

#endif
