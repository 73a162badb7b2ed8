/* Determines what a clang command line, as given to omen cc, will do.

     -O2 -c a.c -o a.o        compiles, does not link
     a.o b.o -o prog          links
     -v                       neither: no input

   @file is read (as clang reads it), but left unchanged. */
#ifndef OMEN_DRIVER_MODULE_CC_LINE_H
#define OMEN_DRIVER_MODULE_CC_LINE_H

#include "base/err.h"
#include "base/vec.h"

typedef OMEN_VEC (char *) omen_cc_args; /* the strings are omen_strdup'ed */

typedef struct omen_cc_line {
  bool has_input;   /* a file, -, or -lx */
  bool stops_early; /* -c, -S, -E, …: nothing is linked */
  bool is_static;   /* -static, -static-pie */
  bool is_library;  /* -shared, or a woven library may be linked: -L, lib….so */
  bool is_partial;  /* -r: objects into one object */
  bool has_debug;   /* some -g option */
  bool other_sanitizer;
  const char *output; /* of -o; "a.out" */
} omen_cc_line;

/* Parses the arguments. An unreadable @file is left for clang to report. */
void omen_cc_line_read (omen_cc_line *line, int argc, char *const *argv);

/* Does it produce a program or shared library? */
bool omen_cc_line_links (const omen_cc_line *line);

/* Appends its options for headers and macros (-I, -D, …) to flags. */
void omen_cc_line_flags (int argc, char *const *argv, omen_cc_args *flags);

/* `arg` with "thread" removed from -fsanitize=…, since weaving replaces it.
   NULL if nothing is left; otherwise the caller frees it. */
char *omen_cc_line_keep (const char *arg);

#endif
