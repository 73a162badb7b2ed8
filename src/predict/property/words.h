/* Which verdicts one binding can reach in one window: a search over the cuts of
   the events that it sees there.

     excerpt   T1: a b   T2: c          words  a, ac, ca, abc …

   Private to the property detector. */
#ifndef OMEN_PREDICT_PROPERTY_WORDS_H
#define OMEN_PREDICT_PROPERTY_WORDS_H

#include "predict/property/property.h"
#include "predict/property/graph.h"

typedef struct omen_words_result {
  bool sure; /* what is still missing is impossible in the window */
  bool stop; /* the one who is told said so */
} omen_words_result;

/* From the state `start` of the binding on. Tells the hunt what it finds of the
   `missing` categories, and takes that out. `shortly`: asks about one word for
   each of them. */
omen_words_result
omen_property_words (const omen_property_hunt *hunt, const omen_theta *theta,
                     omen_engine *engine, const omen_lanes *excerpt,
                     uint32_t start, bool shortly, uint32_t *missing);

#endif
