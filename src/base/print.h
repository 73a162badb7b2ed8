/* Text for people. What traces, programs and specs contribute cannot move the
   cursor of a terminal, forge a line or turn the direction of writing:

     omen_print (stderr, "omen: race on %s\n", name);

   is fprintf, but of each %s and %c the control characters (tabs and newlines,
   too), those that steer the direction of text or are line ends elsewhere, and
   bytes that are no UTF-8, are written \xHH. What the format itself says is
   written as it is. All that commands say goes this way; what is data (JSON, a
   trace in its text form) has escapes of its own. */
#ifndef OMEN_BASE_PRINT_H
#define OMEN_BASE_PRINT_H

#include "base/defs.h"

#include <stdarg.h>
#include <stdio.h>

/* Conversions: d i u x X o c s e f g %, with flags, width, precision, and hh h
   l ll z j t. */
void omen_print (FILE *out, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
void omen_vprint (FILE *out, const char *format, va_list args)
    __attribute__ ((format (printf, 2, 0)));

/* A line of source, whose tabs are tabs. */
void omen_print_source (FILE *out, const char *text, size_t length);

/* A word for the shell, which reads it back byte for byte and nothing beside
   it; it can be pasted into a terminal. */
void omen_print_word (FILE *out, const char *word, size_t length);
/* Words as omen_print_word or a recording wrote them, with blanks between;
   each is written anew, so that whatever stands there, it is only words. */
void omen_print_words (FILE *out, const char *line);

/* The bytes of the character that text begins with, of `length`: 0 if it is
   no UTF-8 or one of those that are written \xHH. */
size_t omen_print_plain (const char *text, size_t length);

#endif
