/* Converts fields of a line to ids: names, blocks, places, values. */
#include "io/text_reader.h"

#define LONGEST_NAME ((size_t)1 << 31)

static int
hex (char c)
{
  if (omen_digit (c))
    return c - '0';
  c |= 0x20;
  return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* `\xHH` is that byte; other backslashes are literal (paths of other systems
   have them). The empty name is written `\-`. */
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

static inline bool
is_control (char c)
{
  return ((unsigned char)c < 0x20) & (c != '\t');
}

bool
omen_reader_plain (omen_reader *reader, omen_field field, omen_field *plain)
{
  unsigned wrong = 0;
  *plain = field;
  if (!field.length)
    return true;
  if (field.length >= LONGEST_NAME)
    return omen_reader_fail (reader, field, "a name below 2 GB");
  for (size_t i = 0; i < field.length; i++)
    wrong |= is_control (field.text[i]);
  for (size_t i = 0; wrong && i < field.length; i++)
    if (is_control (field.text[i]))
      return omen_reader_fail (reader, (omen_field){ field.text + i, 1 },
                               "text (a control byte is written as \\xHH)");
  if (memchr (field.text, '\\', field.length))
    *plain = unescape (&reader->scratch, field);
  return true;
}

/* Put the key into the index, or change its id there. */
static void
index_word (omen_words *words, const omen_word *key, uint32_t id)
{
  omen_word *slot;
  if (!key->length)
    return;
  slot = omen_words_find (words, key);
  if (slot)
    slot->id = id;
  else
    omen_words_put (words, key, id);
}

/* Find the id of a text by its index, or add the name. */
static bool
find_or_add (omen_reader *reader, omen_words *words, omen_names *names,
             omen_field field, uint32_t *id)
{
  omen_field plain;
  omen_word key;
  omen_word_key (field.text, field.length, reader->end, &key);
  if (omen_reader_key_known (words, &key, id))
    return true;
  if (!omen_reader_plain (reader, field, &plain))
    return false;
  *id = omen_names_id (names, plain.text, plain.length);
  if (plain.text == field.text)
    index_word (words, &key, *id);
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
  OMEN_REQUIRE (table < OMEN_OPERANDS && expected[table]);
  if (!field.length)
    return omen_reader_fail (reader, field, expected[table]);
  return find_or_add (reader, &reader->names[table],
                      &reader->trace->names[table], field, id);
}

/* A location in the index has no dependences at its end. */
bool
omen_reader_location (omen_reader *reader, omen_field field, uint32_t *id)
{
  omen_field bare = field, plain;
  omen_word key;
  bool before = reader->extra;
  omen_word_key (field.text, field.length, reader->end, &key);
  if (omen_reader_key_known (&reader->locations, &key, id))
    return true;
  if (!omen_reader_tail (reader, &bare, false)
      || !omen_reader_plain (reader, bare, &plain))
    return false;
  *id = omen_names_id (&reader->trace->locations, plain.text, plain.length);
  if (!before && plain.text == field.text && plain.length == field.length)
    index_word (&reader->locations, &key, *id);
  return true;
}

bool
omen_reader_thread (omen_reader *reader, omen_field field, omen_tid *id)
{
  omen_names *names = &reader->trace->names[OMEN_OPERAND_THREAD];
  uint32_t count = names->count;
  if (!field.length)
    return omen_reader_fail (reader, field, "the name of a thread");
  if (!find_or_add (reader, &reader->names[OMEN_OPERAND_THREAD], names, field,
                    id))
    return false;
  if (names->count > count)
    omen_trace_thread (reader->trace, names->names[*id].text,
                       names->names[*id].length);
  OMEN_ASSERT (reader->trace->threads.count == names->count);
  return true;
}

/* ---- variables: blocks whose names may be used again ---- */

static uint32_t
number_of_name (const omen_reader *reader, omen_vid v)
{
  return v < reader->numbers.count ? reader->numbers.data[v] : 0;
}

static void
put_id (omen_ids *ids, uint32_t i, uint32_t value)
{
  while (ids->count <= i)
    OMEN_VEC_PUSH (*ids, 0);
  ids->data[i] = value;
}

bool
omen_reader_stale (const omen_reader *reader, omen_pid place)
{
  omen_vid v = reader->trace->places.data[place].variable;
  return v < reader->stale.count && reader->stale.data[v];
}

/* "name~number", in a buffer that is reused by the next call. */
static omen_field
tagged (omen_reader *reader, const char *name, size_t length, uint32_t number)
{
  omen_line *text = &reader->tagged;
  OMEN_VEC_RESERVE (*text, length + 16);
  memcpy (text->data, name, length);
  length += (size_t)sprintf (text->data + length, "~%u", number);
  return (omen_field){ text->data, length };
}

/* Record that `name~number` is v. */
static void
register_instance (omen_reader *reader, omen_vid v, uint32_t number)
{
  const omen_name *name = &reader->trace->names[OMEN_OPERAND_VARIABLE].names[v];
  omen_field text = tagged (reader, name->text, name->length, number);
  omen_names_id (&reader->instances, text.text, text.length);
  OMEN_VEC_PUSH (reader->instance_of, v);
  OMEN_ASSERT (reader->instance_of.count == reader->instances.count);
}

static omen_vid
find_instance (omen_reader *reader, omen_field plain, uint32_t number)
{
  omen_field text = tagged (reader, plain.text, plain.length, number);
  uint32_t i = omen_names_find (&reader->instances, text.text, text.length);
  OMEN_ASSERT (i != OMEN_NONE);
  return reader->instance_of.data[i];
}

/* A new block of a name that is in use; `last` is its latest block. */
static omen_vid
next_block (omen_reader *reader, omen_vid last, omen_field plain)
{
  omen_names *names = &reader->trace->names[OMEN_OPERAND_VARIABLE];
  omen_words *words = &reader->names[OMEN_OPERAND_VARIABLE];
  uint32_t number = number_of_name (reader, last);
  omen_word key, *slot;
  omen_vid v;
  if (!number)
    register_instance (reader, last, 0);
  v = omen_names_again (names, plain.text, plain.length);
  put_id (&reader->numbers, v, number + 1);
  put_id (&reader->stale, last, 1);
  register_instance (reader, v, number + 1);
  omen_word_key (names->names[v].text, plain.length,
                 names->names[v].text + plain.length, &key);
  slot = omen_words_find (words, &key);
  OMEN_ASSERT (!slot || slot->id == last);
  if (slot)
    slot->id = v;
  return v;
}

/* The length of a number at the end of the field after `mark`; 0 if there is
   none, or nothing precedes the mark. */
static inline size_t
number_at_end (omen_field field, char mark)
{
  size_t n = omen_field_digits (field);
  return n && n + 1 < field.length && field.text[field.length - 1 - n] == mark
             ? n
             : 0;
}

/* Cuts off `+4:2` of `x+4:2`. */
static bool
range_at_end (omen_field *field, omen_field *offset, omen_field *size)
{
  size_t digits = number_at_end (*field, ':');
  omen_field rest = *field;
  if (!digits)
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
  else if (last != OMEN_NONE && number == number_of_name (reader, last))
    *id = last;
  else if (last != OMEN_NONE && number == number_of_name (reader, last) + 1u)
    *id = next_block (reader, last, plain);
  else if (last != OMEN_NONE && number < number_of_name (reader, last))
    *id = find_instance (reader, plain, (uint32_t)number);
  else
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
  omen_field offset, size;
  size_t digits;
  if (!field.length)
    return omen_reader_fail (reader, field, "the name of a variable");
  digits = number_at_end (field, '~');
  if (digits)
    return numbered_block (reader, field, digits, id);
  if (range_at_end (&(omen_field){ field.text, field.length }, &offset, &size))
    return omen_reader_fail (reader, field, "a whole variable");
  if (fresh)
    return fresh_block (reader, field, id);
  return find_or_add (reader, &reader->names[OMEN_OPERAND_VARIABLE],
                      &reader->trace->names[OMEN_OPERAND_VARIABLE], field, id);
}

static bool
find_place (omen_reader *reader, omen_field field, omen_pid *id)
{
  omen_field offset, size, whole = field;
  uint64_t first = 0, count = OMEN_WHOLE;
  omen_vid variable;
  if (range_at_end (&field, &offset, &size)
      && (!omen_field_number (size, OMEN_WHOLE - 1, &count) || !count
          || !omen_field_number (offset, OMEN_WHOLE - 1 - count, &first)))
    return omen_reader_fail (reader, whole, "one byte or more, below 4 GB");
  if (!omen_reader_variable (reader, field, false, &variable))
    return false;
  *id = omen_trace_place (reader->trace, variable, (uint32_t)first,
                          (uint32_t)count);
  return true;
}

/* All spellings may be indexed, since their meaning changes only when their
   variable becomes stale. */
bool
omen_reader_place (omen_reader *reader, omen_field field, const omen_word *key,
                   omen_pid *id)
{
  if (!find_place (reader, field, id))
    return false;
  OMEN_ASSERT (*id < reader->trace->places.count);
  if (key)
    index_word (&reader->names[OMEN_OPERAND_PLACE], key, *id);
  return true;
}
