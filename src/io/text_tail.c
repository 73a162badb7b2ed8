/* Dependences at the end of a line: `<-1,2^3`. */
#include "io/text_reader.h"

static bool
push_reads (omen_reader *reader, omen_field list)
{
  omen_ids *reads = &reader->trace->dependences;
  reader->first_read = (uint32_t)reads->count;
  while (list.text) {
    omen_field rest, number = omen_field_split (list, ',', &rest);
    uint64_t n;
    if (!omen_field_number (number, OMEN_NONE - 1, &n))
      return omen_reader_fail (reader, number,
                               "indices of reads in the thread after '<-'");
    if (reads->count >= OMEN_NONE - 1)
      return omen_reader_fail (reader, number, "fewer dependences in all");
    OMEN_VEC_PUSH (*reads, (uint32_t)n);
    list = rest;
  }
  reader->reads = (uint32_t)reads->count - reader->first_read;
  OMEN_ASSERT (reader->reads);
  reader->extra = true;
  return true;
}

/* Cut off a final `^3`. */
static bool
cut_branch (omen_reader *reader, omen_field *field)
{
  size_t digits = omen_field_digits (*field);
  uint64_t n;
  if (!digits || digits == field->length
      || field->text[field->length - 1 - digits] != '^')
    return true;
  if (!omen_field_number (
          (omen_field){ field->text + field->length - digits, digits },
          OMEN_NONE - 1, &n))
    return omen_reader_fail (reader, *field, "an index below 2^32 - 1 after ^");
  reader->branch = (uint32_t)n;
  reader->extra = true;
  field->length -= digits + 1;
  return true;
}

/* The first `<-` followed by a digit. */
static const char *
find_arrow (omen_field field)
{
  const char *at = field.text, *end = field.text + field.length;
  while ((at = at < end ? memchr (at, '<', (size_t)(end - at)) : NULL)) {
    if (end - at >= 3 && at[1] == '-' && omen_digit (at[2]))
      return at;
    at++;
  }
  return NULL;
}

bool
omen_reader_tail (omen_reader *reader, omen_field *field, bool all)
{
  const char *arrow;
  omen_field list;
  if (!field->length)
    return true;
  if (reader->extra && !all) /* they were after the parenthesis already */
    return true;
  if (!cut_branch (reader, field))
    return false;
  arrow = find_arrow (*field);
  if (arrow) {
    list.text = arrow + 2;
    list.length = field->length - (size_t)(arrow + 2 - field->text);
    field->length = (size_t)(arrow - field->text);
    if (!push_reads (reader, list))
      return false;
  }
  *field = omen_field_trim (*field);
  if (all && field->length)
    return omen_reader_fail (reader, *field, "'|' or dependences after ')'");
  return true;
}
