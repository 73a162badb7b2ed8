/* Locates the files that omen needs: the weaver, the runtime, omen.h. They are
   searched in $OMEN_HOME, in the build tree of the running omen, and at the
   installed location relative to it; so an installation can be moved.

     char *plugin = omen_home_find (OMEN_HOME_WEAVER, &err);   omen_free it */
#ifndef OMEN_DRIVER_HOME_H
#define OMEN_DRIVER_HOME_H

#include "base/err.h"

typedef enum omen_home_file {
  OMEN_HOME_WEAVER,         /* omen-weave.so, plugin of clang */
  OMEN_HOME_RUNTIME,        /* libomen-rt.so */
  OMEN_HOME_STATIC_RUNTIME, /* libomen-rt.a */
  OMEN_HOME_HEADER,         /* omen.h */
  OMEN_HOME_MODULE_HEADER,  /* omen-module.h */
  OMEN_HOME_MPI,            /* omen-mpi.so, if omen was built with MPI */
  OMEN_HOME_FILES
} omen_home_file;

/* An absolute path that exists; otherwise NULL, with the reason in err (which
   may be NULL). */
char *omen_home_find (omen_home_file file, omen_err *err);

#endif
