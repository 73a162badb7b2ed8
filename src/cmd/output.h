/* A file that a command writes: all of it appears, or nothing does.

     omen_output out;
     if (!omen_output_open (&out, path, true, &err)) …
     … write to out.file …
     if (!omen_output_commit (&out, &err)) …     or omen_output_abandon (&out)

   It is written under another name in the same folder, readable by the user
   alone (traces hold a program's data), and renamed when complete; a signal
   that ends omen removes it. Where OUT is no regular file (a pipe, /dev/null)
   it is written directly. One output at a time. */
#ifndef OMEN_CMD_OUTPUT_H
#define OMEN_CMD_OUTPUT_H

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
   is left behind. */
bool omen_output_commit (omen_output *output, omen_err *err);
void omen_output_abandon (omen_output *output);

#endif
