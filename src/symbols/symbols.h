/* Names for the addresses in a recording: where calls are in the source, and
   which globals lie where. They are taken from the program and its libraries as
   they lie on disk (those with the build id that was recorded) and become part
   of the file, which then tells them also when the program is gone.

     omen_symbols_add ("run.omen", LIMIT, NULL, &err);        right after the
   recording

   What cannot be found is left out. Needs libdw. */
#ifndef OMEN_SYMBOLS_SYMBOLS_H
#define OMEN_SYMBOLS_SYMBOLS_H

#include "base/vec.h"
#include "trace/trace.h"

typedef OMEN_VEC (uint8_t) omen_symbols_chunks;

/* The names that the recording lacks, as chunks to follow it: places of code,
   objects, and a new end mark if it has one. Nothing if it has them, is no
   recording, or cannot be read. */
void omen_symbols_find (const char *path, const void *data, size_t size,
                        omen_symbols_chunks *chunks);

/* The same for a recording that grows: places of the calls that return to these
   addresses, entries of the table of code from `code` on; and the objects, if
   they are wanted. Strings begin with 0. */
typedef struct omen_symbols_wanted {
  const uint64_t *pcs;
  size_t count;
  uint32_t code;
  bool objects;
} omen_symbols_wanted;
void omen_symbols_more (const omen_trace *trace,
                        const omen_symbols_wanted *wanted,
                        omen_symbols_chunks *chunks);

/* Globals whose accesses are to stay in the trace, also those that one thread
   alone uses (trace/private.h). */
typedef struct omen_symbols_keep {
  bool (*keeps) (const void *context, const char *name);
  const void *context;
} omen_symbols_keep;

/* The same, appended to the file; `keep` may be NULL. Finding the places of
   code means going through all notes: in a file of more than `limit` bytes, or
   with more than one note for so many of them, they are left for later. */
enum { OMEN_SYMBOLS_NOTE = 8 };
bool omen_symbols_add (const char *file, uint64_t limit,
                       const omen_symbols_keep *keep, omen_err *err);
#define OMEN_SYMBOLS_LIMIT ((uint64_t)16 << 20)

/* Of the files of the source that the trace names, those are trusted that the
   debug information of a module lists which is there and is the user's or
   root's. */
void omen_symbols_trust (omen_trace *trace);

#endif
