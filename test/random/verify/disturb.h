/* A copy of a trace with one lock operation moved towards the start, or given
   to another thread. It need not be well-formed. NULL if it cannot even be
   read. The caller frees it. */
#ifndef OMEN_TEST_VERIFY_DISTURB_H
#define OMEN_TEST_VERIFY_DISTURB_H

#include "gen.h"

omen_trace *disturbed (const omen_trace *trace, oracle_random *random);

#endif
