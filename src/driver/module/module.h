/* Translates a property file to C source with tables for the runtime
   (include/omen-module.h), handlers and conditions.

     omen_module_source source = { .file = &file, .calls = true, … };
     omen_module_write (out, &source);

   OMEN_MODULE_LINKED is linked into a program woven for the file; PRELOADED is
   loaded into other programs, where calls of library functions are intercepted,
   too (hooks). STATIC has no hooks. The others are for omen itself
   (driver/module/offline.h): OFFLINE has only the monitors of `monitor:
   "file.c"`, HANDLERS the handlers, too. */
#ifndef OMEN_DRIVER_MODULE_MODULE_H
#define OMEN_DRIVER_MODULE_MODULE_H

#include "driver/spec_file.h"

#include <stdio.h>

typedef enum omen_module_form {
  OMEN_MODULE_LINKED,
  OMEN_MODULE_PRELOADED,
  OMEN_MODULE_STATIC,
  OMEN_MODULE_OFFLINE,
  OMEN_MODULE_HANDLERS
} omen_module_form;

static inline bool
omen_module_is_offline (omen_module_form form)
{
  return form == OMEN_MODULE_OFFLINE || form == OMEN_MODULE_HANDLERS;
}

typedef OMEN_VEC (const char *) omen_texts;

typedef struct omen_module_source {
  const omen_spec_file *file;
  omen_module_form form;
  /* functions that wildcards can match */
  const omen_texts *imports;
  /* types that the preamble does not declare; pointers to them become void * */
  const omen_texts *unknown;
} omen_module_source;

void omen_module_write (FILE *out, const omen_module_source *source);
/* The types mentioned in the file, each once. */
void omen_module_types (const omen_spec *spec, omen_texts *types);
/* Declares the types in C, one on each line after `#line 1 "omen-types"`. */
void omen_module_write_types (FILE *out, const omen_spec *spec,
                              const omen_texts *types);

/* parts.c: shared by the writers of modules. */
void omen_module_quote (FILE *out, const char *text);
/* `type name = …`, from the C expression `word`. */
void omen_module_declare (FILE *out, const omen_module_source *source,
                          const char *type, const char *name, const char *word);
void omen_module_preamble (FILE *out, const omen_spec *spec);

/* own.c: the C files of `monitor:` formulas. */
void omen_module_own_files (FILE *out, const omen_spec *spec);
/* Writes the name of the formula's table, or "0". */
void omen_module_own_name (FILE *out, const omen_spec *spec, size_t property,
                           size_t formula);
/* What a library that omen itself loads has instead of a constructor. */
void omen_module_offline_end (FILE *out);

/* hooks.c: writes the hooks, and returns how many. */
uint32_t omen_module_hooks (FILE *out, const omen_module_source *source);

#endif
