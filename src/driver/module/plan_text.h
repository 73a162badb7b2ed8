/* The pointcuts of property files as omen cc tells them to the weaver; the form
   is described in src/weave/plan.h.

     omen_plan_text (out, files, count);          text for OMEN_WEAVE_EVENTS

   The same numbers of properties, events, cuts and slots are in the module that
   the files become (driver/module/module.h). */
#ifndef OMEN_DRIVER_MODULE_PLAN_TEXT_H
#define OMEN_DRIVER_MODULE_PLAN_TEXT_H

#include "driver/spec_file.h"

#include <stdio.h>

/* What tells a version of a property file from another. */
uint64_t omen_spec_hash (const omen_spec *spec);
/* The names that an event binds, and `value` if it is about a variable. */
uint32_t omen_event_slots (const omen_spec_event *event);
const char *omen_event_slot (const omen_spec_event *event, uint32_t slot);
/* The slot of a name, -1 if there is none; also for NULL. */
int omen_event_slot_of (const omen_spec_event *event, const char *name);

/* Variables that state predicates speak of; NULL behind the last. */
const char *omen_property_watched (const omen_spec_property *property,
                                   uint32_t i);

void omen_plan_text (FILE *out, const omen_spec *spec);

#endif
