/* The property files of a command that takes several: --spec A --spec B.

     omen_spec_list specs = { 0 };
     OMEN_VEC_PUSH (specs.paths, "a.mop");
     if (!omen_spec_list_load (&specs, &code)) return code;
     specs.predict.data[i]            what predict and verify want to know of it
     omen_spec_list_fini (&specs);

   Names of properties are unique among the files of one list. */
#ifndef OMEN_DRIVER_SPEC_LIST_H
#define OMEN_DRIVER_SPEC_LIST_H

#include "driver/spec_file.h"
#include "predict/predict.h"
#include "witness/verify.h"

typedef struct omen_spec_list {
  OMEN_VEC (const char *)
  paths;                   /* borrowed; once loaded, those of the property
                              files in folders instead of these */
  OMEN_VEC (char *) owned; /* those */
  OMEN_VEC (omen_spec_file) files;
  OMEN_VEC (omen_predict_spec) predict; /* of each file */
} omen_spec_list;

/* Property files in the place of folders; for who loads them otherwise. False
   as for load. */
bool omen_spec_list_expand (omen_spec_list *list, int *code);
/* False with the message printed and *code set; fini it all the same. */
bool omen_spec_list_load (omen_spec_list *list, int *code);
void omen_spec_list_fini (omen_spec_list *list);
/* The property that a claim is about, or NULL. */
const omen_property *omen_spec_list_property (const omen_spec_list *list,
                                              const omen_about *about);
void omen_spec_list_tell (const omen_spec_list *list, omen_verifier *verifier);

#endif
