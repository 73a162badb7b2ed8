/* Files that a command line names; "-" is standard input. */
#ifndef OMEN_DRIVER_INPUT_H
#define OMEN_DRIVER_INPUT_H

#include "driver/message.h"
#include "load/load.h"

/* The trace at `path`, its warnings printed; NULL with the message printed and
 * *code set. `options` may be NULL. */
omen_trace *omen_input_load (const char *path, const omen_load_options *options,
                             int *code);

/* The same for a witness, which may be of a recording with all that is settled
   (--all). */
omen_trace *omen_input_load_for (const char *path, const char *witness,
                                 int *code);

/* No run can have left the trace: prints err, and how to make one of it. The
   exit status. */
int omen_input_refused (const omen_err *err);

/* Monitors have to have seen all: false, with the message printed and *code
   set, if the trace has lost its beginning. */
bool omen_input_has_beginning (const omen_trace *trace, int *code);

/* All of a text file; fini it in any case. False if it cannot be read, or is
   too long. */
typedef OMEN_VEC (char) omen_text;
bool omen_input_text (const char *path, omen_text *text, omen_err *err);

#endif
