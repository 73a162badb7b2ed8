/* Compiles modules of property files (driver/module/module.h) in a temporary
   directory.

     omen_workshop shop;
     if (!omen_workshop_open (&shop, &err)) …
     if (!omen_module_build (&shop, &build, &code)) return code;
     … shop.module …
     omen_workshop_close (&shop);

   The directory is removed at the end, whatever ends omen. */
#ifndef OMEN_DRIVER_MODULE_BUILD_H
#define OMEN_DRIVER_MODULE_BUILD_H

#include "driver/module/cc_line.h"
#include "driver/module/module.h"
#include "driver/scratch.h"
#include "driver/spec_file.h"

#include <limits.h>

typedef struct omen_workshop {
  omen_scratch scratch;
  char source[PATH_MAX], module[PATH_MAX], errors[PATH_MAX], state[PATH_MAX];
  char parts[PATH_MAX];
} omen_workshop;

bool omen_workshop_open (omen_workshop *shop, omen_err *err);
void omen_workshop_close (omen_workshop *shop);

typedef struct omen_module_order {
  const omen_spec_file *file;
  omen_module_form form; /* LINKED and STATIC give objects, others libraries */
  bool cxx;              /* the C in the file is C++ */
  const omen_cc_args *flags; /* -I, -D and such, or NULL */
  const omen_texts *imports; /* or NULL */
  omen_spec_parts *parts;    /* out: the files it was compiled from; or NULL */
} omen_module_order;

/* False: the message was printed and *code set. */
bool omen_module_build (omen_workshop *shop, const omen_module_order *order,
                        int *code);

#endif
