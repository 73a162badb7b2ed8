/* Finds the source files of a program by their names in locations.

     char path[OMEN_PATH_MAX];
     if (omen_source_find (trace, paths, "src/bank.c", 10, path)) …

   Tried in this order; the first path that exists is taken:
   - the path that the compiler read (trace->sources), mapped by a FROM=TO of
     `paths`: /build/app/src/bank.c with /build=/src is /src/app/src/bank.c
   - the path that the compiler read, if the program's debug information has it
     (trusted), or if it is inside the current directory
   - the longest existing end of that path inside each DIR of `paths`:
     DIR/build/app/src/bank.c, …, DIR/src/bank.c, DIR/bank.c
   - the name itself, relative to and inside the current directory.
   DIR and TO never lead to files outside of them, even by `..` or links: a
   trace may name any file. If two different files fit the name, neither is
   taken. */
#ifndef OMEN_REPORT_FINDER_H
#define OMEN_REPORT_FINDER_H

#include "report/report.h"

#define OMEN_PATH_MAX 4096

/* `path`: absolute, links resolved. */
bool omen_source_find (const omen_trace *trace, const omen_source_paths *paths,
                       const char *name, size_t length,
                       char path[OMEN_PATH_MAX]);

#endif
