#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void
omen_panic (const char *file, int line, const char *function, const char *what,
            const char *expr)
{
  fprintf (stderr, "omen: %s: %s:%d: %s: %s\n", what, file, line, function,
           expr);
  fflush (stderr);
#ifdef OMEN_EXPENSIVE
  abort ();
#else
  _Exit (5);
#endif
}

static bool
fill_err (omen_err *err, const char *where, const char *format, va_list args)
{
  if (err && !err->set) {
    err->set = true;
    snprintf (err->where, sizeof err->where, "%s", where ? where : "");
    vsnprintf (err->what, sizeof err->what, format, args);
  }
  return false;
}

bool
omen_err_set (omen_err *err, const char *where, const char *format, ...)
{
  va_list args;
  va_start (args, format);
  fill_err (err, where, format, args);
  va_end (args);
  return false;
}

bool
omen_err_io (omen_err *err, const char *path, const char *format, ...)
{
  va_list args;
  if (err && !err->set)
    err->io = true;
  va_start (args, format);
  fill_err (err, path, format, args);
  va_end (args);
  return false;
}

bool
omen_err_at (omen_err *err, const char *path, unsigned long line,
             const char *format, ...)
{
  char where[256];
  va_list args;
  snprintf (where, sizeof where, "%.220s:%lu", path, line);
  va_start (args, format);
  fill_err (err, where, format, args);
  va_end (args);
  return false;
}
