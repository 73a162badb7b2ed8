/* The projection of a trace to the events that a property uses: the others are
   removed, and the order that they imposed is kept as hb and ha.

     T1|w(x=1) T1|acq(l) T1|w(y=2) T1|rel(l)  T2|acq(l) T2|rel(l) T2|w(x=3)
     to x:  T1|w(x=1)  T1|hb(0)  T2|ha(0)  T2|w(x=3)           l orders them

   Every run of it is lifted to one of the whole trace (omen_projection_lift) in
   which all that was removed is as recorded: each lock, variable, … has the
   same operations, in the same order. Runs that need another order of them are
   missed, so this finds less; but where a property uses few events there are
   few cuts.

   Stays: accesses to variables and functions that the filter names; marks,
   allocs and frees if it has their kinds (those of other variables keep their
   place among these); forks and joins. Only whole variables are distinguished,
   and properties of locks, semaphores, … are not supported.

   Owner: the caller, _free; borrows the whole trace. Cost: some 20 ns an event
   and thread. */
#ifndef OMEN_ONLINE_PROJECTION_H
#define OMEN_ONLINE_PROJECTION_H

#include "recording/events/past.h"

typedef struct omen_projection {
  const omen_trace *whole;
  omen_trace *trace; /* sealed */
  omen_ids origin;   /* by event of it: that of the whole, or OMEN_NONE */
  uint32_t *before;  /* by event that stayed and thread: how many events of the
                        thread come before it, or are itself */
  omen_map number;   /* event of the whole -> which of those that stayed */
} omen_projection;

/* NULL: the filter has kinds that are not supported, or too little would be
   removed. The whole trace is sealed; trace->rebuilt.past counts the past
   events of the projection. */
omen_projection *omen_projection_new (const omen_trace *whole,
                                      const omen_past_filter *filter);
void omen_projection_free (omen_projection *projection);

/* Replace a sequence of its events by one of the whole trace, with all that
   must come before them. */
void omen_projection_lift (const omen_projection *projection,
                           omen_ids *sequence);

#endif
