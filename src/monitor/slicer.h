/* Parametric monitoring of one formula: an instance for each binding of
   parameters that can matter, each with a state of the formula's machine that
   reads the events of its slice: those that bind the same or fewer parameters.

     s = omen_slicer_new (property, 0, &memory);
     omen_occurrence e = { .event = 2, .values = { [1] = (uintptr_t)iter } };
     omen_slicer_event (s, &e, report, self);    calls report for each instance
     omen_slicer_dead (s, (uintptr_t)iter);      that landed in a category

   This is algorithm D of Chen and Rosu with enable sets: an event e<b> makes an
   instance for b, and for the join of b with each compatible instance whose
   parameters are in e's enable set. A new instance starts from the state of the
   one that it extends, unless that has missed events of its slice (time stamps
   decide), in which case no category can be reached. Instances are found by an
   index for each set of parameters that some event binds, never by a scan.

   Values are identities: equal numbers are one object until it is dead; after
   that the number is another object. An instance with dead objects is collected
   as soon as its machine cannot reach a category without them.

   Slicers share nothing and lock nothing: the caller must ensure that one
   thread at a time uses one. Cost: a few hash probes an event, and a step for
   each instance that the event concerns. */
#ifndef OMEN_MONITOR_SLICER_H
#define OMEN_MONITOR_SLICER_H

#include "monitor/property.h"

typedef struct omen_slicer omen_slicer;

/* An instance that landed in categories. */
typedef struct omen_landing_report {
  uint32_t categories;    /* bits */
  uint32_t bound;         /* set of parameters */
  const uint64_t *values; /* by parameter, those bound */
} omen_landing_report;

/* True: __RESET, the instance's machine is restarted. */
typedef bool (*omen_report_sink) (void *self,
                                  const omen_landing_report *report);

typedef struct omen_slicer_counts {
  uint64_t events;    /* that the formula was given */
  uint64_t steps;     /* of instances */
  uint64_t created;   /* instances ever */
  uint64_t live;      /* and now */
  uint64_t collected; /* because objects died */
  uint64_t reports;
} omen_slicer_counts;

/* NULL: no memory. The property must outlive it. */
omen_slicer *omen_slicer_new (const omen_property *property, uint32_t formula,
                              const omen_memory *memory);
void omen_slicer_free (omen_slicer *slicer);
/* False: memory ran out; some instances may have missed the event. */
bool omen_slicer_event (omen_slicer *slicer, const omen_occurrence *occurrence,
                        omen_report_sink sink, void *self);
/* The fast path, for an event that steps one instance which then is in no
   category, as nearly all do. False: it is not of this kind, and nothing was
   done. Only for events of omen_slicer_quick_events. `value` is that of its
   parameter, if it binds one. */
bool omen_slicer_quick (omen_slicer *slicer, uint32_t event, uint64_t value);
/* Set of events that bind one parameter at most, of a formula that is an
   automaton over events alone. */
uint64_t omen_slicer_quick_events (const omen_slicer *slicer);
/* The object with this value has died. */
void omen_slicer_dead (omen_slicer *slicer, uint64_t value);
omen_slicer_counts omen_slicer_count (const omen_slicer *slicer);
/* Calls `see` for all instances, in no particular order. */
void omen_slicer_each (const omen_slicer *slicer,
                       void (*see) (void *self,
                                    const omen_landing_report *instance),
                       void *self);

#endif
