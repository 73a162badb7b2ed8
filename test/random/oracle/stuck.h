/* Threads that are stuck (doc/semantics.md, section 4), by a search of its own:
   beside the machine it runs what nobody else keeps, whom each notify woke.

   Two sorts of claims are listed: sets of threads that wait for locks and
   threads only and are closed, as small as possible, but for cycles of requests
   alone (these are deadlocks); and sets of all threads that are left, of which
   one at least waits for something else. */
#ifndef OMEN_TEST_ORACLE_STUCK_H
#define OMEN_TEST_ORACLE_STUCK_H

#include "oracle.h"

/* Appended, each with its events ascending, each once. False: the trace is too
   large. */
bool oracle_stucks (const omen_trace *trace, omen_model_name model,
                    oracle_claims *claims, omen_err *err);

#endif
