/* The types that a property file gives to names in conditions, so that these
   mean on a trace what they mean in a program.

     event low after set(level) && args(uint8_t v) && if (v < 10);    v: 1 byte
     extern unsigned size;  …  ltl: [] (size < 3000000000)            size: 4
   bytes

   Private to spec. */
#ifndef OMEN_SPEC_TYPES_H
#define OMEN_SPEC_TYPES_H

#include "spec/spec.h"

/* By the types of arguments in its pointcuts, and of the property's parameters.
 */
void omen_types_of_event (const omen_spec_property *property,
                          omen_spec_event *event);
/* By the declarations of the preamble: `extern int x, y;` */
void omen_types_of_predicate (const omen_spec *spec,
                              const omen_condition *predicate);

#endif
