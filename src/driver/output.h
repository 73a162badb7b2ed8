/* Atomic output files: the whole file appears, or nothing.

     omen_output out;
     if (!omen_output_open (&out, path, true, &err)) …
     if (!write_something (out.file, &err))
       return omen_output_abandon (&out, &err);
     return omen_output_commit (&out, &err);

   The file is written under a temporary name in the same directory, readable
   only by the user (traces contain a program's data), and renamed when
   complete; a signal that terminates omen removes it. If the output is no
   regular file (a pipe, /dev/null), it is written directly. One output at a
   time. */
#ifndef OMEN_DRIVER_OUTPUT_H
#define OMEN_DRIVER_OUTPUT_H

#include "base/err.h"

#include <stdio.h>

typedef struct omen_output {
  FILE *file;
  char *path;      /* final path; NULL: standard output */
  char *temporary; /* temporary path; NULL: written directly */
} omen_output;

/* `path` "-" is standard output, refused for binary data on a terminal. */
bool omen_output_open (omen_output *output, const char *path, bool binary,
                       omen_err *err);
/* Both close the output. Commit returns false if something could not be
   written; then nothing is left behind. Abandon always returns false, and adds
   the location to an `err` that has none. */
bool omen_output_commit (omen_output *output, omen_err *err);
bool omen_output_abandon (omen_output *output, omen_err *err);

/* For handlers of signals that terminate: removes unfinished output. */
void omen_output_forget (void);

/* Creates a directory that only the user can access, unless it exists. */
bool omen_output_folder (const char *path, omen_err *err);

#endif
