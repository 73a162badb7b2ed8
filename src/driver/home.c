#include "driver/home.h"

#include "base/mem.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef OMEN_LIB_FROM_BIN
#define OMEN_LIB_FROM_BIN "../lib/omen" /* overridden by meson */
#endif

static const struct {
  const char *name;
  const char *folders[2]; /* relative to omen's directory: in the build tree,
                             installed */
} files[OMEN_HOME_FILES] = {
  [OMEN_HOME_WEAVER] = { "omen-weave.so", { "src/weave", OMEN_LIB_FROM_BIN } },
  [OMEN_HOME_RUNTIME]
  = { "libomen-rt.so", { "src/runtime", OMEN_LIB_FROM_BIN } },
  [OMEN_HOME_STATIC_RUNTIME]
  = { "libomen-rt.a", { "src/runtime", OMEN_LIB_FROM_BIN } },
  [OMEN_HOME_HEADER] = { "omen.h", { "../../include", "../include" } },
  [OMEN_HOME_MODULE_HEADER]
  = { "omen-module.h", { "../../include", "../include" } },
  [OMEN_HOME_MPI] = { "omen-mpi.so", { "src/mpi", OMEN_LIB_FROM_BIN } },
};

/* The absolute path of folder/under/name, if it exists. */
static char *
existing (const char *folder, const char *under, const char *name)
{
  char path[PATH_MAX], real[PATH_MAX];
  if (snprintf (path, sizeof path, "%s/%s", folder, under) >= PATH_MAX
      || !realpath (path, real)
      || snprintf (path, sizeof path, "%s/%s", real, name) >= PATH_MAX
      || access (path, R_OK))
    return NULL;
  return omen_strdup (path);
}

/* The directory of the running omen. */
static bool
own_folder (char *folder)
{
  ssize_t length = readlink ("/proc/self/exe", folder, PATH_MAX - 1);
  if (length <= 0)
    return false;
  folder[length] = 0;
  char *slash = strrchr (folder, '/');
  OMEN_ASSERT (slash);
  *slash = 0;
  return true;
}

char *
omen_home_find (omen_home_file file, omen_err *err)
{
  const char *home = secure_getenv ("OMEN_HOME");
  char folder[PATH_MAX], *found = NULL;
  OMEN_REQUIRE (file < OMEN_HOME_FILES);
  if (home && *home)
    found = existing (home, ".", files[file].name);
  if (!found && own_folder (folder))
    for (size_t i = 0; i < 2 && !found; i++)
      found = existing (folder, files[file].folders[i], files[file].name);
  if (!found)
    omen_err_set (
        err, NULL, "%s not found beside omen%s; OMEN_HOME may name its folder",
        files[file].name,
        file == OMEN_HOME_WEAVER ? " (was omen built where LLVM 19 is?)"
        : file == OMEN_HOME_MPI  ? " (was omen built where MPI is?)"
                                 : "");
  return found;
}
