/* A property file, read and compiled, for the commands that use them. */
#ifndef OMEN_DRIVER_SPEC_FILE_H
#define OMEN_DRIVER_SPEC_FILE_H

#include "spec/compile.h"

/* Paths of files; each has to be freed. */
typedef OMEN_VEC (char *) omen_spec_parts;

typedef OMEN_VEC (uint64_t) omen_spec_hashes;

typedef struct omen_spec_file {
  omen_spec *spec;
  omen_compiled *compiled;
  uint64_t identity; /* hash of all bytes of the file */
  void *library;     /* compiled C of `monitor: "file.c"` formulas, or NULL */
  omen_spec_parts parts;   /* the files of that C code, absolute */
  omen_spec_parts joined;  /* if joined from several files: their paths, */
  omen_spec_hashes hashes; /* and omen_spec_hash of each */
} omen_spec_file;

/* False: the message was printed and *code set. "-" is standard input. The C
   code of monitors is compiled and loaded, which runs its constructors;
   omen_spec_file_look only compiles it, so its monitors cannot be run. */
bool omen_spec_file_look (omen_spec_file *file, const char *path, int *code);
bool omen_spec_file_load (omen_spec_file *file, const char *path, int *code);
/* Loads several files, joined into one. */
bool omen_spec_file_load_all (omen_spec_file *file, const char *const *paths,
                              size_t count, int *code);
/* Before weaving: false, with the message, if something can only be decided on
   traces. */
bool omen_spec_file_weavable (const omen_spec_file *file, int *code);
void omen_spec_file_fini (omen_spec_file *file); /* may be repeated */

#endif
