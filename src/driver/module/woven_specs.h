/* The property files with which a program was compiled (omen cc --spec), as
   hashes (omen_spec_hash) read from the program.

     omen_woven_specs woven;   omen_woven_specs_read (&woven, "./prog");
     omen_woven_specs_has (&woven, omen_spec_hash (spec))
     omen_woven_specs_fini (&woven); */
#ifndef OMEN_DRIVER_MODULE_WOVEN_SPECS_H
#define OMEN_DRIVER_MODULE_WOVEN_SPECS_H

#include "driver/spec_list.h"

typedef struct omen_woven_specs {
  OMEN_VEC (uint64_t) hashes; /* may have duplicates */
} omen_woven_specs;

void omen_woven_specs_read (omen_woven_specs *woven, const char *program);
void omen_woven_specs_fini (omen_woven_specs *woven);
bool omen_woven_specs_has (const omen_woven_specs *woven, uint64_t hash);

/* Warn of each file of the list that the program does not have, if it has one
   that is not in the list: most likely another version. */
void omen_woven_specs_compare (const char *program, const omen_spec_list *list);

#endif
