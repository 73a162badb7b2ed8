/* --atomic all|marked|FILE */
#ifndef OMEN_DRIVER_PREDICT_ATOMIC_LIST_H
#define OMEN_DRIVER_PREDICT_ATOMIC_LIST_H

#include "predict/atomic.h"

/* Which blocks are atomic, by the word or file given (NULL: all). Initialised
   in any case; false: the message is printed and *code set. */
bool omen_atomic_load (const char *which, omen_atomic *atomic, int *code);

#endif
