/* Safe output to terminals: strings from traces, programs and specs cannot move
   the cursor, forge a line or change the direction of writing:

     omen_print (stderr, "omen: race on %s\n", name);

   is fprintf, but in each %s and %c, control characters (also tabs and
   newlines), characters that change the direction of text or end lines, and
   bytes that are not UTF-8, are written as \xHH. The format itself is written
   unchanged. All messages of commands are printed this way; data (JSON, traces
   as text) has its own escapes. */
#ifndef OMEN_BASE_PRINT_H
#define OMEN_BASE_PRINT_H

#include "base/defs.h"

#include <stdarg.h>
#include <stdio.h>

/* Conversions: d i u x X o c s e f g %, with flags, width, precision, and the
   lengths hh h l ll z j t. */
void omen_print (FILE *out, const char *format, ...)
    __attribute__ ((format (printf, 2, 3)));
void omen_vprint (FILE *out, const char *format, va_list args)
    __attribute__ ((format (printf, 2, 0)));

/* A line of source code, with its tabs. */
void omen_print_source (FILE *out, const char *text, size_t length);
/* Lines of text, each of them so, after `before`. */
void omen_print_lines (FILE *out, const char *before, const char *text);

/* A word quoted for the shell, which reads back exactly these bytes; safe to
   paste into a terminal. */
void omen_print_word (FILE *out, const char *word, size_t length);
/* Words written by omen_print_word or a recording, separated by blanks. Each is
   quoted again, so that whatever the line has is only words. */
void omen_print_words (FILE *out, const char *line);

/* The size of the character at the start of the text; 0 if it is not UTF-8, or
   is written as \xHH. */
size_t omen_print_plain (const char *text, size_t length);

#endif
