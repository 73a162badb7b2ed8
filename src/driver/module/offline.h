/* Compiles the C code of a property file (handlers, monitors of `monitor:
   "file.c"`) and loads it into omen itself.

     omen_offline c;
     if (!omen_offline_open (&c, &file, OMEN_MODULE_HANDLERS, &code))
       return code;
     c.properties[p].formula[f].handlers[category] (&landing);
     omen_offline_close (&c);

   For programs, see driver/module/module.h. */
#ifndef OMEN_DRIVER_MODULE_OFFLINE_H
#define OMEN_DRIVER_MODULE_OFFLINE_H

#include "driver/module/module.h"

typedef struct omen_offline {
  void *library;
  const struct omen_module_property *properties;
} omen_offline;

/* False: the message was printed and *code set. `parts`, unless NULL, gets the
   files that the C code consists of. */
bool omen_offline_open (omen_offline *c, const omen_spec_file *file,
                        omen_module_form form, omen_spec_parts *parts,
                        int *code);
/* Compiles it without loading; false if that fails. */
bool omen_offline_compile (const omen_spec_file *file, int *code);
void omen_offline_close (omen_offline *c);

#endif
