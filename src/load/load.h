/* Loads any trace file into memory. The format is detected by content; "-" is
   standard input.

     omen_load_options options = { .rebuild.all = true };
     omen_trace *trace = omen_load ("run.omen", &options, &err);

   A recording without names (not yet symbolized) gets them from the program's
   file on disk. */
#ifndef OMEN_LOAD_LOAD_H
#define OMEN_LOAD_LOAD_H

#include "recording/rebuild.h"

/* The parser of one form. */
typedef omen_trace *(*omen_load_parser) (const char *path, const char *text,
                                         size_t size, omen_err *err);

typedef struct omen_load_options {
  omen_rebuild_options rebuild; /* of recordings */
  omen_load_parser parser;      /* NULL: by content */
  bool without_names;           /* do not read the recorded program's symbols */
} omen_load_options;

/* Sealed, or NULL with err filled in. Not checked for well-formedness.
   `options` NULL: the defaults. Witnesses name events by their index: load a
   recording for them with the options with which it was loaded when they were
   found. */
omen_trace *omen_load (const char *path, const omen_load_options *options,
                       omen_err *err);
/* The same from memory; `path` is for messages. */
omen_trace *omen_load_memory (const char *path, const void *data, size_t size,
                              const omen_load_options *options, omen_err *err);

#endif
