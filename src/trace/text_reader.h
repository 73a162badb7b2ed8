/* What the files text_read.c (lines), text_args.c (what stands in the
   parentheses), text_name.c (names, places, values) and text_tail.c (`<-1,2^3`)
   share. Private to them. */
#ifndef OMEN_TRACE_TEXT_READER_H
#define OMEN_TRACE_TEXT_READER_H

#include "trace/text.h"
#include "trace/words.h"

/* A piece of the text, blanks trimmed, escapes still in it. */
typedef struct omen_field {
  const char *text;
  size_t length;
} omen_field;

/* A line in parts: thread|operation(args)tail|location. */
typedef struct omen_parts {
  omen_field thread, operation, args, tail, location;
  const char *equals; /* the first = in args, or NULL */
} omen_parts;

typedef struct omen_reader {
  omen_trace *trace;
  omen_err *err;
  const char *path, *end; /* end of the whole text */
  unsigned long line;

  omen_words operations; /* "aw.rel" -> kind | order << 8 */
  omen_words locations;
  omen_words names[OMEN_OPERANDS];
  omen_line scratch; /* the last name that had escapes */

  omen_ids wholes;      /* by variable: the place that is all of it */
  omen_names instances; /* "p~1": blocks whose name is used again … */
  omen_ids instance_of; /* … and the variable of each */
  omen_ids numbers;     /* by variable: which block of its name; missing: 0 */

  bool numbered_fork; /* some fork(9) or join(9) is to be resolved */
  omen_ids literal;   /* threads once spelt with an escape: not resolved */

  bool extra; /* this line has dependences: */
  uint32_t first_read, reads, branch;
} omen_reader;

/* "expected …, found …" at the line; false. */
bool omen_reader_fail (omen_reader *reader, omen_field found,
                       const char *expected);

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
  while (OMEN_UNLIKELY (field.length
                        && omen_blank (field.text[field.length - 1])))
    field.length--;
  return field;
}

static inline omen_field
omen_field_between (const char *start, const char *end)
{
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

/* Split at the first `mark`: the part before it, *rest what follows (text NULL
   if there is no mark). */
omen_field omen_field_split (omen_field field, char mark, omen_field *rest);
bool omen_field_is (omen_field field, const char *text);
/* Decimal digits only, at most `max`. */
bool omen_field_number (omen_field field, uint64_t max, uint64_t *number);

/* Names, places, values. */
bool omen_reader_name (omen_reader *reader, omen_operand table,
                       omen_field field, uint32_t *id);
/* The location and what depends on what, at the end of a line. */
bool omen_reader_location (omen_reader *reader, omen_field field,
                           uint32_t *id);
bool omen_reader_thread (omen_reader *reader, omen_field field, omen_tid *id);
/* `fresh`: as alloc names it, a new block if the name is in use. */
bool omen_reader_variable (omen_reader *reader, omen_field field, bool fresh,
                           omen_vid *id);
omen_pid omen_reader_whole (omen_reader *reader, omen_vid variable);
bool omen_reader_place (omen_reader *reader, omen_field field, omen_pid *id);
bool omen_reader_value (omen_reader *reader, omen_field field, uint8_t *kind,
                        uint64_t *value);
/* Escapes undone (in the scratch buffer if there are any). False on a raw
   control byte. */
bool omen_reader_plain (omen_reader *reader, omen_field field,
                        omen_field *plain);

/* What stands in the parentheses: fills object, value, mode. */
bool omen_reader_args (omen_reader *reader, const omen_parts *parts,
                       omen_event *event);

/* `<-1,2^3` cut off the end of *field if it is there (`all`: or else nothing
   may be there). */
bool omen_reader_tail (omen_reader *reader, omen_field *field, bool all);

#endif
