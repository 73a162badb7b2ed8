/* Values: integers, pointers, and any other text as a symbol. */
#include "trace/text_reader.h"

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

/* `&p+8`: the address of byte 8 of the block that p means now. */
static bool
pointer (omen_reader *reader, omen_field field, uint64_t *value)
{
  size_t digits;
  uint64_t offset = 0;
  omen_field whole = field;
  omen_vid variable;
  field.text++, field.length--;
  digits = omen_field_digits (field);
  if (digits && digits + 1 < field.length
      && field.text[field.length - 1 - digits] == '+') {
    omen_field number = { field.text + field.length - digits, digits };
    if (!omen_field_number (number, UINT32_MAX, &offset))
      return omen_reader_fail (reader, whole, "an offset below 2^32");
    field.length -= digits + 1;
  }
  if (!omen_reader_variable (reader, field, false, &variable))
    return false;
  *value = (uint64_t)variable << 32 | offset;
  return true;
}

bool
omen_reader_value (omen_reader *reader, omen_field field, uint8_t *kind,
                   uint64_t *value)
{
  omen_field plain;
  if (!field.length)
    return omen_reader_fail (reader, field, "a value after '='");
  if (decimal (field, kind, value) || hexadecimal (field, kind, value))
    return true;
  if (field.text[0] == '&' && field.length > 1) {
    *kind = OMEN_VALUE_POINTER;
    return pointer (reader, field, value);
  }
  if (!omen_reader_plain (reader, field, &plain))
    return false;
  *kind = OMEN_VALUE_SYMBOL;
  *value = omen_names_id (&reader->trace->symbols, plain.text, plain.length);
  return true;
}
