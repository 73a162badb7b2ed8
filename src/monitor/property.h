/* A property, compiled: events with the parameters that they bind, and one or
   more formulas over them. Plain data that any number of threads may read: made
   by spec/compile.h, or written into C source for a program that is monitored.

     property UnsafeIter(list *c, iter *i)      parameters 0 and 1
       event create(c, i)                       binds 3 (bits 0 and 1)
       event update(c)                          binds 1
       ere: create update next  @match { … }    formula 0, category 0 "match"

   A formula's categories are those that have handlers; without any, the one
   that the logic is about (match, violation; fail for fsm).

   Who runs it: monitor/slicer.h, one slicer a formula. */
#ifndef OMEN_MONITOR_PROPERTY_H
#define OMEN_MONITOR_PROPERTY_H

#include "monitor/cut.h"
#include "monitor/machine.h"

/* Limits that make sets of them bits. */
#define OMEN_PARAMETERS_MAX 8
#define OMEN_EVENTS_MAX 64
#define OMEN_CATEGORIES_MAX 32
#define OMEN_PREDICATES_MAX 8

/* Modifiers of a property. */
enum {
  OMEN_FULL_BINDING = 1,    /* only instances that bind all report */
  OMEN_CONNECTED = 2,       /* only those whose parameters events connect */
  OMEN_SUFFIX = 4,          /* every event starts another attempt */
  OMEN_PER_THREAD = 8,      /* the last parameter is the event's thread */
  OMEN_UNSYNCHRONIZED = 16, /* in a program: no lock */
  OMEN_DECENTRALIZED = 32 /* MOP's option for how instances are found: accepted,
                             but without effect */
};

typedef struct omen_property_event {
  const char *name;
  uint32_t binds; /* set of parameters */
  const omen_cut *cuts;
  uint32_t cut_count; /* none: it is only emitted */
} omen_property_event;

/* The enable sets of an event: for each set of parameters here there is a word,
   begun by a creation event, whose events bind just these and after which the
   event is a step towards a category. Larger sets first; all differ. */
typedef struct omen_sources {
  uint32_t count;
  const uint8_t *sets;
} omen_sources;

typedef struct omen_formula {
  const char *logic;
  omen_machine machine;
  uint32_t categories;
  const char *const *category; /* names, by category */
  uint32_t resets;             /* categories whose handler says __RESET */
  uint64_t listens;            /* set of events that it sees */
  uint64_t creation;           /* set of events that make instances */
  const omen_sources *sources; /* by event */
  const omen_sources *idle; /* by event: instances of these sets, and all that
                               they were made from, do not change state at it;
                               the same for events that bind the same */
} omen_formula;

typedef struct omen_property {
  const char *name;
  unsigned modifiers;
  uint32_t parameters, events, predicates, formulas;
  uint32_t beside; /* bit of the predicate `(.)`, if formulas have it: the event
                      is parallel to the one before it (doc/semantics.md).
                      Programs never have it */
  const char *const *parameter; /* names */
  /* with predicates, the last event is `(state)`: a watched variable was
     written, and that is no other event */
  const omen_property_event *event;
  const omen_condition *const *predicate; /* over watched variables */
  const omen_formula *formula;
} omen_property;

/* An event as it happens. */
typedef struct omen_occurrence {
  uint32_t event;
  uint32_t predicates; /* bits: state predicates that hold after it */
  uint32_t thread;
  bool apart;                           /* as of omen_letter */
  uint32_t unknown;                     /* as of omen_letter */
  uint64_t values[OMEN_PARAMETERS_MAX]; /* of the parameters that it binds */
  const struct omen_neighbours *beside; /* NULL: not known */
} omen_occurrence;

/* For properties with `(.)`: the occurrences of the event right before, if the
   two are parallel, and those of this event that were given before. */
typedef struct omen_neighbours {
  const omen_occurrence *before, *same;
  uint32_t befores, sames;
} omen_neighbours;

#endif
