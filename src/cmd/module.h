/* A property file as a part of a program: C source with tables for the runtime
   (include/omen-module.h), the handlers and the conditions.

     omen_module_source source = { .file = &file, .calls = true, … };
     omen_module_write (out, &source);

   OMEN_MODULE_LINKED goes into a program that is woven for the file, PRELOADED
   is loaded into one that is not: there calls of library functions are events,
   too, by functions that stand before them (hooks). STATIC has no hooks. */
#ifndef OMEN_CMD_MODULE_H
#define OMEN_CMD_MODULE_H

#include "cmd/spec_file.h"

#include <stdio.h>

typedef enum omen_module_form {
  OMEN_MODULE_LINKED,
  OMEN_MODULE_PRELOADED,
  OMEN_MODULE_STATIC
} omen_module_form;

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

/* module_parts.c: what both halves of the writer use. */
void omen_module_quote (FILE *out, const char *text);
/* `type name = …` for the word that a C expression stands for. */
void omen_module_declare (FILE *out, const omen_module_source *source,
                          const char *type, const char *name,
                          const char *word);
void omen_module_preamble (FILE *out, const omen_spec *spec);

/* module_hooks.c: the hooks; how many there are. */
uint32_t omen_module_hooks (FILE *out, const omen_module_source *source);

#endif
