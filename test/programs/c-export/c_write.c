#include "c_writer.h"

#include <errno.h>
#include <string.h>

static bool
flush (FILE *out, omen_err *err)
{
  if (!fflush (out) && !ferror (out))
    return true;
  return omen_err_io (err, "", "cannot write the output: %s", strerror (errno));
}

bool
omen_c_write (const omen_trace *trace, FILE *out, const omen_c_options *options,
              omen_err *err)
{
  omen_c c = { .trace = trace, .err = err, .free = options->free };
  bool ok;
  OMEN_REQUIRE (trace->index);
  ok = omen_c_plan (&c) && omen_c_memory (&c);
  if (ok) {
    omen_c_name (&c);
    omen_c_bodies (&c);
    omen_c_frame (&c, out);
    omen_c_bodies_fini (&c);
    omen_c_name_fini (&c);
  }
  if (ok && options->warning)
    snprintf (options->warning, options->room, "%s", c.base.warning);
  omen_c_memory_fini (&c);
  omen_c_plan_fini (&c);
  return ok && flush (out, err);
}
