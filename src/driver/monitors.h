/* The monitors of a property, one a formula, over the events of a trace:

     omen_property_monitors m;
     omen_monitors_init (&m, trace, property);
     for each event e:  omen_monitors_event (&m, e, report, self);
     omen_monitors_fini (&m);

   While `report` is called, `event` and `formula` say what has landed. */
#ifndef OMEN_DRIVER_MONITORS_H
#define OMEN_DRIVER_MONITORS_H

#include "monitor/slicer.h"
#include "witness/observe.h"

typedef struct omen_property_monitors {
  const omen_property *property;
  omen_observer *observer;
  omen_watched watched;
  omen_walk walk;
  omen_slicer **slicers; /* by formula */
  omen_eid event;
  uint32_t formula;
} omen_property_monitors;

void omen_monitors_init (omen_property_monitors *m, const omen_trace *trace,
                         const omen_property *property);
void omen_monitors_fini (omen_property_monitors *m);
void omen_monitors_event (omen_property_monitors *m, omen_eid e,
                          omen_report_sink report, void *self);

#endif
