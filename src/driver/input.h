/* Input files of commands; "-" is standard input. */
#ifndef OMEN_DRIVER_INPUT_H
#define OMEN_DRIVER_INPUT_H

#include "driver/message.h"
#include "load/load.h"

/* Loads the trace at `path` and prints its warnings. NULL: the message was
   printed and *code set. `options` may be NULL. */
omen_trace *omen_input_load (const char *path, const omen_load_options *options,
                             int *code);

/* The same for a witness, which may belong to the recording loaded in full,
   with settled accesses (--all). */
omen_trace *omen_input_load_for (const char *path, const char *witness,
                                 const omen_load_options *options, int *code);

/* For a trace that is not well-formed: prints err, and how to repair the trace.
   Returns the exit code. */
int omen_input_refused (const omen_err *err);

/* Monitors need all events: false, with the message printed and *code set, if
   the beginning of the trace is lost. */
bool omen_input_has_beginning (const omen_trace *trace, int *code);

/* Reads a text file; to be freed in any case. False if it cannot be read, or is
   too long. */
typedef OMEN_VEC (char) omen_text;
bool omen_input_text (const char *path, omen_text *text, omen_err *err);

#endif
