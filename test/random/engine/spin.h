/* The same trace with locks that are words, as a spin lock's is: an acquire is
   an rmw from 0 to 1, a release an atomic write of 0 or an rmw from 1 to 0, a
   failed try a read of 1. Locks that are used in other ways stay. */
#ifndef OMEN_TEST_ENGINE_SPIN_H
#define OMEN_TEST_ENGINE_SPIN_H

#include "trace/trace.h"

/* Sealed; the caller frees it. Half of the words are ordered weakly: which,
   and what gives them back, is drawn from the seed. */
omen_trace *spinning_trace (const omen_trace *trace, uint64_t seed);

#endif
