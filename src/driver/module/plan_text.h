/* The pointcuts of property files in the form that omen cc passes to the
   weaver; see src/weave/plan.h.

     omen_plan_text (out, files, count);          text for OMEN_WEAVE_EVENTS

   The module of the files (driver/module/module.h) uses the same numbers of
   properties, events, cuts and slots. */
#ifndef OMEN_DRIVER_MODULE_PLAN_TEXT_H
#define OMEN_DRIVER_MODULE_PLAN_TEXT_H

#include "driver/spec_file.h"

#include <stdio.h>

/* Distinguishes versions of a property file. */
uint64_t omen_spec_hash (const omen_spec *spec);
/* The names that an event binds, and `value` if a pointcut is about a
   variable. */
uint32_t omen_event_slots (const omen_spec_event *event);
const char *omen_event_slot (const omen_spec_event *event, uint32_t slot);
/* The slot of a name; -1 if there is none, or for NULL. */
int omen_event_slot_of (const omen_spec_event *event, const char *name);

/* The variables of state predicates; NULL after the last one. */
const char *omen_property_watched (const omen_spec_property *property,
                                   uint32_t i);

void omen_plan_text (FILE *out, const omen_spec *spec);

#endif
