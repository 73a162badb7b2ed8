/* Private to report/: the memory blocks and locks of a finding, and where they
   were allocated.

     omen_reporter_objects (reporter, finding);      in reporter->objects
     omen_object_text (reporter, object, out);
                      "heap block of 16 bytes, allocated by T0 at list.c:12"
     omen_object_stack (reporter, object);           in reporter->stack

   Globals have no entry, since their name is sufficient. */
#ifndef OMEN_REPORT_OBJECTS_H
#define OMEN_REPORT_OBJECTS_H

#include "report/reporter.h"

void omen_reporter_objects (omen_reporter *reporter,
                            const omen_finding *finding);
const char *omen_object_name (const omen_reporter *reporter,
                              const omen_reported_object *object);
/* "heap", "mapping", "local", "descriptor", "block". */
const char *omen_object_kind (const omen_reporter *reporter,
                              const omen_reported_object *object);
/* The location of the allocation, or "". Overwrites reporter->stack. */
const char *omen_object_location (omen_reporter *reporter,
                                  const omen_reported_object *object);
void omen_object_text (omen_reporter *reporter,
                       const omen_reported_object *object, FILE *out);
void omen_object_stack (omen_reporter *reporter,
                        const omen_reported_object *object);

#endif
