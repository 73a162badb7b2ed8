/* Private to the files of the text reader: text_read.c (lines), text_args.c
   (arguments), text_name.c (names, places, values) and text_tail.c (`<-1,2^3`);
   the importers use omen_field, too. */
#ifndef OMEN_IO_TEXT_READER_H
#define OMEN_IO_TEXT_READER_H

#include "trace/text.h"
#include "io/text_read.h"
#include "trace/text_field.h"
#include "io/words.h"

/* The parts of a line: thread|operation(args)tail|location. */
typedef struct omen_parts {
  omen_field thread, operation, args, tail, location;
  const char *equals;     /* the first = in args, or NULL */
  omen_word place_key;    /* of args up to `equals`, not decoded */
  omen_word location_key; /* of the location, not decoded */
} omen_parts;

typedef struct omen_reader {
  omen_trace *trace;
  omen_err *err;
  const char *path, *end; /* end of the whole text */
  unsigned long line;

  omen_words operations; /* "aw.rel" -> kind | order << 8 */
  omen_words locations;
  omen_words names[OMEN_OPERANDS]; /* PLACE: "x+4:2" -> place */
  omen_line scratch;               /* the last name that had escapes */

  omen_names instances; /* "p~1": blocks of names that are reused … */
  omen_ids instance_of; /* … and the variable of each */
  omen_line tagged;     /* buffer for such a name */
  omen_ids numbers; /* by variable: number of the block among those of its name;
                       missing: 0 */
  omen_ids stale;   /* by variable: 1 if its name denotes a later block now;
                       missing: 0 */

  bool numbered_fork; /* some fork(9) or join(9) has to be resolved */
  omen_ids literal; /* threads written with an escape, which are not resolved */

  bool extra; /* the current line has dependences: */
  uint32_t first_read, reads, branch;
} omen_reader;

/* Sets "expected …, found …" with the line; returns false. */
bool omen_reader_fail (omen_reader *reader, omen_field found,
                       const char *expected);

/* The id of a key, if it is in the index. */
static inline bool
omen_reader_key_known (const omen_words *words, const omen_word *key,
                       uint32_t *id)
{
  const omen_word *slot = key->length ? omen_words_find (words, key) : NULL;
  if (OMEN_UNLIKELY (!slot))
    return false;
  *id = slot->id;
  return true;
}

/* The same for a text. */
static inline bool
omen_reader_known (const omen_reader *reader, const omen_words *words,
                   omen_field field, uint32_t *id)
{
  omen_word key;
  omen_word_key (field.text, field.length, reader->end, &key);
  return omen_reader_key_known (words, &key, id);
}

/* Names, places, values. Texts without escapes go into the indices; these
   functions are needed only for texts that are not there
   (omen_reader_known). */
bool omen_reader_name (omen_reader *reader, omen_operand table,
                       omen_field field, uint32_t *id);
/* The location, and dependences at the end of the line. */
bool omen_reader_location (omen_reader *reader, omen_field field, uint32_t *id);
bool omen_reader_thread (omen_reader *reader, omen_field field, omen_tid *id);
/* `fresh`: named by an alloc, so a new block if the name is in use. */
bool omen_reader_variable (omen_reader *reader, omen_field field, bool fresh,
                           omen_vid *id);
/* `key` is that of the field, or NULL. */
bool omen_reader_place (omen_reader *reader, omen_field field,
                        const omen_word *key, omen_pid *id);
bool omen_reader_stale (const omen_reader *reader, omen_pid place);
bool omen_reader_value (omen_reader *reader, omen_field field, uint8_t *kind,
                        uint64_t *value);
/* Decodes escapes (into the scratch buffer if there are any). False on a raw
   control byte. */
bool omen_reader_plain (omen_reader *reader, omen_field field,
                        omen_field *plain);

/* Parses the arguments: fills in object, value and mode. */
bool omen_reader_args (omen_reader *reader, const omen_parts *parts,
                       omen_event *event);

/* Cuts `<-1,2^3` off the end of *field. `all`: nothing else may be there. */
bool omen_reader_tail (omen_reader *reader, omen_field *field, bool all);

#endif
