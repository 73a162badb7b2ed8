/* Splits lines of text into their parts, one by one:

     T1|w(x=5)<-0|f.c:3   thread T1, operation w, args x=5, tail <-0,
                          location f.c:3

   Cost: one pass over the bytes, 64 at a time, and a step for each | ( = and
   end of line. */
#ifndef OMEN_IO_TEXT_CUT_H
#define OMEN_IO_TEXT_CUT_H

#include "io/text_reader.h"

typedef struct omen_text_fields {
  omen_parts parts;
  bool comment;         /* comment or blank line: no parts */
  const char *expected; /* NULL: parts are valid. Else what was expected … */
  omen_field wrong;     /* … and what was found */
} omen_text_fields;

typedef struct omen_cutter {
  const char *at, *end; /* start of the next line */
  const char *block;    /* current block of at most 64 bytes */
  uint64_t marks;       /* marks in it that were not passed yet */
} omen_cutter;

omen_cutter omen_cutter_at (const char *text, const char *end);
/* False at the end of the text. */
bool omen_cutter_next (omen_cutter *cutter, omen_text_fields *cut);

#endif
