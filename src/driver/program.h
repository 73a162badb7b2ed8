/* The program that a user names on the command line, before it is started.

     omen_program p;
     if (!omen_program_find (&p, "sort", &err)) …   err.io, and p.missing
     p.path                                         "/usr/bin/sort"

   Found as the shell does it, in PATH unless there is a slash in the name. */
#ifndef OMEN_DRIVER_PROGRAM_H
#define OMEN_DRIVER_PROGRAM_H

#include "base/err.h"
#include "base/vec.h"

#include <limits.h>

typedef enum omen_program_kind {
  OMEN_PROGRAM_WOVEN,  /* linked with the runtime */
  OMEN_PROGRAM_PLAIN,  /* can have the runtime preloaded */
  OMEN_PROGRAM_STATIC, /* cannot be recorded */
  OMEN_PROGRAM_OTHER   /* a script, or for another machine */
} omen_program_kind;

typedef struct omen_program {
  char path[PATH_MAX];
  omen_program_kind kind;
  bool missing; /* if not found: there is none, rather than one that cannot run
                 */
} omen_program;

bool omen_program_find (omen_program *program, const char *name, omen_err *err);

/* Is this file, a program or library, woven? False if it cannot be read. */
bool omen_program_is_woven (const char *path);
/* Has it objects of omen cc --only-events? */
bool omen_program_only_events (const char *path);

/* The bytes of a section, if the file has it. True if it is a program. */
typedef void (*omen_section_reader) (void *self, const void *bytes,
                                     size_t size);
bool omen_program_section (const char *path, const char *name,
                           omen_section_reader read, void *self);

/* The functions that it takes from libraries; each is to be omen_freed. */
typedef OMEN_VEC (char *) omen_program_names;
void omen_program_imports (const char *path, omen_program_names *names);

#endif
