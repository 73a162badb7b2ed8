/* Where omen keeps what it uses at work: the weaver, the runtime, omen.h.
   Looked for in $OMEN_HOME, in the build tree that the running omen is in, and
   in the place of installation relative to it; so a tree can be moved.

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
  OMEN_HOME_MPI,            /* omen-mpi.so, if omen was built where MPI is */
  OMEN_HOME_FILES
} omen_home_file;

/* An absolute path that exists; NULL with the reason in err (which may be
   NULL). */
char *omen_home_find (omen_home_file file, omen_err *err);

#endif
