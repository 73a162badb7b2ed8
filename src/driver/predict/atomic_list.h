/* --atomic all|marked|FILE */
#ifndef OMEN_DRIVER_PREDICT_ATOMIC_LIST_H
#define OMEN_DRIVER_PREDICT_ATOMIC_LIST_H

#include "predict/atomic.h"

/* Which blocks are atomic, by a keyword or file (NULL: all). Always initialises
   `atomic`; false: a message was printed and *code set. */
bool omen_atomic_load (const char *which, omen_atomic *atomic, int *code);

#endif
