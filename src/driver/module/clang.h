/* Finds and runs the compiler. */
#ifndef OMEN_DRIVER_MODULE_CLANG_H
#define OMEN_DRIVER_MODULE_CLANG_H

#include "driver/module/cc_line.h"

/* $OMEN_CLANG or $OMEN_CLANGXX; else clang-19, clang; clang++ for C++. */
const char *omen_clang_find (bool cxx);

/* Run args (with a NULL appended) and wait. `folder`: for its temporary files,
   and its stderr, which becomes the file `errors` there; NULL: as ours. Returns
   the exit code as a shell would; -1 with err set if it did not start. */
int omen_clang_run (omen_cc_args *args, const char *folder, omen_err *err);

/* Append a formatted string; free all strings. */
void omen_args_add (omen_cc_args *args, const char *format, const char *value);
void omen_args_fini (omen_cc_args *args);

#endif
