/* What the commands about property files share: the file, read and compiled. */
#ifndef OMEN_DRIVER_SPEC_FILE_H
#define OMEN_DRIVER_SPEC_FILE_H

#include "spec/compile.h"

/* Paths of files; each is to be omen_freed. */
typedef OMEN_VEC (char *) omen_spec_parts;

typedef OMEN_VEC (uint64_t) omen_spec_hashes;

typedef struct omen_spec_file {
  omen_spec *spec;
  omen_compiled *compiled;
  uint64_t identity; /* depends on every byte of the file */
  void *library; /* the C of `monitor: "file.c"` formulas, if there are any */
  omen_spec_parts parts;   /* the files that C consists of, from the root */
  omen_spec_parts joined;  /* if it is several: their paths, */
  omen_spec_hashes hashes; /* and what omen_spec_hash says of each */
} omen_spec_file;

/* False with the message printed and *code set. "-" is standard input. The C of
   monitors is compiled and loaded, which runs its constructors;
   omen_spec_file_look only compiles it: its monitors cannot be run then. */
bool omen_spec_file_look (omen_spec_file *file, const char *path, int *code);
bool omen_spec_file_load (omen_spec_file *file, const char *path, int *code);
/* Several of them as one. */
bool omen_spec_file_load_all (omen_spec_file *file, const char *const *paths,
                              size_t count, int *code);
/* For who weaves: false, with the message, where only a trace knows enough. */
bool omen_spec_file_weavable (const omen_spec_file *file, int *code);
void omen_spec_file_fini (omen_spec_file *file); /* again is no harm */

#endif
