/* Messages on standard error, with the prefix "omen: ", and exit codes. Results
   go to stdout. */
#ifndef OMEN_DRIVER_MESSAGE_H
#define OMEN_DRIVER_MESSAGE_H

#include "base/err.h"

/* The exit codes; the texts are used in the manual. */
#define OMEN_EXITS(X)                                                          \
  X (NOTHING, 0, "ran, and found nothing")                                     \
  X (FINDINGS, 1, "at least one finding")                                      \
  X (USAGE, 2, "bad command line, or a file that cannot be read or written")   \
  X (INPUT, 3, "bad trace, spec or witness")                                   \
  X (BUDGET, 4, "budget or memory ran out before anything was found")          \
  X (BUG, 5, "an error of omen itself")

enum omen_exit {
#define OMEN_EXIT_(name, code, meaning) OMEN_EXIT_##name = code,
  OMEN_EXITS (OMEN_EXIT_)
#undef OMEN_EXIT_
};

/* Print "omen: where: what" and return `code` (2 instead of 3 if a file could
   not be read or written). */
int omen_fail (int code, const omen_err *err);
/* True if there is no error; otherwise calls omen_fail and sets *out to its
   result. */
bool omen_succeeded (const omen_err *err, int code, int *out);

/* "omen: warning: …" on stderr. */
void omen_warn (const char *format, ...)
    __attribute__ ((format (printf, 1, 2)));

/* Ends a command that printed results: flushes stdout and returns `code`, or 2
   with a message if the output could not be written. */
int omen_finish (int code);

#endif
