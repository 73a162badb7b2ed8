/* Maps events of a trace to events of a property, without the program:
   accesses, calls, locks and threads by pointcuts, emitted events by name.

     omen_observer *o = omen_observer_new (trace, property);
     omen_watched state = …;           omen_watched_init (o, &state);
     for each event e, in the order of the run:
       omen_watched_apply (o, &state, e);
       n = omen_observe (o, e, &state, occurrences);

   Which events of the property a trace event is depends on the trace alone.
   Which state predicates hold after it depends on the order of events, so that
   is a separate state, of which there may be many.

   Values are compared as texts: `omen_observer_text` gives the text of a value
   of an occurrence. If the trace emits an event by name (`emit(e,…)` or
   `emit(Property.e,…)`), its pointcuts are not evaluated: the woven program has
   done that. An emit next to the access that it reports, by the pointcuts,
   counts as that access.

   An observer changes in use (texts are added): one thread each. */
#ifndef OMEN_WITNESS_OBSERVE_H
#define OMEN_WITNESS_OBSERVE_H

#include "monitor/property.h"
#include "trace/trace.h"

typedef struct omen_observer omen_observer;

/* The watched variables' values: integers or texts, or not known. */
typedef struct omen_watched {
  omen_datum *values; /* by watched variable */
} omen_watched;

omen_observer *omen_observer_new (const omen_trace *trace,
                                  const omen_property *property);
void omen_observer_free (omen_observer *observer);

void omen_watched_init (const omen_observer *observer, omen_watched *watched);
void omen_watched_fini (omen_watched *watched);
void omen_watched_apply (omen_observer *observer, omen_watched *watched,
                         omen_eid event);
/* The number of watched variables, and their names. */
uint32_t omen_watched_count (const omen_observer *observer);
const char *omen_watched_name (const omen_observer *observer, uint32_t i);
/* Does anything in the trace have that name? */
bool omen_watched_exists (const omen_observer *observer, uint32_t i);
bool omen_watched_written (const omen_observer *observer, omen_eid event);
/* Bits of the state predicates that hold; `unknown`: of those that need a value
   that is not known. */
uint32_t omen_watched_holds (const omen_observer *observer,
                             const omen_watched *watched, uint32_t *unknown);

/* The property's events at this event of the trace, in the order of their
   declaration; returns their number. `watched` may be NULL: no predicate is
   known to hold. */
uint32_t omen_observe (omen_observer *observer, omen_eid event,
                       const omen_watched *watched,
                       omen_occurrence out[OMEN_EVENTS_MAX]);
/* Position of a walk, for properties with `(.)`: what came right before. Zero
   at first. */
typedef struct omen_walk {
  omen_eid last;
  uint32_t befores, count; /* of the event before, and of this one */
  omen_occurrence before[OMEN_EVENTS_MAX], now[OMEN_EVENTS_MAX];
  omen_neighbours beside[OMEN_EVENTS_MAX];
} omen_walk;

/* omen_observe, in the order of a run: each occurrence points to its
   neighbours. The walk owns them, until the next call. */
uint32_t omen_observe_next (omen_observer *observer, omen_walk *walk,
                            omen_eid event, const omen_watched *watched,
                            omen_occurrence out[OMEN_EVENTS_MAX]);
/* Events of two threads, neither of which can block: if adjacent in a run, they
   could as well be simultaneous. */
bool omen_observer_parallel (const omen_observer *observer, omen_eid a,
                             omen_eid b);
/* Does the property depend on the value of the access: does a pointcut that may
   match it bind the value, or have a condition? If not, a read is the same
   event of the property whatever it sees. */
bool omen_observer_needs_value (const omen_observer *observer, omen_eid event);
/* Number of events of the thread from this one to the last emit that reports
   it; 0 if none does. */
uint32_t omen_observer_emit_distance (const omen_observer *observer,
                                      omen_eid event);
/* Does any emit report the event? */
bool omen_observer_is_emitted (const omen_observer *observer, omen_eid event);
/* The access that an emit reports; any other event itself. */
omen_eid omen_observer_stands_for (const omen_observer *observer,
                                   omen_eid event);
/* Values of objects that this event ends: freed blocks, and what
   emit(omen_dead,…) names; returns their number. */
#define OMEN_DEAD_MAX 8
uint32_t omen_observe_dead (omen_observer *observer, omen_eid event,
                            uint64_t values[OMEN_DEAD_MAX]);

/* Does a pointcut name a thread? */
bool omen_property_asks_threads (const omen_property *property);

const char *omen_observer_text (const omen_observer *observer, uint64_t value);

/* What became of a pointcut, or of an event's name, in a walk. */
typedef enum omen_cut_fate {
  OMEN_CUT_SEEN,
  OMEN_CUT_EMITTED,     /* the event is taken from emits */
  OMEN_CUT_NOTHING,     /* no event of the trace matches it */
  OMEN_CUT_NO_VALUES,   /* it binds values that traces do not have */
  OMEN_CUT_NO_CONDITION /* its condition cannot be evaluated on a trace */
} omen_cut_fate;

omen_cut_fate omen_observer_fate (const omen_observer *observer, uint32_t event,
                                  uint32_t cut);
/* Of an event without pointcuts: was it emitted? */
bool omen_observer_emitted (const omen_observer *observer, uint32_t event);

#endif
