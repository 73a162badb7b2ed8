/* Random properties about a trace, as text: events on its variables, locks and
   threads, with parameters or without, one formula of any logic; with odd
   seeds, a pattern. */
#ifndef OMEN_TEST_ENGINE_DRAW_PROPERTY_H
#define OMEN_TEST_ENGINE_DRAW_PROPERTY_H

#include "gen.h"

#define DRAWN_MAX 4096

/* The same text for the same seed and trace. Not every one compiles. */
void draw_property (const omen_trace *trace, uint64_t seed,
                    char text[DRAWN_MAX]);

#endif
