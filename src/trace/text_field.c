#include "trace/text_field.h"

#include "wire/event.h"

#include <string.h>

omen_field
omen_field_split (omen_field field, char mark, omen_field *rest)
{
  const char *at = field.length ? memchr (field.text, mark, field.length) : 0;
  *rest = (omen_field){ NULL, 0 };
  if (at) {
    rest->text = at + 1;
    rest->length = field.length - (size_t)(at + 1 - field.text);
    *rest = omen_field_trim (*rest);
    field.length = (size_t)(at - field.text);
  }
  return omen_field_trim (field);
}

bool
omen_field_is (omen_field field, const char *text)
{
  return field.length == strlen (text)
         && !memcmp (field.text, text, field.length);
}

/* The number that these digits spell (no check of overflow); false if a byte is
   no digit. */
static inline bool
sum_digits (const char *text, size_t count, uint64_t *number)
{
  uint64_t n = 0;
  unsigned wrong = 0;
  for (size_t i = 0; i < count; i++) {
    unsigned d = (unsigned char)text[i] - (unsigned)'0';
    wrong |= d > 9;
    n = 10 * n + d;
  }
  *number = n;
  return !wrong;
}

bool
omen_field_number (omen_field field, uint64_t max, uint64_t *number)
{
  const size_t safe = 19; /* any 19 digits fit in 64 bits */
  size_t head = field.length < safe ? field.length : safe;
  if (!head || !sum_digits (field.text, head, number))
    return false;
  for (size_t i = head; i < field.length; i++) {
    uint64_t d = (unsigned char)field.text[i] - (uint64_t)'0';
    if (d > 9 || *number > (UINT64_MAX - d) / 10)
      return false;
    *number = 10 * *number + d;
  }
  return *number <= max;
}

/* -?(0|[1-9][0-9]*) within 64 bits. */
static bool
decimal (omen_field field, uint8_t *kind, uint64_t *value)
{
  bool minus = field.text[0] == '-';
  omen_field digits = { field.text + minus, field.length - minus };
  uint64_t n;
  if (!digits.length || (digits.text[0] == '0' && field.length > 1)
      || !omen_field_number (digits, UINT64_MAX, &n)
      || (minus && n > (uint64_t)INT64_MAX + 1))
    return false;
  *kind = !minus && n > INT64_MAX ? OMEN_VALUE_BIG : OMEN_VALUE_INT;
  *value = minus ? 0 - n : n;
  return true;
}

static bool
hexadecimal (omen_field field, uint8_t *kind, uint64_t *value)
{
  uint64_t n = 0;
  if (field.length < 3 || field.text[0] != '0' || (field.text[1] | 32) != 'x')
    return false;
  for (size_t i = 2; i < field.length; i++) {
    const char c = field.text[i], low = (char)(c | 32);
    unsigned d = c >= '0' && c <= '9'       ? (unsigned)(c - '0')
                 : low >= 'a' && low <= 'f' ? (unsigned)(low - 'a') + 10
                                            : 16;
    if (d == 16 || n >> 60)
      return false;
    n = n << 4 | d;
  }
  *kind = n > INT64_MAX ? OMEN_VALUE_BIG : OMEN_VALUE_INT;
  *value = n;
  return true;
}

bool
omen_field_integer (omen_field field, uint8_t *kind, uint64_t *value)
{
  return field.length
         && (decimal (field, kind, value) || hexadecimal (field, kind, value));
}
