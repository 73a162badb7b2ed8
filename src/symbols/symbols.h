/* Symbols for the addresses in a recording: source locations of calls, and
   globals. They are read from the program and its libraries on disk (if the
   build ids are those recorded) and stored in the recording, so that it does
   not need the program any more.

     omen_symbols_add ("run.omen", LIMIT, NULL, &err);        right after the
   recording

   Unknown symbols are left out. Needs libdw. */
#ifndef OMEN_SYMBOLS_SYMBOLS_H
#define OMEN_SYMBOLS_SYMBOLS_H

#include "base/vec.h"
#include "trace/trace.h"

typedef OMEN_VEC (uint8_t) omen_symbols_chunks;

/* The symbols that a recording lacks, as chunks to be appended: code locations,
   objects, and a new end mark if it has one. Empty if it has them, is no
   recording, or cannot be read. */
void omen_symbols_find (const char *path, const void *data, size_t size,
                        omen_symbols_chunks *chunks);

/* The same for a growing recording: locations of the calls that return to these
   addresses, as entries of the code table from `code` on; and the objects, if
   wanted. String ids start at 0. */
typedef struct omen_symbols_wanted {
  const uint64_t *pcs;
  size_t count;
  uint32_t code;
  bool objects;
} omen_symbols_wanted;
void omen_symbols_more (const omen_trace *trace,
                        const omen_symbols_wanted *wanted,
                        omen_symbols_chunks *chunks);

/* Globals whose accesses are kept in the trace even if only one thread uses
   them (trace/private.h). */
typedef struct omen_symbols_keep {
  bool (*keeps) (const void *context, const char *name);
  /* Does a state predicate speak of it? */
  bool (*watches) (const void *context, const char *name);
  const void *context;
} omen_symbols_keep;

/* Append the missing symbols to the file; `keep` may be NULL. Code locations
   require a scan of all notes, so in files of more than `limit` bytes, or with
   more than one note per OMEN_SYMBOLS_NOTE bytes of that, they are left for
   later. */
enum { OMEN_SYMBOLS_NOTE = 8 };
bool omen_symbols_add (const char *file, uint64_t limit,
                       const omen_symbols_keep *keep, omen_err *err);
#define OMEN_SYMBOLS_LIMIT ((uint64_t)16 << 20)

/* Mark source files of the trace as trusted if the debug information of an
   existing module lists them, whose file belongs to the user or root. */
void omen_symbols_trust (omen_trace *trace);

#endif
