/* Traces of the RAPID tools in CSV form: a column per thread, an event a line,
   in the column of its thread.

     r(V123),,               event 0 = T0|r(V123)|1
     ,w(V234.23[0]),         event 1 = T1|w(V234.23[0])|2
     fork(T2),,              event 2 = T0|fork(T2)|3
     ,,sync(x)               events 3 … 6 of T2: acq(x) r(xVar) w(xVar) rel(x)

   Columns are the threads T0, T1, …, or are named by a header line. Operations:
   r w acq rel fork join, start (a fork), begin end enter exit, sync. Operands
   are plain names without syntax. A cell may be in double quotes; blanks around
   it are ignored. Lines that start with # and lines without a cell are skipped.
   The location of an event is its line. Re-entrant acquires are dropped
   (import.h). */
#ifndef OMEN_IO_CSV_H
#define OMEN_IO_CSV_H

#include "trace/trace.h"

/* Parses `size` bytes of text. `path` is for messages, which say
   "path:line:column". Sealed, or NULL. */
omen_trace *omen_csv_parse (const char *path, const char *text, size_t size,
                            omen_err *err);

#endif
