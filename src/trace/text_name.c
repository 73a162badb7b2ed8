/* Fields of a line into ids: names, blocks, places, values. */
#include "trace/text_reader.h"

#define LONGEST_NAME ((size_t)1 << 31)

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

bool
omen_field_number (omen_field field, uint64_t max, uint64_t *number)
{
  uint64_t n = 0;
  for (size_t i = 0; i < field.length; i++) {
    uint64_t d = (uint64_t)(field.text[i] - '0');
    if (!omen_digit (field.text[i]) || n > (UINT64_MAX - d) / 10)
      return false;
    n = 10 * n + d;
  }
  *number = n;
  return field.length && n <= max;
}

static int
hex (char c)
{
  if (omen_digit (c))
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `\xHH` is that byte; a backslash before anything else is itself (paths of
   other systems have them). A name that is nothing is spelt `\-`. */
static omen_field
unescape (omen_line *scratch, omen_field field)
{
  OMEN_VEC_CLEAR (*scratch);
  OMEN_VEC_RESERVE (*scratch, field.length + 1);
  if (omen_field_is (field, "\\-"))
    return (omen_field){ scratch->data, 0 };
  for (size_t i = 0; i < field.length; i++) {
    const char *s = field.text + i;
    if (s[0] == '\\' && field.length - i >= 4 && s[1] == 'x' && hex (s[2]) >= 0
        && hex (s[3]) >= 0) {
      scratch->data[scratch->count++] = (char)(hex (s[2]) * 16 + hex (s[3]));
      i += 3;
    } else
      scratch->data[scratch->count++] = s[0];
  }
  return (omen_field){ scratch->data, scratch->count };
}

bool
omen_reader_plain (omen_reader *reader, omen_field field, omen_field *plain)
{
  *plain = field;
  if (!field.length)
    return true;
  if (field.length >= LONGEST_NAME)
    return omen_reader_fail (reader, field, "a name below 2 GB");
  for (size_t i = 0; i < field.length; i++)
    if ((unsigned char)field.text[i] < 0x20 && field.text[i] != '\t')
      return omen_reader_fail (
          reader, (omen_field){ field.text + i, 1 },
          "text (a control byte is written as \\xHH)");
  if (memchr (field.text, '\\', field.length))
    *plain = unescape (&reader->scratch, field);
  return true;
}

/* The id of a text through its cache; only texts that stand for themselves
   (no escapes) are cached. */
static inline bool
cached (omen_reader *reader, omen_words *words, omen_names *names,
        omen_field field, uint32_t *id)
{
  omen_word key, *slot;
  omen_field plain;
  bool is_short = field.length <= OMEN_WORD_MAX;
  if (OMEN_LIKELY (is_short)) {
    omen_word_key (field.text, field.length, reader->end, &key);
    slot = omen_words_find (words, &key);
    if (OMEN_LIKELY (slot != NULL)) {
      *id = slot->id;
      return true;
    }
  }
  if (!omen_reader_plain (reader, field, &plain))
    return false;
  *id = omen_names_id (names, plain.text, plain.length);
  if (is_short && plain.text == field.text)
    omen_words_put (words, &key, *id);
  return true;
}

bool
omen_reader_name (omen_reader *reader, omen_operand table, omen_field field,
                  uint32_t *id)
{
  static const char *const expected[OMEN_OPERANDS] = {
    [OMEN_OPERAND_LOCK] = "the name of a lock",
    [OMEN_OPERAND_CONDITION] = "the name of a condition variable",
    [OMEN_OPERAND_SEMAPHORE] = "the name of a semaphore",
    [OMEN_OPERAND_BARRIER] = "the name of a barrier",
    [OMEN_OPERAND_OBJECT] = "the name of an object",
    [OMEN_OPERAND_BLOCK] = "the name of a block",
    [OMEN_OPERAND_FUNCTION] = "the name of a function",
    [OMEN_OPERAND_SIGNAL] = "the name of a property event",
  };
  if (!field.length)
    return omen_reader_fail (reader, field, expected[table]);
  return cached (reader, &reader->names[table], &reader->trace->names[table],
                 field, id);
}

/* A location that is cached has no dependences at its end. */
bool
omen_reader_location (omen_reader *reader, omen_field field, uint32_t *id)
{
  omen_word key, *slot;
  omen_field bare = field, plain;
  bool is_short = field.length <= OMEN_WORD_MAX;
  if (OMEN_LIKELY (is_short)) {
    omen_word_key (field.text, field.length, reader->end, &key);
    slot = omen_words_find (&reader->locations, &key);
    if (OMEN_LIKELY (slot != NULL)) {
      *id = slot->id;
      return true;
    }
  }
  if (!omen_reader_tail (reader, &bare, false)
      || !omen_reader_plain (reader, bare, &plain))
    return false;
  *id = omen_names_id (&reader->trace->locations, plain.text, plain.length);
  if (is_short && plain.text == field.text && plain.length == field.length)
    omen_words_put (&reader->locations, &key, *id);
  return true;
}

bool
omen_reader_thread (omen_reader *reader, omen_field field, omen_tid *id)
{
  omen_names *names = &reader->trace->names[OMEN_OPERAND_THREAD];
  uint32_t count = names->count;
  if (!field.length)
    return omen_reader_fail (reader, field, "the name of a thread");
  if (!cached (reader, &reader->names[OMEN_OPERAND_THREAD], names, field, id))
    return false;
  if (names->count > count)
    omen_trace_thread (reader->trace, names->names[*id].text,
                       names->names[*id].length);
  return true;
}

/* ---- variables: blocks whose names may be used again ---- */

static uint32_t
number_of (const omen_reader *reader, omen_vid v)
{
  return v < reader->numbers.count ? reader->numbers.data[v] : 0;
}

static void
set_number (omen_reader *reader, omen_vid v, uint32_t number)
{
  while (reader->numbers.count <= v)
    OMEN_VEC_PUSH (reader->numbers, 0);
  reader->numbers.data[v] = number;
}

/* Remember that `name~number` is v. */
static void
register_instance (omen_reader *reader, omen_vid v, uint32_t number)
{
  const omen_name *name
      = &reader->trace->names[OMEN_OPERAND_VARIABLE].names[v];
  omen_line text = { 0 };
  char tail[16];
  size_t length = (size_t)sprintf (tail, "~%u", number);
  OMEN_VEC_RESERVE (text, name->length + length);
  memcpy (text.data, name->text, name->length);
  memcpy (text.data + name->length, tail, length);
  omen_names_id (&reader->instances, text.data, name->length + length);
  OMEN_VEC_PUSH (reader->instance_of, v);
  OMEN_ASSERT (reader->instance_of.count == reader->instances.count);
  OMEN_VEC_FINI (text);
}

/* A new block of a name in use, whose newest block is `last`. */
static omen_vid
next_block (omen_reader *reader, omen_vid last, omen_field plain)
{
  omen_names *names = &reader->trace->names[OMEN_OPERAND_VARIABLE];
  omen_words *words = &reader->names[OMEN_OPERAND_VARIABLE];
  uint32_t number = number_of (reader, last);
  omen_vid v;
  if (!number)
    register_instance (reader, last, 0);
  v = omen_names_again (names, plain.text, plain.length);
  set_number (reader, v, number + 1);
  register_instance (reader, v, number + 1);
  if (plain.length <= OMEN_WORD_MAX) {
    const char *text = names->names[v].text;
    omen_word key;
    omen_word_key (text, plain.length, text + plain.length, &key);
    omen_words_drop (words, &key);
  }
  return v;
}

/* Length of a number at the end of the field that follows `mark`; 0 if there
   is none or nothing comes before the mark. */
static inline size_t
number_at_end (omen_field field, char mark)
{
  size_t n = omen_field_digits (field);
  return n && n + 1 < field.length && field.text[field.length - 1 - n] == mark
             ? n
             : 0;
}

/* `p~2`: the third block of name p. */
static bool
numbered_block (omen_reader *reader, omen_field field, size_t digits,
                omen_vid *id)
{
  omen_names *names = &reader->trace->names[OMEN_OPERAND_VARIABLE];
  omen_field whole = field, plain;
  uint64_t number;
  uint32_t last;
  if (!omen_field_number (
          (omen_field){ field.text + field.length - digits, digits },
          OMEN_NONE - 1, &number))
    return omen_reader_fail (reader, field, "a block number below 2^32 - 1");
  field.length -= digits + 1;
  if (!omen_reader_plain (reader, field, &plain))
    return false;
  last = omen_names_find (names, plain.text, plain.length);
  if (last == OMEN_NONE && !number)
    *id = omen_names_id (names, plain.text, plain.length);
  else if (last != OMEN_NONE && number == number_of (reader, last))
    *id = last;
  else if (last != OMEN_NONE && number == number_of (reader, last) + 1u)
    *id = next_block (reader, last, plain);
  else if (last != OMEN_NONE && number < number_of (reader, last)) {
    uint32_t i;
    if (!omen_reader_plain (reader, whole, &plain))
      return false;
    i = omen_names_find (&reader->instances, plain.text, plain.length);
    if (i == OMEN_NONE) /* leading zeros */
      return omen_reader_fail (reader, whole, "a block number");
    *id = reader->instance_of.data[i];
  } else
    return omen_reader_fail (reader, whole,
                             "a block of that name (they count from ~0)");
  return true;
}

static bool
fresh_block (omen_reader *reader, omen_field field, omen_vid *id)
{
  omen_names *names = &reader->trace->names[OMEN_OPERAND_VARIABLE];
  omen_field plain;
  uint32_t last;
  if (!omen_reader_plain (reader, field, &plain))
    return false;
  last = omen_names_find (names, plain.text, plain.length);
  *id = last == OMEN_NONE ? omen_names_id (names, plain.text, plain.length)
                          : next_block (reader, last, plain);
  return true;
}

bool
omen_reader_variable (omen_reader *reader, omen_field field, bool fresh,
                      omen_vid *id)
{
  size_t digits;
  if (!field.length)
    return omen_reader_fail (reader, field, "the name of a variable");
  digits = number_at_end (field, '~');
  if (OMEN_UNLIKELY (digits))
    return numbered_block (reader, field, digits, id);
  if (OMEN_UNLIKELY (fresh))
    return fresh_block (reader, field, id);
  return cached (reader, &reader->names[OMEN_OPERAND_VARIABLE],
                 &reader->trace->names[OMEN_OPERAND_VARIABLE], field, id);
}

omen_pid
omen_reader_whole (omen_reader *reader, omen_vid variable)
{
  while (OMEN_UNLIKELY (reader->wholes.count <= variable))
    OMEN_VEC_PUSH (reader->wholes, OMEN_NONE);
  if (OMEN_UNLIKELY (reader->wholes.data[variable] == OMEN_NONE))
    reader->wholes.data[variable]
        = omen_trace_place (reader->trace, variable, 0, OMEN_WHOLE);
  return reader->wholes.data[variable];
}

/* `x+4:2`: digits after a colon, digits after a plus, a name before it. */
static bool
range_at_end (omen_field *field, omen_field *offset, omen_field *size)
{
  size_t digits = number_at_end (*field, ':');
  omen_field rest = *field;
  if (OMEN_LIKELY (!digits))
    return false;
  *size = (omen_field){ field->text + field->length - digits, digits };
  rest.length -= digits + 1;
  digits = number_at_end (rest, '+');
  if (!digits)
    return false;
  *offset = (omen_field){ rest.text + rest.length - digits, digits };
  field->length = rest.length - digits - 1;
  return true;
}

bool
omen_reader_place (omen_reader *reader, omen_field field, omen_pid *id)
{
  omen_field offset, size, whole = field;
  uint64_t first, count;
  omen_vid variable;
  if (OMEN_LIKELY (!range_at_end (&field, &offset, &size))) {
    if (!omen_reader_variable (reader, field, false, &variable))
      return false;
    *id = omen_reader_whole (reader, variable);
    return true;
  }
  if (!omen_field_number (size, OMEN_WHOLE - 1, &count) || !count
      || !omen_field_number (offset, OMEN_WHOLE - 1 - count, &first))
    return omen_reader_fail (reader, whole, "a byte range below 4 GB");
  if (!omen_reader_variable (reader, field, false, &variable))
    return false;
  *id = omen_trace_place (reader->trace, variable, (uint32_t)first,
                          (uint32_t)count);
  return true;
}
