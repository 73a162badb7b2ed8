/* Locates and classifies the program of a command line.

     omen_program p;
     if (!omen_program_find (&p, "sort", &err)) …   err.io, and p.missing
     p.path                                         "/usr/bin/sort"

   It is searched as a shell does, in PATH unless its name has a slash. */
#ifndef OMEN_DRIVER_PROGRAM_H
#define OMEN_DRIVER_PROGRAM_H

#include "base/err.h"
#include "base/vec.h"

#include <limits.h>

typedef enum omen_program_kind {
  OMEN_PROGRAM_WOVEN,  /* linked with the runtime */
  OMEN_PROGRAM_PLAIN,  /* the runtime can be preloaded */
  OMEN_PROGRAM_STATIC, /* cannot be recorded */
  OMEN_PROGRAM_OTHER   /* a script, or for another machine */
} omen_program_kind;

typedef struct omen_program {
  char path[PATH_MAX];
  omen_program_kind kind;
  bool missing; /* if not found: it does not exist at all */
} omen_program;

bool omen_program_find (omen_program *program, const char *name, omen_err *err);

/* Was this program or library compiled by omen cc? False if it cannot be
   read. */
bool omen_program_is_woven (const char *path);
/* Does it contain objects of omen cc --only-events? */
bool omen_program_only_events (const char *path);

/* Reads a section, if it exists. Returns true for programs, false for
   libraries. */
typedef void (*omen_section_reader) (void *self, const void *bytes,
                                     size_t size);
bool omen_program_section (const char *path, const char *name,
                           omen_section_reader read, void *self);

/* The functions that it imports from libraries; each name has to be freed. */
typedef OMEN_VEC (char *) omen_program_names;
void omen_program_imports (const char *path, omen_program_names *names);

#endif
