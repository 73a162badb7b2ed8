/* The reader of the text form (doc/trace-format.md, section 1). */
#ifndef OMEN_IO_TEXT_READ_H
#define OMEN_IO_TEXT_READ_H

#include "trace/trace.h"

/* Parses `size` bytes of text; `path` is for messages. Sealed, or NULL. */
omen_trace *omen_text_parse (const char *path, const char *text, size_t size,
                             omen_err *err);

#endif
