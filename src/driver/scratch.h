/* A folder for files that nobody keeps: below $TMPDIR or /tmp, or another one,
   under a name that cannot be guessed, and the user's alone (0700).

     omen_scratch scratch;
     if (!omen_scratch_open (&scratch, NULL, &err)) …
     omen_scratch_file (&scratch, "run.omen", path, sizeof path);
     omen_scratch_close (&scratch);            its files go, too */
#ifndef OMEN_DRIVER_SCRATCH_H
#define OMEN_DRIVER_SCRATCH_H

#include "base/err.h"

#include <limits.h>
#include <stdio.h>

typedef struct omen_scratch {
  char folder[PATH_MAX]; /* from the root; "": none */
} omen_scratch;

/* `where`: the folder around it; NULL: that for temporary files. */
bool omen_scratch_open (omen_scratch *scratch, const char *where,
                        omen_err *err);
void omen_scratch_file (const omen_scratch *scratch, const char *name,
                        char *path, size_t room);
/* Made, or emptied, for writing; nobody else may read it. NULL: errno. */
FILE *omen_scratch_write (const char *path);
void omen_scratch_close (omen_scratch *scratch);

#endif
