/* Events of a long run without its beginning, for a reader who has seen that
   before: past events are dropped while later ones are emitted, so that memory
   holds the rest alone.

     filter { .events = 1000000, .most = 100000, … }
     T0|acq(l)  T0|w(x=1)  T1|w(y=2) … 1000000 events …  T0|rel(l)  T0|r(y=2)
     trace  T0|acq(l)                                     T0|rel(l)  T0|r(y=2)

   What the rest needs of the past stays, at the front and in its order: locks
   that are held, waits that have not returned and as many notifies as they may
   still use, counts of semaphores (as a seminit), and what the filter names,
   since a monitor has to see all of its events. Everything else that happened
   is in the initial state: reads of what was written in the past see initial
   values. A lock that is held since a wake was acquired, as far as the rest is
   concerned.

   The trace is then one of runs that all begin with the past as it was, if the
   events that stayed (trace->rebuilt.past of them) are kept in front, too: that
   is up to the user. A barrier that some have not left is not past yet: nothing
   after its first arrival is dropped. Nor is anything if locks are misused.
   That an operation on a semaphore fails is emitted only where its count is
   known.

   Cost: some 20 ns an event. */
#ifndef OMEN_RECORDING_EVENTS_PAST_H
#define OMEN_RECORDING_EVENTS_PAST_H

#include "base/map.h"
#include "trace/trace.h"

typedef struct omen_past_filter {
  uint64_t events; /* that many from the start are past */
  uint32_t most;   /* that many of the rest suffice */
  /* what stays: events of these kinds, 1 << omen_kind; accesses to variables,
     enters and exits of functions for which these say so */
  uint64_t kinds;
  bool (*variable) (const void *context, const char *name);
  bool (*function) (const void *context, const char *name);
  /* variables that state predicates speak of */
  bool (*watched) (const void *context, const char *name);
  bool starts; /* and the function that each thread begins in */
  const void *context;
} omen_past_filter;

typedef struct omen_past {
  const omen_past_filter *filter; /* NULL: nothing is forgotten */
  omen_trace *trace;
  uint64_t forgotten; /* events */
  uint32_t front;     /* events that stayed although they are past */
  size_t next;        /* number of events at which dropping pays again */
  /* by id: 0: the filter was not asked yet, 1: its events are kept, 2: dropped
   */
  OMEN_VEC (uint8_t) variables, functions;
  OMEN_VEC (uint8_t) changed; /* by variable: a write was dropped */
} omen_past;

void omen_past_init (omen_past *past, const omen_past_filter *filter,
                     omen_trace *trace);
void omen_past_fini (omen_past *past);

/* Drops what is past by now, if it is much or this is the end. Sets `moved`: by
   event, where it is now, OMEN_NONE if it is gone; empty if none went. The
   caller clears it. */
void omen_past_forget (omen_past *past, bool end, omen_ids *moved);

/* Does the filter name the event? */
bool omen_past_names (omen_past *past, const omen_event *event);

/* Time to call it? */
static inline bool
omen_past_due (const omen_past *past)
{
  return past->filter && past->trace->events.count >= past->next;
}

/* Is the variable's value at the start no longer of use? */
static inline bool
omen_past_changed (const omen_past *past, omen_vid variable)
{
  return variable < past->changed.count && past->changed.data[variable];
}

#endif
