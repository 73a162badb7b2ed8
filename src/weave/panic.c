/* An internal error within the compiler: report it and abort. */
#include "base/defs.h"

#include <stdio.h>
#include <stdlib.h>

_Noreturn void
omen_panic (const char *file, int line, const char *function, const char *what,
            const char *expr)
{
  fprintf (stderr, "omen-weave: %s: %s:%d: %s: %s\n", what, file, line,
           function, expr);
  abort ();
}
