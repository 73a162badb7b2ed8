/* Shared by the importers of other tools' traces (csv.c, roadrunner.c).

   A builder over a trace that takes events as (kind, thread, operand text), and
   drops re-entrant acquires with their releases: Java locks are re-entrant, and
   `acq` and `rel` are only the outermost operations.

     acq(l) acq(l) rel(l) rel(l)   of one thread gives   acq(l) rel(l)

   Names are interned in the order in which the text reader would see them, so
   that an imported trace and its text form have the same identity.

   Owner: init/fini; the trace is the caller's after omen_import_finish. */
#ifndef OMEN_IO_IMPORT_H
#define OMEN_IO_IMPORT_H

#include "io/text_reader.h"

/* How often a thread has acquired a lock. */
typedef struct omen_import_hold {
  omen_tid thread;
  uint32_t depth;
} omen_import_hold;
typedef OMEN_VEC (omen_import_hold) omen_import_holds;

typedef struct omen_import {
  omen_trace *trace;
  omen_err *err;
  const char *path;
  unsigned long line;      /* of the input, for messages */
  const char *start, *end; /* of that line, without its newline */

  OMEN_VEC (omen_import_holds) holds; /* by lock */
  size_t reentrant;                   /* acquires dropped */
} omen_import;

void omen_import_init (omen_import *import, const char *path, omen_err *err);
void omen_import_fini (omen_import *import);

/* Calls `read` for each line, until it returns false. A CR at the end of a line
   and a byte order mark at the start of the file are removed. */
bool omen_import_lines (omen_import *import, const char *text, size_t size,
                        bool (*read) (omen_import *import));

/* Sets "path:line:column: expected …, found …"; returns false. `found` is
   within the line. */
bool omen_import_fail (omen_import *import, omen_field found,
                       const char *expected);
/* Checks that a name is not empty and has no control bytes. */
bool omen_import_name (omen_import *import, omen_field name,
                       const char *expected);

/* Append an event whose operand is one name: a variable (as a whole), a lock, a
   thread, a block, … Returns the event, valid until the next call, to be
   completed; NULL for a re-entrant acquire or release. */
omen_event *omen_import_add (omen_import *import, omen_kind kind,
                             omen_tid thread, omen_field operand,
                             omen_field location);

/* Seal the trace and return it; NULL if it cannot be sealed. */
omen_trace *omen_import_finish (omen_import *import);

#endif
