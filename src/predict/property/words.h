/* The verdicts that one binding can reach in one window: a search over the cuts
   of the events that it sees there.

     excerpt   T1: a b   T2: c          words  a, ac, ca, abc …

   Private to the property detector. */
#ifndef OMEN_PREDICT_PROPERTY_WORDS_H
#define OMEN_PREDICT_PROPERTY_WORDS_H

#include "predict/property/property.h"
#include "predict/property/graph.h"

typedef struct omen_words_result {
  bool sure; /* verdicts still missing are impossible in the window */
  bool stop; /* the callback asked to stop */
} omen_words_result;

/* Searches from state `start` of the binding. Reports those of the `missing`
   categories that it finds, and removes them from it. `shortly`: asks about one
   word for each category only. */
omen_words_result
omen_property_words (const omen_property_hunt *hunt, const omen_theta *theta,
                     omen_engine *engine, const omen_lanes *excerpt,
                     uint32_t start, bool shortly, uint32_t *missing);

#endif
