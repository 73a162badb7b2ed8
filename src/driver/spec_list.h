/* The property files of a command that takes several: --spec A --spec B.

     omen_spec_list specs = { 0 };
     OMEN_VEC_PUSH (specs.paths, "a.mop");
     if (!omen_spec_list_load (&specs, &code)) return code;
     specs.predict.data[i]            for predict and verify
     omen_spec_list_fini (&specs);

   Names of properties are unique among the files of one list. */
#ifndef OMEN_DRIVER_SPEC_LIST_H
#define OMEN_DRIVER_SPEC_LIST_H

#include "driver/spec_file.h"
#include "predict/predict.h"
#include "witness/verify.h"

typedef struct omen_spec_list {
  OMEN_VEC (const char *)
  paths; /* borrowed; loading replaces directories by the property files in them
          */
  OMEN_VEC (char *) owned; /* paths of those */
  OMEN_VEC (omen_spec_file) files;
  OMEN_VEC (omen_predict_spec) predict; /* by file */
} omen_spec_list;

/* Replaces directories by the property files in them, for callers that load the
   files themselves. False as for load. */
bool omen_spec_list_expand (omen_spec_list *list, int *code);
/* False: the message was printed and *code set; call fini in any case. */
bool omen_spec_list_load (omen_spec_list *list, int *code);
void omen_spec_list_fini (omen_spec_list *list);
/* The property of a claim, or NULL. */
const omen_property *omen_spec_list_property (const omen_spec_list *list,
                                              const omen_about *about);
void omen_spec_list_give (const omen_spec_list *list, omen_verifier *verifier);

#endif
