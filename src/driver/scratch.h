/* A directory for temporary files: in $TMPDIR, /tmp, or another directory, with
   an unpredictable name, accessible only to the user (0700).

     omen_scratch scratch;
     if (!omen_scratch_open (&scratch, NULL, &err)) …
     omen_scratch_file (&scratch, "run.omen", path, sizeof path);
     omen_scratch_close (&scratch);            its files go, too

   It also goes if omen ends without that (SIGKILL, for example). */
#ifndef OMEN_DRIVER_SCRATCH_H
#define OMEN_DRIVER_SCRATCH_H

#include "base/err.h"
#include "driver/guard.h"

#include <limits.h>
#include <stdio.h>

typedef struct omen_scratch {
  char folder[PATH_MAX]; /* absolute path; "": none */
  omen_guard guard;
} omen_scratch;

/* `where`: parent directory; NULL: the one for temporary files. */
bool omen_scratch_open (omen_scratch *scratch, const char *where,
                        omen_err *err);
void omen_scratch_file (const omen_scratch *scratch, const char *name,
                        char *path, size_t room);
/* Creates or truncates a file for writing, readable only by the user. NULL: see
   errno. */
FILE *omen_scratch_write (const char *path);
void omen_scratch_close (omen_scratch *scratch);

#endif
