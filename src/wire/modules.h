/* Classifies uninstrumented modules by the names of their files:

     omen_module_standing ("/lib/x86_64-linux-gnu/libc.so.6")
       OMEN_MODULE_SERVANT    it acts only on behalf of its caller
       OMEN_MODULE_STANDARD   it accesses only what its caller passes to it
       OMEN_MODULE_STRANGER   any other: what it does is unknown


   Plain C: the guest runtime includes this file. */
#ifndef OMEN_WIRE_MODULES_H
#define OMEN_WIRE_MODULES_H

#include "base/defs.h"

typedef enum omen_standing {
  OMEN_MODULE_STRANGER,
  OMEN_MODULE_SERVANT,
  OMEN_MODULE_STANDARD
} omen_standing;

static inline bool
omen_module_is_one_of (const char *name, const char *const *starts)
{
  for (; *starts; starts++) {
    const char *start = *starts, *at = name;
    while (*start && *start == *at) {
      start++;
      at++;
    }
    if (!*start)
      return true;
  }
  return false;
}

static inline const char *
omen_module_name (const char *path)
{
  const char *name = path;
  for (; *path; path++)
    if (*path == '/')
      name = path + 1;
  return name;
}

/* Is it a runtime of OpenMP? It makes threads, and waits for them, for the
   program. */
static inline bool
omen_module_is_openmp (const char *path)
{
  static const char *const all[]
      = { "libomp.so", "libgomp.so", "libiomp5.so", NULL };
  return omen_module_is_one_of (omen_module_name (path), all);
}

static inline omen_standing
omen_module_standing (const char *path)
{
  static const char *const servants[]
      = { "libomen-rt.so", "libc.so",  "libm.so", "libpthread.so",
          "libdl.so",      "librt.so", NULL };
  static const char *const standard[] = {
    "libstdc++.so", "libc++.so", "libc++abi.so", "libgcc_s.so", "libatomic.so",
    "ld-linux",     NULL
  };
  const char *name = omen_module_name (path);
  return omen_module_is_one_of (name, servants)   ? OMEN_MODULE_SERVANT
         : omen_module_is_one_of (name, standard) ? OMEN_MODULE_STANDARD
                                                  : OMEN_MODULE_STRANGER;
}

#endif
