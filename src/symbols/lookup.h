/* Names for single addresses, while the program runs: as a loaded trace has
   them (src/recording/events/names.c), of globals and of code.

     omen_lookup *names = omen_lookup_new ();
     omen_lookup_code (names, trace, pc, text);        "bank.c:12"
     omen_lookup_object (names, trace, address, text); "m", "accounts+48"
     omen_lookup_free (names);

   Modules are those of the trace's table, which may have grown since; a file is
   opened when the first address of it is asked for. A question reads all
   objects of a module: it is for what is shown to people. */
#ifndef OMEN_SYMBOLS_LOOKUP_H
#define OMEN_SYMBOLS_LOOKUP_H

#include "trace/trace.h"

#define OMEN_LOOKUP_MAX 512

typedef struct omen_lookup omen_lookup;

omen_lookup *omen_lookup_new (void);
void omen_lookup_free (omen_lookup *lookup);
/* The call that returns to `pc`: file and line, module and offset, or "". */
void omen_lookup_code (omen_lookup *lookup, const omen_trace *trace,
                       uint64_t pc, char text[OMEN_LOOKUP_MAX]);
/* The same by a module's path and where it is mapped, with no trace: file and
   line, or "". */
void omen_lookup_file (omen_lookup *lookup, const char *path, uint64_t base,
                       uint64_t pc, char text[OMEN_LOOKUP_MAX]);
/* The global at the address; its number if there is none. */
void omen_lookup_object (omen_lookup *lookup, const omen_trace *trace,
                         uint64_t address, char text[OMEN_LOOKUP_MAX]);

#endif
