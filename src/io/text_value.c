/* Values: integers, pointers, and any other text as a symbol. */
#include "io/text_reader.h"

/* `&p+8`: the address of byte 8 of the current block p. */
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
  if (omen_field_integer (field, kind, value))
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
