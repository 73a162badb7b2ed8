/* The C of a property file inside omen itself: handlers, and the monitors of
   `monitor: "file.c"`, compiled and loaded.

     omen_offline c;
     if (!omen_offline_open (&c, &file, OMEN_MODULE_HANDLERS, &code))
       return code;
     c.properties[p].formula[f].handlers[category] (&landing);
     omen_offline_close (&c);

   Programs have their own way to it (driver/module/module.h). */
#ifndef OMEN_DRIVER_MODULE_OFFLINE_H
#define OMEN_DRIVER_MODULE_OFFLINE_H

#include "driver/module/module.h"

typedef struct omen_offline {
  void *library;
  const struct omen_module_property *properties;
} omen_offline;

/* False with the message printed and *code set. Into `parts`, unless that is
   NULL, come the files that the C consists of. */
bool omen_offline_open (omen_offline *c, const omen_spec_file *file,
                        omen_module_form form, omen_spec_parts *parts,
                        int *code);
/* Does it compile? Nothing of it is run. */
bool omen_offline_compile (const omen_spec_file *file, int *code);
void omen_offline_close (omen_offline *c);

#endif
