/* Verdicts of properties in a recorded run: the monitors run over its trace, in
   the order of the run.

     omen_violations violations = { 0 };
     omen_violated (trace, specs, &verdicts);
     omen_violations_fini (&verdicts); */
#ifndef OMEN_DRIVER_EXPLORE_VIOLATED_H
#define OMEN_DRIVER_EXPLORE_VIOLATED_H

#include "driver/spec_list.h"

/* The first verdict of a formula in a category. */
typedef struct omen_violation {
  uint64_t key;  /* omen_violation_key */
  char *text;    /* "property Seized: match, at bank.c:40" */
  char *binding; /* "a=0x404080"; empty: nothing is bound */
} omen_violation;

typedef OMEN_VEC (omen_violation) omen_violations;

/* Appends them, in the order of the properties. */
void omen_violated (const omen_trace *trace, const omen_spec_list *specs,
                    omen_violations *verdicts);
void omen_violations_fini (omen_violations *verdicts);
/* Equal for verdicts of the same property, in the same category, at the same
   source location. */
uint64_t omen_violation_key (const char *property, const char *category,
                             const char *location);

#endif
