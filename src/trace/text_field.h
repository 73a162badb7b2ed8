/* Pieces of a line of text, and the numbers in them. */
#ifndef OMEN_TRACE_TEXT_FIELD_H
#define OMEN_TRACE_TEXT_FIELD_H

#include "base/defs.h"

/* A piece of the text, blanks trimmed, escapes still in it. */
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
  while (OMEN_UNLIKELY (field.length && omen_blank (field.text[0])))
    field.text++, field.length--;
  while (
      OMEN_UNLIKELY (field.length && omen_blank (field.text[field.length - 1])))
    field.length--;
  return field;
}

static inline omen_field
omen_field_between (const char *start, const char *end)
{
  OMEN_CHECK (start <= end);
  return omen_field_trim ((omen_field){ start, (size_t)(end - start) });
}

/* How many digits the field ends in. */
static inline size_t
omen_field_digits (omen_field field)
{
  size_t n = 0;
  while (n < field.length && omen_digit (field.text[field.length - 1 - n]))
    n++;
  return n;
}

/* A value that is a number of up to 18 digits in its shortest form, as most
   are; false says nothing about the others. */
static inline bool
omen_field_small (omen_field field, uint64_t *number)
{
  uint64_t n = 0;
  bool wrong = !field.length || field.length > 18
               || (field.text[0] == '0' && field.length > 1);
  for (size_t i = 0; !wrong && i < field.length; i++) {
    unsigned d = (unsigned char)field.text[i] - (unsigned)'0';
    wrong = d > 9;
    n = 10 * n + d;
  }
  *number = n;
  return !wrong;
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
