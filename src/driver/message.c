#include "driver/message.h"
#include "base/print.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
omen_fail (int code, const omen_err *err)
{
  fflush (stdout);
  omen_print (stderr, "omen: %s%s%s\n", err->where, err->where[0] ? ": " : "",
              err->what);
  omen_print_lines (stderr, "", err->shown);
  return code == OMEN_EXIT_INPUT && err->io ? OMEN_EXIT_USAGE : code;
}

bool
omen_succeeded (const omen_err *err, int code, int *out)
{
  if (err->set)
    *out = omen_fail (code, err);
  return !err->set;
}

void
omen_warn (const char *format, ...)
{
  va_list args;
  fflush (stdout);
  fputs ("omen: warning: ", stderr);
  va_start (args, format);
  omen_vprint (stderr, format, args);
  va_end (args);
  fputc ('\n', stderr);
}

int
omen_finish (int code)
{
  if (!fflush (stdout) && !ferror (stdout))
    return code;
  omen_print (stderr, "omen: cannot write the output: %s\n", strerror (errno));
  return OMEN_EXIT_USAGE;
}
