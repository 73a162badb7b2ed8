/* Where the files of a program's source are, by the names that locations have.

     char path[OMEN_PATH_MAX];
     if (omen_source_find (trace, paths, "src/bank.c", 10, path)) …

   Looked for in this order; the first that is there is it:
   - where the compiler read it (trace->sources), as a FROM=TO of `paths` says
     it: /build/app/src/bank.c with /build=/src is /src/app/src/bank.c
   - where the compiler read it, if the program's debug information says so
     (trusted), or if that is below the current folder
   - below each DIR of `paths`, by the longest end of that path that is there:
     DIR/build/app/src/bank.c, …, DIR/src/bank.c, DIR/bank.c
   - by its name, from here, below the current folder.
   Nothing is found outside DIR or TO by their ways, whatever `..` and links
   say: a trace may name any file. If two files have the name, and both are
   there, it is not known which one is meant: it is not found. */
#ifndef OMEN_REPORT_FINDER_H
#define OMEN_REPORT_FINDER_H

#include "report/report.h"

#define OMEN_PATH_MAX 4096

/* `path`: absolute, without links. */
bool omen_source_find (const omen_trace *trace, const omen_source_paths *paths,
                       const char *name, size_t length,
                       char path[OMEN_PATH_MAX]);

#endif
