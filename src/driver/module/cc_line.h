/* A command line for clang, as omen cc got it: what kind of work it asks for.

     -O2 -c a.c -o a.o        compiles, does not link
     a.o b.o -o prog          links
     -v                       neither: no input

   @file is looked into (as clang itself reads it), but stays as it is. */
#ifndef OMEN_DRIVER_MODULE_CC_LINE_H
#define OMEN_DRIVER_MODULE_CC_LINE_H

#include "base/err.h"
#include "base/vec.h"

typedef OMEN_VEC (char *) omen_cc_args; /* the strings are omen_strdup'ed */

typedef struct omen_cc_line {
  bool has_input;   /* a file, -, or -lx */
  bool stops_early; /* -c, -S, -E and the like: nothing is linked */
  bool is_static;   /* -static, -static-pie */
  bool is_library;  /* -shared, or one of ours may be linked: -L, lib….so */
  bool is_partial;  /* -r: objects into one object */
  bool has_debug;   /* some -g option */
  bool other_sanitizer;
  const char *output; /* of -o; "a.out" */
} omen_cc_line;

/* Look at the arguments. An unreadable @file is left to clang to refuse. */
void omen_cc_line_read (omen_cc_line *line, int argc, char *const *argv);

/* Does it end in a program or shared library? */
bool omen_cc_line_links (const omen_cc_line *line);

/* What it says about headers and macros (-I, -D, …), appended to flags. */
void omen_cc_line_flags (int argc, char *const *argv, omen_cc_args *flags);

/* `arg` without thread in -fsanitize=…: weaving stands in for it. NULL if
   nothing is left of it; the caller frees the string. */
char *omen_cc_line_keep (const char *arg);

#endif
