/* Synchronised order (doc/semantics.md, section 4) from one event a: one walk
   over a sequence colours the events that a reaches and records the edge by
   which it reached each.

     a …  rel(l)            a colours the rest of its thread
          acq(l) … b        rel(l) colours acq(l) over lock l: b is coloured,
                            its path is b <- acq(l) <-[l]- rel(l) <- a

   Private to order_race*.c. */
#ifndef OMEN_MODEL_COLOUR_H
#define OMEN_MODEL_COLOUR_H

#include "model/window.h"

typedef enum omen_tie {
  OMEN_TIE_NONE,   /* not coloured */
  OMEN_TIE_THREAD, /* program order */
  OMEN_TIE_RULE, /* rules 3 and 4, irregular locks: holds whenever both occur */
  OMEN_TIE_LOCK, /* object: lock */
  OMEN_TIE_CONDITION, /* object: condition */
  OMEN_TIE_SEMAPHORE, /* object: segment of a semaphore */
  OMEN_TIE_ATOM       /* object: atom; `read` saw a write of it */
} omen_tie;

/* Why the event at some place of the walk is coloured. */
typedef struct omen_cause {
  omen_tie tie;
  uint32_t object;
  uint32_t from; /* place of the event that coloured it, in the sequence */
  omen_eid read; /* OMEN_TIE_ATOM */
} omen_cause;

typedef struct omen_colour omen_colour;

/* For sequences that begin with the first `start` events of the trace, in its
   order: these are walked once, here. */
omen_colour *omen_colour_new (const omen_model *model, uint32_t start);
void omen_colour_free (omen_colour *colour);
/* Walk over a sequence (without its first `start` events), colouring from event
   a, which is in it. A plain read b of the value that a wrote is not coloured
   by that alone. */
void omen_colour_walk (omen_colour *colour, const omen_ids *events, omen_eid a,
                       omen_eid b);
/* From now on, treat all atomic accesses and fences as acquire, as release, or
   as both. */
void omen_colour_strengthen (omen_colour *colour, bool acquire, bool release);
/* By place in the sequence last walked. */
const omen_cause *omen_colour_causes (const omen_colour *colour);

#endif
