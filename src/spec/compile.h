/* From a property file to what monitors run.

     omen_compiled *c = omen_spec_compile (spec, &err);
     c->properties[i]         of spec->properties.data[i]
     omen_compiled_free (c);  before the spec, whose names it borrows

   After that everything is read-only. */
#ifndef OMEN_SPEC_COMPILE_H
#define OMEN_SPEC_COMPILE_H

#include "monitor/property.h"
#include "monitor/written.h"
#include "spec/spec.h"

typedef struct omen_compiled {
  omen_property *properties;
  omen_written *written; /* by property: what they were made from */
  uint32_t count;
  omen_arena arena;
} omen_compiled;

/* NULL with err filled in: a formula that is too large. */
omen_compiled *omen_spec_compile (const omen_spec *spec, omen_err *err);
struct omen_own_monitor; /* omen-monitor.h */
/* Attach the code of a `monitor: "file.c"` formula, which must not move. */
void omen_compiled_own (omen_compiled *compiled, uint32_t property,
                        uint32_t formula, const struct omen_own_monitor *own);
void omen_compiled_free (omen_compiled *compiled);

#endif
