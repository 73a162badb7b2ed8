/* The projection of a trace to what a property speaks of: the other events are
   gone, and the order that they made is kept as hb and ha.

     T1|w(x=1) T1|acq(l) T1|w(y=2) T1|rel(l)  T2|acq(l) T2|rel(l) T2|w(x=3)
     to x:  T1|w(x=1)  T1|hb(0)  T2|ha(0)  T2|w(x=3)           l orders them

   Every run of it is one of the whole trace (omen_projection_lift) in which all
   that is left out is as it was: each lock, variable, … sees what it saw, in
   that order. Runs in which something else would have to be in another order
   are not among them, so this finds less; but it has few events where a
   property speaks of few, and so few cuts.

   Stays: accesses to variables and functions that the wish names, marks, allocs
   and frees if it has their kinds (those of other variables keep their place
   among these), forks and joins. Only variables as a whole are told apart, and
   of locks, semaphores, … nothing can be spoken of.

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

/* NULL: it cannot be told apart, or too little would be gone. The whole trace
   is sealed; trace->rebuilt.past of its events are kept in front. */
omen_projection *omen_projection_new (const omen_trace *whole,
                                      const omen_past_wish *wish);
void omen_projection_free (omen_projection *projection);

/* A sequence of its events, as one of the whole trace: with what must have come
   before them. */
void omen_projection_lift (const omen_projection *projection,
                           omen_ids *sequence);

#endif
