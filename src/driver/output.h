/* A file that a command writes: all of it appears, or nothing does.

     omen_output out;
     if (!omen_output_open (&out, path, true, &err)) …
     if (!write_something (out.file, &err))
       return omen_output_abandon (&out, &err);
     return omen_output_commit (&out, &err);

   It is written under another name in the same folder, readable by the user
   alone (traces hold a program's data), and renamed when complete; a signal
   that ends omen removes it (one with a handler does not end it). Where OUT is
   no regular file (a pipe, /dev/null) it is written directly. One output at a
   time. */
#ifndef OMEN_DRIVER_OUTPUT_H
#define OMEN_DRIVER_OUTPUT_H

#include "base/err.h"

#include <stdio.h>

typedef struct omen_output {
  FILE *file;
  char *path;      /* where it goes; NULL: standard output */
  char *temporary; /* where it is; NULL: written directly */
} omen_output;

/* `path` "-" is standard output, refused for binary data on a terminal. */
bool omen_output_open (omen_output *output, const char *path, bool binary,
                       omen_err *err);
/* Both end it. Commit is false if anything could not be written; then nothing
   is left behind. Abandon is false always, and if `err` says that something
   went wrong but not where, adds that it was here. */
bool omen_output_commit (omen_output *output, omen_err *err);
bool omen_output_abandon (omen_output *output, omen_err *err);

/* For a handler of signals that ends us: remove what is unfinished. */
void omen_output_forget (void);

/* A folder for files: made, the user's alone, unless it is there. */
bool omen_output_folder (const char *path, omen_err *err);

#endif
