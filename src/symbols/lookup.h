/* Symbolizes single addresses of globals and code while the program runs; the
   names are those that a loaded trace has (src/recording/events/names.c).

     omen_lookup *names = omen_lookup_new ();
     omen_lookup_code (names, trace, pc, text);        "bank.c:12"
     omen_lookup_object (names, trace, address, text); "m", "accounts+48"
     omen_lookup_free (names);

   Uses the modules of the trace's table, which may grow; a module's file is
   opened for its first address. Each lookup of an object scans all objects of
   the module, so it is only for addresses that are displayed. */
#ifndef OMEN_SYMBOLS_LOOKUP_H
#define OMEN_SYMBOLS_LOOKUP_H

#include "trace/trace.h"

#define OMEN_LOOKUP_MAX 512

typedef struct omen_lookup omen_lookup;

omen_lookup *omen_lookup_new (void);
void omen_lookup_free (omen_lookup *lookup);
/* The call that returns to `pc`: file and line, else module and offset, else
   "". */
void omen_lookup_code (omen_lookup *lookup, const omen_trace *trace,
                       uint64_t pc, char text[OMEN_LOOKUP_MAX]);
/* The same without a trace, by a module's path and load address: file and line,
   or "". */
void omen_lookup_file (omen_lookup *lookup, const char *path, uint64_t base,
                       uint64_t pc, char text[OMEN_LOOKUP_MAX]);
/* The global at the address; if there is none, the address itself. */
void omen_lookup_object (omen_lookup *lookup, const omen_trace *trace,
                         uint64_t address, char text[OMEN_LOOKUP_MAX]);

#endif
