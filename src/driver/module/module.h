/* A property file as a part of a program: C source with tables for the runtime
   (include/omen-module.h), the handlers and the conditions.

     omen_module_source source = { .file = &file, .calls = true, … };
     omen_module_write (out, &source);

   OMEN_MODULE_LINKED goes into a program that is woven for the file, PRELOADED
   is loaded into one that is not: there calls of library functions are events,
   too, by functions that stand before them (hooks). STATIC has no hooks. The
   others are for omen itself (driver/module/offline.h): OFFLINE has nothing of
   the file's C but the monitors of `monitor: "file.c"`, HANDLERS the handlers,
   too. */
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
  /* Names of functions that a wildcard may stand for. */
  const omen_texts *imports;
  /* Types that the preamble does not declare: pointers to them are void *. */
  const omen_texts *unknown;
} omen_module_source;

void omen_module_write (FILE *out, const omen_module_source *source);
/* The types that are written in it, each once. */
void omen_module_types (const omen_spec *spec, omen_texts *types);
/* C that declares the types, one a line after `#line 1 "omen-types"`. */
void omen_module_write_types (FILE *out, const omen_spec *spec,
                              const omen_texts *types);

/* parts.c: what both halves of the writer use. */
void omen_module_quote (FILE *out, const char *text);
/* `type name = …` for the word that a C expression stands for. */
void omen_module_declare (FILE *out, const omen_module_source *source,
                          const char *type, const char *name, const char *word);
void omen_module_preamble (FILE *out, const omen_spec *spec);

/* own.c: C files of `monitor:` formulas. */
void omen_module_own_files (FILE *out, const omen_spec *spec);
/* The name of the formula's table, or "0". */
void omen_module_own_name (FILE *out, const omen_spec *spec, size_t property,
                           size_t formula);
/* What a library for omen ends with, instead of a constructor. */
void omen_module_offline_end (FILE *out);

/* hooks.c: the hooks; how many there are. */
uint32_t omen_module_hooks (FILE *out, const omen_module_source *source);

#endif
