/* A trace written as text, one event a line (doc/trace-format.md, section 1);
   text_read.h reads it. */
#ifndef OMEN_TRACE_TEXT_H
#define OMEN_TRACE_TEXT_H

#include "trace/trace.h"

#include <stdio.h>

/* One event as `op(args)`, e.g. "w(x=5)", NUL-terminated; cut to `room`. */
size_t omen_text_operation (const omen_trace *trace, omen_eid e, char *buffer,
                            size_t room);
/* Appends one whole line without the newline. */
typedef OMEN_VEC (char) omen_line;
void omen_text_event (const omen_trace *trace, omen_eid e, omen_line *line);
/* All lines, init lines first. False on a write error. */
bool omen_text_write (const omen_trace *trace, FILE *out, omen_err *err);

/* Write the chosen events and init lines (by position). `index` puts the
   event's index and a tab before each line. Blocks are named as in the text of
   the whole trace. */
typedef struct omen_text_choice {
  bool (*event) (void *data, omen_eid e);
  bool (*init) (void *data, size_t i);
  void *data;
  bool index;
} omen_text_choice;
bool omen_text_write_some (const omen_trace *trace,
                           const omen_text_choice *choice, FILE *out,
                           omen_err *err);

#endif
