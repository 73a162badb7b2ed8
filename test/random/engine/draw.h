/* Knobs for the campaigns against the oracle. */
#ifndef OMEN_TEST_ENGINE_DRAW_H
#define OMEN_TEST_ENGINE_DRAW_H

#include "gen.h"

/* Every other trace is longer and dwells on two idioms, so that each one meets
   each other one, and itself, now and then. */
void draw_knobs (oracle_knobs *knobs, uint64_t seed);

/* A trace for this seed; in every eighth, locks are words. The caller frees
   it. */
omen_trace *draw_trace (uint64_t seed);

#endif
