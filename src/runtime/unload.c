/* dlclose: what refers to a module's sites is written while they are there. */
#include "runtime/core.h"

#include <dlfcn.h>

#pragma GCC visibility push(default)

int
dlclose (void *handle)
{
  static int (*real) (void *);
  if (omen_listening ()) {
    omen_modules_find ();
    omen_log_flush_all ();
  }
  return omen_real (&real, "dlclose") (handle);
}

#pragma GCC visibility pop
