/* Any trace file into memory: told apart by content, "-" is standard input. */
#ifndef OMEN_TRACE_LOAD_H
#define OMEN_TRACE_LOAD_H

#include "base/vec.h"
#include "trace/trace.h"

/* Sealed, or NULL with err filled in. Not checked for well-formedness. */
omen_trace *omen_trace_load (const char *path, omen_err *err);

/* As above with one form's parser, whatever the content looks like; NULL tells
   forms apart by content. */
typedef omen_trace *(*omen_trace_parser) (const char *path, const char *text,
                                          size_t size, omen_err *err);
omen_trace *omen_trace_load_as (const char *path, omen_trace_parser parser,
                                omen_err *err);

/* What else belongs to a file with these bytes: chunks that are read as if they
   stood at its end. Nothing unless the program has set it (names of a
   recording that has none are looked up in the recorded program, which is not
   the business of this layer). */
typedef OMEN_VEC (uint8_t) omen_load_bytes;
extern void (*omen_load_more) (const char *path, const void *data, size_t size,
                               omen_load_bytes *more);

#endif
