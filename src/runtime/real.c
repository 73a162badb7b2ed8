#include "runtime/core.h"
#include "runtime/bytes.h"

#include <dlfcn.h>

/* Conditions have two versions in glibc, and dlsym may find the old one. */
static bool
is_condition (const char *name)
{
  static const char start[] = "pthread_cond_";
  for (size_t i = 0; start[i]; i++)
    if (name[i] != start[i])
      return false;
  return true;
}

void *
omen_real_find (const char *name)
{
  void *found = NULL;
  omen_quiet_begin ();
  if (is_condition (name))
    found = dlvsym (RTLD_NEXT, name, "GLIBC_2.3.2");
  if (!found)
    found = dlsym (RTLD_NEXT, name);
  omen_quiet_end ();
  return found;
}
