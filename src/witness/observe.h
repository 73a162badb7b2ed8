/* What the events of a trace are to a property, without the program: accesses,
   calls, locks and threads by their pointcuts, and emitted events by name.

     omen_observer *o = omen_observer_new (trace, property);
     omen_watched state = …;           omen_watched_init (o, &state);
     for each event e, in the order of the run that is looked at:
       omen_watched_apply (o, &state, e);
       n = omen_observe (o, e, &state, occurrences);

   Which events of the property a trace event is depends on the trace alone;
   which state predicates hold after it depends on the order, so that is a state
   of its own, of which there may be many.

   Values are compared as texts: `omen_observer_text` gives the text of a value
   of an occurrence. An event that the trace has emitted by name (`emit(e,…)` or
   `emit(Property.e,…)`) is taken from there, and its pointcuts are not looked
   at: the woven program has done that. An emit that stands beside the access
   that it is about, by the pointcuts, is seen at the access.

   Only observers of one thread's use change (texts are added). */
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
/* How many variables are watched, and does the event write one? */
uint32_t omen_watched_count (const omen_observer *observer);
const char *omen_watched_name (const omen_observer *observer, uint32_t i);
/* Does anything in the trace have that name? */
bool omen_watched_exists (const omen_observer *observer, uint32_t i);
bool omen_watched_written (const omen_observer *observer, omen_eid event);
/* Bits of the property's state predicates that hold, and of those that may hold
   or not: a value that they need is not known. */
uint32_t omen_watched_holds (const omen_observer *observer,
                             const omen_watched *watched, uint32_t *unknown);

/* The property's events at this event of the trace, in the order of their
   declaration; how many. `watched` may be NULL: no predicate is known to hold.
 */
uint32_t omen_observe (omen_observer *observer, omen_eid event,
                       const omen_watched *watched,
                       omen_occurrence out[OMEN_EVENTS_MAX]);
/* Where a walk is, for who has `(.)`: what came right before. Zero at first. */
typedef struct omen_walk {
  omen_eid last;
  uint32_t befores, count; /* of the event before, and of this one */
  omen_occurrence before[OMEN_EVENTS_MAX], now[OMEN_EVENTS_MAX];
  omen_neighbours beside[OMEN_EVENTS_MAX];
} omen_walk;

/* omen_observe, in the order of a run: each occurrence knows its neighbours.
   They are the walk's, until the next call. */
uint32_t omen_observe_next (omen_observer *observer, omen_walk *walk,
                            omen_eid event, const omen_watched *watched,
                            omen_occurrence out[OMEN_EVENTS_MAX]);
/* Events of two threads, neither of which waits for anybody: as neighbours in a
   run they could as well come at once. */
bool omen_observer_parallel (const omen_observer *observer, omen_eid a,
                             omen_eid b);
/* Does the property look at what the event reads: does a pointcut that may pick
   it bind the value, or have a condition? Where it does not, a read is the same
   event of the property whatever it sees. */
bool omen_observer_needs_value (const omen_observer *observer, omen_eid event);
/* So many events of the thread after this one, the last of them an emit that
   tells of it; 0 if none does. */
uint32_t omen_observer_told (const omen_observer *observer, omen_eid event);
/* Does an emit tell of it at all? */
bool omen_observer_is_told (const omen_observer *observer, omen_eid event);
/* The access that an event stands for, if it is an emit that does; else itself.
 */
omen_eid omen_observer_stands_for (const omen_observer *observer,
                                   omen_eid event);
/* Values of objects that this event ends: freed blocks, and what
   emit(omen_dead,…) names; how many. */
#define OMEN_DEAD_MAX 8
uint32_t omen_observe_dead (omen_observer *observer, omen_eid event,
                            uint64_t values[OMEN_DEAD_MAX]);

/* Does a pointcut name a thread? */
bool omen_property_asks_threads (const omen_property *property);

const char *omen_observer_text (const omen_observer *observer, uint64_t value);

/* How often a pointcut, or an event's name, was seen; after a walk. */
typedef enum omen_cut_fate {
  OMEN_CUT_SEEN,
  OMEN_CUT_EMITTED,     /* the event is served by emits */
  OMEN_CUT_NOTHING,     /* nothing in the trace is it */
  OMEN_CUT_NO_VALUES,   /* it binds what traces do not tell */
  OMEN_CUT_NO_CONDITION /* its condition cannot be evaluated on a trace */
} omen_cut_fate;

omen_cut_fate omen_observer_fate (const omen_observer *observer, uint32_t event,
                                  uint32_t cut);
/* Of an event without pointcuts: was it emitted? */
bool omen_observer_emitted (const omen_observer *observer, uint32_t event);

#endif
