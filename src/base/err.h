/* An error as a value: what went wrong and where. It is returned up to the
   command layer; only that prints it and exits. It is the last parameter of
   functions that can fail. */
#ifndef OMEN_BASE_ERR_H
#define OMEN_BASE_ERR_H

#include "base/defs.h"

#include <stdarg.h>

typedef struct omen_err {
  bool set;
  bool io;         /* a file could not be read or written: exit code 2, not 3 */
  char where[256]; /* "run.omen:17" or "run.omen", may be empty */
  char what[768];  /* one sentence, no full stop */
  char shown[256]; /* lines that follow, with newlines; or empty */
} omen_err;

/* Fill in `err`, unless it is set already. Always returns false, so that
   callers can write `return omen_err_set (err, path, "...")`. */
bool omen_err_set (omen_err *err, const char *where, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* The same, for a file that cannot be opened, read or written. */
bool omen_err_io (omen_err *err, const char *path, const char *format, ...)
    __attribute__ ((format (printf, 3, 4)));

/* The same with a line: `where` becomes "path:line". */
bool omen_err_at (omen_err *err, const char *path, unsigned long line,
                  const char *format, ...)
    __attribute__ ((format (printf, 4, 5)));

#endif
